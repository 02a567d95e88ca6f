/** Builds the kustomizations of an input, or says why not and which files are then no manifests. */
import { posix } from "node:path";
import { type Finding, findingInFile, type Words } from "../findings/finding.ts";
import type { Source } from "../places/source.ts";
import { below, type FilesBeside } from "../read/file-tree.ts";
import { MAX_INPUT_BYTES, utf8Text } from "../read/input-bytes.ts";
import { KUSTOMIZATION_NAMES } from "../read/manifest-names.ts";
import { counted } from "../values/counted.ts";
import { BUILT_WITH, Builder, type BuildRequest, type BuiltInput, placeOf, someNames, TOO_LARGE } from "./build.ts";
import { type Kustomization, readKustomization, type Reference, refusedPlugin, type Tree } from "./kustomization.ts";
import { builtSources } from "./written-by.ts";

const MOST_FILES = 100_000;
const MOST_DEEP = 50;

export function buildKustomizations(request: BuildRequest): BuiltInput {
  const { tops: kustomizations, each } = request;
  const walk = new Walk(request);
  const trees = kustomizations.map((source) => walk.treeOf(source));
  const known = new Map<Source, boolean>();
  const isOurs = ({ source }: { readonly source: Source }): boolean => {
    if (!known.has(source)) known.set(source, request.isOurs(source.text));
    return known.get(source)!;
  };
  const tops = each ? trees.filter(isWhole) : topsOf(trees);
  const byFolder = Map.groupBy(request.sources, ({ folder }) => folder);
  // What a kustomization takes that cannot be read is unknown.
  const besideOf = ({ problem, top }: Tree) => (problem === undefined ? [] : (byFolder.get(top.folder) ?? []));
  const ours = tops.filter(
    (tree) => [...tree.files.values()].some(isOurs) || besideOf(tree).some((source) => isOurs({ source })),
  );
  const resources = new Set(placesOf(trees, "resource"));
  const builder = new Builder(PROGRAMS, request);
  const value: Source[] = [];
  const findings: Finding[] = [];
  const unbuilt: Source[] = [];
  const taken = new Set<string>();
  let size = 0;
  for (const tree of ours) {
    const { file } = tree.top;
    const made = tree.problem ?? (isPlain(tree) ? resourcesOf(tree) : buildOne(builder, tree));
    if (typeof made !== "string") size += made.reduce((sum, { text }) => sum + text.length, 0);
    if (typeof made !== "string" && size <= MAX_INPUT_BYTES) {
      for (const one of made) value.push(one);
      for (const place of tree.files.keys()) taken.add(place);
      if (isPlain(tree)) continue;
      const message = `${BUILT_WITH} ${builder.version()}: ${counted(made.length, "object")}`;
      findings.push(findingInFile("file-skipped", file, { message }));
      continue;
    }
    const passed = [...tree.files].filter(([place, { as }]) => as === "kustomization" || !resources.has(place));
    for (const [place, { source }] of passed) {
      taken.add(place);
      unbuilt.push(source);
    }
    const without = passed.flatMap(([, { as, source }]) => (as === "kustomization" ? [] : source.file));
    const problem = typeof made === "string" ? made : TOO_LARGE;
    findings.push(findingInFile("kustomization-unbuilt", file, unbuiltWords(tree, problem, each ? [] : without)));
  }
  const told = new Set(ours.flatMap((tree) => tree.kustomizations.map(({ source }) => source.file)));
  return { value, findings, taken, told, unbuilt };
}

/** Fields of a kustomization that only collects files. */
const PLAIN = new Set(["apiVersion", "kind", "metadata", "resources", "bases", "sortOptions", "buildMetadata"]);

/** Whether the build is the files as they are, for which no program is needed. */
function isPlain({ kustomizations }: Tree): boolean {
  return kustomizations.every(({ read: { value } }) => Object.keys(value).every((name) => PLAIN.has(name)));
}

function resourcesOf({ top: { folder }, files }: Tree): Source[] {
  const resources = [...files.values()].filter(({ as }) => as === "resource");
  return resources.map(({ source }) => ({ ...source, folder, built: folder }));
}

/** Whether it is built by itself, as a component is not. */
function isWhole({ kustomizations: [own] }: Tree): boolean {
  return own?.read.isComponent !== true;
}

function unbuiltWords({ top }: Tree, problem: string, passedOver: readonly string[]): Words {
  const without = passedOver.length === 0 ? "" : `, without ${someNames(passedOver)}`;
  return {
    message: `is not built, and the files that it names are read as they are${without}: ${problem}`,
    hint: `kustomize build ${posix.dirname(top.file)} | anp check -`,
  };
}

/** Those that no other one takes; of a circle all. */
function topsOf(trees: readonly Tree[]): readonly Tree[] {
  const foldersOf = (some: readonly Tree[], from: number) =>
    new Set(some.flatMap(({ kustomizations }) => kustomizations.slice(from).map(({ source }) => source.folder)));
  const below = foldersOf(trees, 1);
  const tops = trees.filter((tree) => isWhole(tree) && !below.has(tree.top.folder));
  const reached = foldersOf(tops, 0);
  return [...tops, ...trees.filter((tree) => isWhole(tree) && !reached.has(tree.top.folder))];
}

function placesOf(trees: readonly Tree[], wanted: Reference["as"]): string[] {
  return trees.flatMap(({ files }) => [...files].flatMap(([place, { as }]) => (as === wanted ? [place] : [])));
}

class Walk {
  readonly #files: FilesBeside;
  readonly #texts = new Map<string, Source | string>();
  #bytes = 0;
  #met = 0;

  constructor({ files }: BuildRequest) {
    this.#files = files;
  }

  treeOf(top: Source): Tree {
    const kustomizations: { source: Source; read: Kustomization }[] = [];
    const files = new Map<string, { source: Source; as: Reference["as"] | "kustomization" }>();
    const seen = new Set<string>();
    let problem: string | undefined;
    const refuse = (file: string, why: string): void => {
      problem ??= file === top.file ? `it ${why}` : `${file} ${why}`;
    };
    const enter = (source: Source, depth: number): void => {
      seen.add(source.folder);
      files.set(placeOf(source), { source, as: "kustomization" });
      const read = readKustomization(source);
      kustomizations.push({ source, read });
      if (read.refusal !== undefined) refuse(source.file, read.refusal);
      if (depth > MOST_DEEP) return refuse(source.file, `is more than ${MOST_DEEP} kustomizations deep`);
      for (const { path, as } of read.references) {
        const place = posix.join(source.folder, path).replace(/\/$/, "");
        this.#met += 1;
        if (this.#met > MOST_FILES) return refuse(source.file, `takes more than ${MOST_FILES} files`);
        const found = this.#at(place, top);
        if (found === "folder" && (as === "resource" || as === "component" || as === "plugin")) {
          if (seen.has(place)) continue;
          const inner = this.#kustomizationIn(place, top);
          if (typeof inner === "string") refuse(this.#files.fileOf(place, top), inner);
          else enter(inner, depth + 1);
        } else if (typeof found === "string") {
          refuse(this.#files.fileOf(place, top), found === "folder" ? "is a folder" : found);
        } else {
          const known = files.get(place);
          if (known?.as !== "resource") files.set(place, { source: found, as });
          const refused = as === "plugin" ? refusedPlugin(found.text) : undefined;
          if (refused !== undefined) refuse(found.file, refused);
        }
      }
    };
    enter(top, 0);
    return { top, kustomizations, files, problem };
  }

  #kustomizationIn(folder: string, top: Source): Source | string {
    const found = KUSTOMIZATION_NAMES.map((name) => this.#at(below(folder, name), top));
    const sources = found.filter((one) => typeof one !== "string");
    return sources.length === 1 ? sources[0]! : `holds ${sources.length === 0 ? "no" : "more than one"} kustomization`;
  }

  /** A file as text, `folder`, or why it cannot be read. */
  #at(place: string, top: Source): Source | string {
    const known = this.#texts.get(place);
    if (known !== undefined) return known;
    const found = this.#read(place, top);
    this.#texts.set(place, found);
    return found;
  }

  #read(place: string, top: Source): Source | string {
    const found = this.#files.at(place, top);
    if (found === "folder") return "folder";
    if ("problem" in found) return found.problem;
    this.#bytes += found.bytes.length;
    if (this.#bytes > MAX_INPUT_BYTES) return "brings the input to more than anp reads";
    const text = utf8Text(found.bytes);
    if (typeof text !== "string") return text.message;
    const { trusted } = top;
    return {
      file: this.#files.fileOf(place, top),
      folder: posix.dirname(place),
      text,
      explicit: false,
      trusted,
      config: false,
      // A line of it may hold both.
      ...(/secret|user-?data/i.test(text) ? { withoutExcerpts: true } : {}),
    };
  }
}

/** The folder in which the program runs; no kustomization is below it. */
const START = ".anp";

const PROGRAMS = [
  { name: "kustomize", ofVersion: ["version"] },
  { name: "kubectl", ofVersion: ["version", "--client"] },
];

/** Gives the objects of a kustomization, or why there are none. */
function buildOne(builder: Builder, tree: Tree): readonly Source[] | string {
  const ran = builder.build([builder.name === "kubectl" ? "kustomize" : "build", START], () => filesOf(tree));
  if ("problem" in ran) return ran.problem;
  const placed = placedIn(tree);
  const sources = new Map([...tree.files].map(([place, { source }]) => [placed(place), source]));
  return builtSources(ran.output, tree, (path) => sources.get(posix.join(START, path)));
}

/** Paths of copies, which are to each other as the files are. */
function placedIn({ files }: Tree): (place: string) => string {
  const folders = [...files.values()].map(({ source }) => source.folder.split("/"));
  const [first = [], ...others] = folders;
  const end = first.findIndex((name, at) => others.some((other) => other[at] !== name));
  const common = first.slice(0, end === -1 ? first.length : end).join("/");
  return (place) => posix.join("files", posix.relative(common === "" ? "/" : common, place));
}

/** Kustomizations are written as they were read, so that the program reads nothing else into them. */
function filesOf(tree: Tree): Map<string, string> {
  const { top, kustomizations, files } = tree;
  const inside = placedIn(tree);
  const read = new Map(kustomizations.map(({ source, read: { value } }) => [placeOf(source), value]));
  const copied = [...files].map(([place, { source }]): [string, string] => {
    const value = read.get(place);
    return [inside(place), value === undefined ? source.text : JSON.stringify(value, plainNumbers)];
  });
  const start = {
    resources: [`../${inside(top.folder)}`],
    buildMetadata: ["originAnnotations", "transformerAnnotations"],
  };
  return new Map([...copied, [`${START}/kustomization.yaml`, JSON.stringify(start)]]);
}

function plainNumbers(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? Number(value) : value;
}
