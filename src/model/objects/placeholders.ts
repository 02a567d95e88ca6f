/** Fills the placeholders of Karpenter's objects, and leaves out what unfilled ones decide. */
import { type Finding, findingAt, findingInFile, type Outcome } from "../../krm/findings/finding.ts";
import { KARPENTER_GROUP } from "../../krm/findings/known-kinds.ts";
import {
  asWritten,
  filled,
  mayHavePlaceholders,
  type Placeholder,
  placeholdersIn,
} from "../../krm/values/placeholders.ts";
import {
  type FieldPath,
  formatFieldPath,
  parseFieldPath,
  quotedField,
  startsWithPath,
  valueAt,
} from "../../krm/places/field-path.ts";
import { locateField } from "../../krm/places/locate.ts";
import { describeResource, groupOf, type Resource, type UnknownValue } from "../../krm/places/resource.ts";
import { counted, someOf } from "../../krm/values/counted.ts";
import { type Fields, isFields } from "../../krm/values/fields.ts";
import { resolve } from "../../krm/yaml/plain-scalar.ts";
import type { Source } from "../../krm/places/source.ts";
import { memoizeByObject } from "../schema/memoize.ts";
import { isNodeClass } from "./input-mode.ts";

/** The value for a placeholder in an object; undefined if there is none. */
export type ValueFor = (
  placeholder: Placeholder,
  resource: Resource,
) => { readonly value: string; readonly isHidden: boolean } | undefined;

/** The objects with each placeholder filled that has a value. Others stay as text. */
export function fillPlaceholders(resources: readonly Resource[], valueFor: ValueFor): Resource[] {
  const filled = new Map<string, string>();
  const all = resources.map((resource) =>
    mayBeFilled(resource) ? new Filling(resource, valueFor, filled).resource() : resource,
  );
  // A finding on one object may speak of another.
  if (filled.size === 0) return all;
  return all.map((resource) => ({ ...resource, filled: new Map([...(resource.filled ?? []), ...filled]) }));
}

/**
 * The objects without the parts that unfilled placeholders decide, with a finding for each file that has some. Only for
 * answers to a question: what is defended is judged as it is written.
 */
export function leaveOutUnknown(resources: readonly Resource[]): Outcome<Resource[]> {
  const value = resources.map((resource) => (mayBeFilled(resource) ? withoutUnknown(resource) : resource));
  const byFile = Map.groupBy(
    value.filter(({ unknown }) => unknown !== undefined),
    ({ document: { source } }) => source.file,
  );
  const findings = [...byFile].map(([file, objects]) => {
    const names = [...new Set(objects.flatMap(({ unknown = [] }) => unknown.map(({ placeholder }) => placeholder)))];
    return findingInFile("placeholder-unfilled", file, {
      message: `${counted(names.length, "placeholder")} without a value: ${someOf(names, SHOWN)}; what they decide is not judged`,
      hint: "give values with --set NAME=VALUE or --env-file FILE, or read what your tool renders",
    });
  });
  return { value, findings };
}

const SHOWN = 5;

/** What a policy and the bounds beside it judge in a NodePool. */
const JUDGED: readonly FieldPath[] = [
  ["spec", "template", "metadata", "labels"],
  ["spec", "template", "spec", "requirements"],
  ["spec", "template", "spec", "expireAfter"],
  ["spec", "template", "spec", "terminationGracePeriod"],
  ["spec", "disruption", "budgets"],
];

/**
 * An error for each placeholder in a field that a policy judges: the value that counts comes later, and may be any.
 * Some, such as `a-__X__-b`, are values that Karpenter accepts.
 */
export function placeholdersUnderPolicy(pools: readonly Resource[]): Finding[] {
  // A value of a running cluster is as it is.
  const written = pools.filter(({ document: { source } }) => source.withoutLines !== true);
  return written.flatMap((pool) =>
    JUDGED.flatMap((path) => unknownIn(valueAt(pool.value, path), path, [])).map(({ path, placeholder }) =>
      findingAt("placeholder-judged", pool, path, {
        message: `${describeResource(pool)}: ${quotedField(path)} has the placeholder ${placeholder}, so nothing says what the policy is compared with`,
        hint: "give its value with --set NAME=VALUE or --env-file FILE, or check what your tool renders",
      }),
    ),
  );
}

/** Most files have no placeholder, so that their objects need not be searched. */
function mayBeFilled(resource: Resource): boolean {
  const isKarpenters =
    isNodeClass(resource) || (groupOf(resource.apiVersion) === KARPENTER_GROUP && resource.kind === "NodePool");
  return isKarpenters && hasSigns(resource.document.source).of;
}

/** The text of an object from an API server is not of a file. */
const hasSigns = memoizeByObject(({ text, withoutLines = false }: Source) => ({
  of: withoutLines || mayHavePlaceholders(text),
}));

/** Whether a placeholder decides a value at, above or below a path of the object as written. */
export function isUnknownAt({ unknown = [] }: Pick<Resource, "unknown">, path: FieldPath): boolean {
  return unknown.some(({ path: left }) => startsWithPath(left, path) || startsWithPath(path, left));
}

/** Leaves out findings about a value that is unknown, or about a list or mapping that holds one. */
export function withoutGuesses(findings: readonly Finding[], resources: readonly Resource[]): Finding[] {
  const hidden = new Map<string, Hidden>();
  for (const resource of resources) {
    if (resource.unknown === undefined) continue;
    const { file, origin } = resource.document.source;
    // Findings on what was put together stand in the files that it was made from.
    const id = idOf(origin === undefined ? file : "", resource);
    const { fields, lists } = hidden.get(id) ?? { fields: new Set(), lists: new Set() };
    hidden.set(id, { fields, lists });
    for (const { path } of resource.unknown) {
      fields.add(formatFieldPath(path));
      for (let length = path.length - 1; length > 1; length--) lists.add(formatFieldPath(path.slice(0, length)));
    }
  }
  if (hidden.size === 0) return [...findings];
  return findings.filter((finding) => !isGuess(finding, hidden));
}

interface Hidden {
  /** The unknown parts. */
  readonly fields: Set<string>;
  /** What holds one, apart from the whole object and its spec. */
  readonly lists: Set<string>;
}

function isGuess({ file = "", resource, field }: Finding, hidden: ReadonlyMap<string, Hidden>): boolean {
  if (resource === undefined || field === undefined) return false;
  const known = hidden.get(idOf(file, resource)) ?? hidden.get(idOf("", resource));
  if (known === undefined) return false;
  const path = parseFieldPath(field) ?? [];
  return known.lists.has(field) || path.some((_, at) => known.fields.has(formatFieldPath(path.slice(0, at + 1))));
}

function idOf(file: string, { kind, name }: Pick<Resource, "kind" | "name">): string {
  return `${file}\n${kind}/${name}`;
}

/** The lists whose entries are independent of each other: the others count without an unknown one. */
const LISTS_OF_POOL: readonly unknown[] = ["requirements", "taints", "startupTaints", "budgets"];

/** Names: as text they are as good as the value, wherever they are written the same. */
const NAMES: readonly FieldPath[] = [["metadata"], ["spec", "template", "spec", "nodeClassRef"]];

function withoutUnknown(resource: Resource): Resource {
  const found = unknownIn(resource.value, [], []);
  if (found.length === 0) return resource;
  const isPool = resource.kind === "NodePool";
  const unknown = new Map<string, UnknownValue>();
  for (const { path, placeholder } of found) {
    const part = partOf(path, isPool);
    const id = JSON.stringify(part);
    if (!unknown.has(id)) unknown.set(id, { path: part, placeholder });
  }
  const removed = [...unknown.values()].filter(({ path }) => !isKeptAsText(path, resource));
  const value = without(
    resource.value,
    removed.map(({ path }) => path),
    isPool,
  ) as Fields;
  return { ...resource, value, written: resource.value, unknown: [...unknown.values()] };
}

function unknownIn(value: unknown, path: FieldPath, found: UnknownValue[]): UnknownValue[] {
  if (typeof value === "string") {
    const [first] = placeholdersIn(value);
    if (first !== undefined && !(path.at(-1) === "userData" && first.text !== value.trim()))
      found.push({ path, placeholder: first.text });
  } else if (Array.isArray(value))
    for (const [index, item] of value.entries()) unknownIn(item, [...path, index], found);
  else if (isFields(value))
    for (const [key, item] of Object.entries(value)) {
      const [inKey] = placeholdersIn(key);
      if (inKey === undefined) unknownIn(item, [...path, key], found);
      else found.push({ path: [...path, key], placeholder: inKey.text });
    }
  return found;
}

/** The part of the object that an unknown value decides. */
function partOf(path: FieldPath, isPool: boolean): FieldPath {
  const first = path.findIndex((segment) => typeof segment === "number");
  if (isPool && first !== -1) return path.slice(0, LISTS_OF_POOL.includes(path[first - 1]) ? first + 1 : first);
  const last = path.findLastIndex((segment) => typeof segment !== "number");
  return path.slice(0, last + 1);
}

function isKeptAsText(path: FieldPath, { kind, value }: Resource): boolean {
  if (NAMES.some((name) => startsWithPath(path, name) && path.length > name.length)) return true;
  // An alias names its family before the version.
  return kind !== "NodePool" && path.at(-1) === "alias" && /^[a-z0-9]+@/.test(String(at(value, path)));
}

function at(value: unknown, path: FieldPath): unknown {
  return path.reduce<unknown>((inner, segment) => (inner as Record<string | number, unknown>)[segment], value);
}

/** Answers speak of objects by their names. */
function isName(path: FieldPath): boolean {
  return SHOWN_NAMES.some((name) => startsWithPath(path, name));
}

const SHOWN_NAMES: readonly FieldPath[] = [
  ["metadata", "name"],
  ["metadata", "namespace"],
  ["spec", "template", "spec", "nodeClassRef"],
];

/** A tree of the parts to remove. */
type Parts = Map<string | number, Parts>;

function without(value: unknown, paths: readonly FieldPath[], isPool: boolean): unknown {
  const root: Parts = new Map();
  for (const path of paths) {
    let parts = root;
    for (const segment of path) {
      const inner: Parts = parts.get(segment) ?? new Map();
      parts.set(segment, inner);
      parts = inner;
    }
  }
  const kept = withoutParts(value, root);
  if (!isPool || !isFields(kept)) return kept;
  // Readers rely on the fields that every pool has.
  const spec = fieldsAt(kept, "spec");
  const template = fieldsAt(spec, "template");
  return { ...kept, spec: { ...spec, template: { ...template, spec: fieldsAt(template, "spec") } } };
}

function fieldsAt(fields: Fields, key: string): Fields {
  const value = fields[key];
  return isFields(value) ? value : {};
}

function withoutParts(value: unknown, parts: Parts): unknown {
  const isLeft = (key: string | number): boolean => parts.get(key)?.size !== 0;
  const inside = (key: string | number, item: unknown): unknown => {
    const below = parts.get(key);
    return below === undefined ? item : withoutParts(item, below);
  };
  if (Array.isArray(value))
    return value.flatMap((item: unknown, index) => (isLeft(index) ? [inside(index, item)] : []));
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => (isLeft(key) ? [[key, inside(key, item)] as const] : [])),
  );
}

class Filling {
  readonly #resource: Resource;
  readonly #valueFor: ValueFor;
  readonly #filled: Map<string, string>;
  #changed = false;

  /** @param filled is given what is written in place of each value that is not to be shown */
  constructor(resource: Resource, valueFor: ValueFor, filled: Map<string, string>) {
    this.#resource = resource;
    this.#valueFor = valueFor;
    this.#filled = filled;
  }

  /** The resource itself if nothing is filled. */
  resource(): Resource {
    const value = this.#inside(this.#resource.value, []) as Fields;
    if (!this.#changed) return this.#resource;
    const { name, namespace } = fieldsAt(value, "metadata");
    const text = (given: unknown, otherwise: string | undefined) => (typeof given === "string" ? given : otherwise);
    return {
      ...this.#resource,
      name: text(name, this.#resource.name) ?? "",
      namespace: text(namespace, this.#resource.namespace),
      value,
    };
  }

  #inside(value: unknown, path: FieldPath): unknown {
    if (typeof value === "string") return this.#scalar(value, path);
    if (Array.isArray(value)) return value.map((item: unknown, index) => this.#inside(item, [...path, index]));
    if (!isFields(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [this.#text(key, path), this.#inside(item, [...path, key])]),
    );
  }

  /** A value fills a scalar only: it has the type that YAML gives it, and cannot become a list or a mapping. */
  #scalar(text: string, path: FieldPath): unknown {
    // A script has variables of its own.
    if (path.at(-1) === "userData" && placeholdersIn(text)[0]?.text !== text.trim()) return text;
    const value = this.#text(text, path);
    if (value === text || placeholdersIn(value).length > 0 || !this.#isPlain(path)) return value;
    if (value === "") return null;
    const resolved = resolve(value);
    const hidden = this.#filled.get(value);
    if (hidden !== undefined) this.#filled.set(String(resolved), hidden);
    return resolved;
  }

  #text(text: string, path: FieldPath): string {
    const { written } = this.#resource.document.source;
    const given = written === undefined ? text : asWritten(text, written);
    let hides = false;
    const value = filled(given, (placeholder) => {
      const found = this.#valueFor(placeholder, this.#resource);
      if (found?.isHidden === true && !isName(path)) {
        hides = true;
        this.#filled.set(found.value, placeholder.text);
      }
      return found?.value;
    });
    if (hides) this.#filled.set(value, given);
    if (value !== text) this.#changed = true;
    return value;
  }

  /** Whether the scalar is written without quotes, and not as a block. */
  #isPlain(path: FieldPath): boolean {
    const { document } = this.#resource;
    return !`"'|>`.includes(document.source.text[locateField(this.#resource, path)] ?? '"');
  }
}
