/** A folder of Terraform files: its variables, locals and files, and the modules that call it. */
import { posix } from "node:path";
import { hiddenSource, type Source } from "../places/source.ts";
import type { FilesBeside } from "../read/file-tree.ts";
import { MAX_INPUT_BYTES, utf8Text } from "../read/input-bytes.ts";
import { convertTo } from "./convert-type.ts";
import { evaluate } from "./evaluate.ts";
import { renderTemplate } from "./functions.ts";
import { type Block, type Body, type Expression, HclProblem } from "./hcl-syntax.ts";
import { readHcl, readHclTemplate } from "./read-hcl.ts";
import type { ModuleScope, Scope } from "./scope.ts";
import { type Budget, hide, knownText, type Value } from "./values.ts";

/** A block with the file that holds it. */
export interface Placed {
  readonly source: Source;
  readonly block: Block;
}

/** All Terraform files of an input, by folder. */
export class Repository {
  readonly budget: Budget;
  readonly #files: FilesBeside;
  readonly #byFolder: ReadonlyMap<string, readonly Source[]>;
  readonly #modules = new Map<string, Module>();
  readonly #bodies = new Map<Source, Body | HclProblem>();
  readonly #templates = new Map<Source, Expression | undefined>();
  readonly #texts = new Map<string, Source | undefined>();
  #callers: ReadonlyMap<string, readonly (Placed & { readonly module: Module })[]> | undefined;
  #bytes = 0;

  constructor(sources: readonly Source[], files: FilesBeside, budget: Budget) {
    this.budget = budget;
    this.#files = files;
    this.#byFolder = Map.groupBy(sources, ({ folder }) => folder);
  }

  module(folder: string): Module {
    const module = this.#modules.get(folder) ?? new Module(folder, this.#byFolder.get(folder) ?? [], this);
    this.#modules.set(folder, module);
    return module;
  }

  bodyOf(source: Source): Body | HclProblem {
    const body = this.#bodies.get(source) ?? readHcl(source.text);
    this.#bodies.set(source, body);
    return body;
  }

  templateOf(source: Source): Expression | undefined {
    if (!this.#templates.has(source)) {
      const read = readHclTemplate(source.text);
      this.#templates.set(source, read instanceof HclProblem ? undefined : read);
    }
    return this.#templates.get(source);
  }

  /** Files of variables in the folder and below it. */
  variableFiles(folder: string): Source[] {
    return [...this.#byFolder].flatMap(([one, sources]) =>
      one === folder || one.startsWith(`${folder}/`) ? sources.filter(({ file }) => file.endsWith(".tfvars")) : [],
    );
  }

  /** A file of the repository; never one outside it, nor through a link. */
  fileAt(place: string, near: Source): Source | undefined {
    if (!this.#texts.has(place)) this.#texts.set(place, this.#read(place, near));
    return this.#texts.get(place);
  }

  #read(place: string, near: Source): Source | undefined {
    const found = this.#files.at(place, near);
    if (found === "folder" || "problem" in found) return undefined;
    this.#bytes += found.bytes.length;
    const text = this.#bytes > MAX_INPUT_BYTES ? undefined : utf8Text(found.bytes);
    if (typeof text !== "string") return undefined;
    const file = this.#files.fileOf(place, near);
    return { file, folder: posix.dirname(place), text, explicit: false, trusted: near.trusted, config: false };
  }

  /** The module blocks that name a folder by a path. */
  callersOf(folder: string): readonly (Placed & { readonly module: Module })[] {
    this.#callers ??= Map.groupBy(this.#calls(), ({ callee }) => callee);
    return this.#callers.get(folder) ?? [];
  }

  #calls() {
    return [...this.#byFolder].flatMap(([folder, sources]) =>
      sources.filter(callsFolders).flatMap((source) => {
        const body = this.bodyOf(source);
        if (body instanceof HclProblem) return [];
        return body.blocks.flatMap((block) => {
          const path = block.type === "module" ? literalOf(block.body.attributes.get("source")?.value) : undefined;
          if (path === undefined || !/^\.\.?\//.test(path)) return [];
          const callee = posix.join(folder, path).replace(/\/$/, "");
          return callee === folder ? [] : [{ callee, source, block, module: this.module(folder) }];
        });
      }),
    );
  }
}

function callsFolders({ file, text }: Source): boolean {
  return file.endsWith(".tf") && text.includes("module") && /"\.\.?\//.test(text);
}

/** The text of an expression without values in it. */
function literalOf(expression: Expression | undefined): string | undefined {
  if (expression?.is !== "template") return undefined;
  const texts = expression.parts.map((part) =>
    part.is === "text" ? part.pieces.map(({ text }) => text).join("") : undefined,
  );
  return texts.includes(undefined) ? undefined : texts.join("");
}

export class Module implements ModuleScope {
  readonly folder: string;
  readonly #repository: Repository;
  readonly #sources: readonly Source[];
  readonly #known = new Map<string, Value | undefined>();
  #parts: ReturnType<Module["read"]> | undefined;

  constructor(folder: string, sources: readonly Source[], repository: Repository) {
    this.folder = folder;
    this.#sources = sources;
    this.#repository = repository;
  }

  read() {
    const blocks = this.#sources
      .filter(({ file }) => file.endsWith(".tf"))
      .flatMap((source): Placed[] => {
        const body = this.#repository.bodyOf(source);
        return body instanceof HclProblem ? [] : body.blocks.map((block) => ({ source, block }));
      });
    const named = (type: string) => blocks.filter(({ block }) => block.type === type);
    const variables = new Map(named("variable").map((one) => [one.block.labels[0] ?? "", one]));
    const locals = named("locals").flatMap(({ source, block }) =>
      [...block.body.attributes].map(([name, { value }]) => [name, { source, value }] as const),
    );
    const data = new Map(named("data").map((one) => [one.block.labels.join("."), one]));
    return { blocks, variables, locals: new Map(locals), data, ...this.#given() };
  }

  /** What variables are given by files that Terraform reads by itself, and the names in all others. */
  #given() {
    const given = new Map<string, Expression & { readonly source: Source }>();
    const elsewhere = new Set<string>();
    const files = this.#repository.variableFiles(this.folder);
    const isOwn = ({ file, folder }: Source): boolean =>
      folder === this.folder && /(?:^|\/)(?:terraform|[^/]*\.auto)\.tfvars$/.test(file);
    // Files of all others are after terraform.tfvars, and in the order of their names.
    const rank = ({ file }: Source): string => (file.endsWith(".auto.tfvars") ? `1${file}` : "0");
    for (const file of files.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1))) {
      const body = this.#repository.bodyOf(file);
      if (body instanceof HclProblem) continue;
      const source = hiddenSource(file);
      for (const [name, { value }] of body.attributes) {
        if (isOwn(file)) given.set(name, { ...value, source });
        else elsewhere.add(name);
      }
    }
    return { given, elsewhere };
  }

  get parts(): ReturnType<Module["read"]> {
    return (this.#parts ??= this.read());
  }

  scope(source: Source, names: ReadonlyMap<string, Value> = new Map()): Scope {
    return { source, names, module: this, budget: this.#repository.budget };
  }

  variable(name: string): Value | undefined {
    return this.#once(`var.${name}`, () => this.#variable(name));
  }

  #variable(name: string): Value | undefined {
    const { variables, given, elsewhere } = this.parts;
    const declared = variables.get(name);
    if (declared === undefined) return undefined;
    const { budget } = this.#repository;
    const { attributes } = declared.block.body;
    const sensitive = attributes.get("sensitive")?.value;
    const isSensitive = sensitive !== undefined && !(sensitive.is === "literal" && sensitive.value === false);
    const ofDefault = this.scope(isSensitive ? hiddenSource(declared.source) : declared.source);
    const value = ((): Value | undefined => {
      const file = given.get(name);
      if (file !== undefined) return evaluate(file, this.scope(file.source));
      const calls = this.#repository.callersOf(this.folder);
      const setting = calls.filter(({ block }) => block.body.attributes.has(name));
      if (setting.length > 0) {
        const [{ block, source, module }] = setting as [(typeof setting)[0]];
        if (calls.length > 1) return undefined;
        const made = evaluate(block.body.attributes.get(name)!.value, module.scope(source));
        return made.is === "unknown" ? undefined : made;
      }
      const fallback = elsewhere.has(name) ? undefined : attributes.get("default")?.value;
      return fallback === undefined ? undefined : evaluate(fallback, ofDefault);
    })();
    if (value === undefined) return undefined;
    const typed = convertTo(attributes.get("type")?.value, value, (one) => evaluate(one, ofDefault), budget);
    return isSensitive || given.has(name) ? hide(typed, `\${var.${name}}`, budget) : typed;
  }

  local(name: string): Value | undefined {
    return this.#once(`local.${name}`, () => {
      const local = this.parts.locals.get(name);
      return local === undefined ? undefined : evaluate(local.value, this.scope(local.source));
    });
  }

  /** The old form of `templatefile()`. */
  data(type: string, name: string): Value | undefined {
    if (type !== "template_file") return undefined;
    return this.#once(`data.${type}.${name}`, () => {
      const found = this.parts.data.get(`${type}.${name}`);
      const { template, vars } = Object.fromEntries(found?.block.body.attributes ?? []);
      const call = template?.value;
      if (found === undefined || call?.is !== "call" || call.name !== "file") return undefined;
      const scope = this.scope(found.source);
      const path = call.args[0] === undefined ? undefined : knownText(evaluate(call.args[0], scope));
      const source = path === undefined ? undefined : this.file(path);
      const place = { source: found.source, offset: found.block.at };
      return source === undefined ? undefined : renderTemplate(source, vars?.value, scope, place, evaluate);
    });
  }

  /** What refers to itself is unknown. */
  #once(key: string, make: () => Value | undefined): Value | undefined {
    if (!this.#known.has(key)) {
      this.#known.set(key, undefined);
      this.#known.set(key, make());
    }
    return this.#known.get(key);
  }

  path(name: string): string | undefined {
    if (name === "module") return this.folder;
    return name === "root" ? this.#root() : undefined;
  }

  /** The folder that Terraform runs in; unknown if several modules lead here. */
  #root(depth = 0): string | undefined {
    const calls = this.#repository.callersOf(this.folder);
    if (calls.length === 0) return this.folder;
    return calls.length === 1 && depth < 20 ? calls[0]!.module.#root(depth + 1) : undefined;
  }

  file(path: string): Source | undefined {
    const [near] = this.#sources;
    const from = path.startsWith("/") ? "" : this.#root();
    if (from === undefined || near === undefined || path === "") return undefined;
    return this.#repository.fileAt(from === "" ? posix.normalize(path) : posix.join(from, path), near);
  }

  template(source: Source): Expression | undefined {
    return this.#repository.templateOf(source);
  }
}
