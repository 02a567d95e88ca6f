/** Finds the file and line of a base, patch or kustomization that wrote a field of an object. */
import { DocumentStream } from "../parse/document-stream.ts";
import { parseSources } from "../parse/parse.ts";
import { plainValue } from "../parse/plain-value.ts";
import { type FieldPath, valueAt } from "../places/field-path.ts";
import { locateField } from "../places/locate.ts";
import type { Resource } from "../places/resource.ts";
import { scalarSource } from "../places/scalar-source.ts";
import { originOf, type Source } from "../places/source.ts";
import { sameValue } from "../values/canonical.ts";
import { fieldsOf, isFields, listOf } from "../values/fields.ts";
import { spotAt, spotsIn } from "./field-spots.ts";
import type { Tree } from "./kustomization.ts";
import { wholeOf } from "./whole-file.ts";
import { filesByName, type Found, replaced } from "./written-in-kustomization.ts";

/**
 * The objects that kustomize built, each a text whose characters lead to where they were written.
 * @param fileAt a file by the path that kustomize says an object is from
 */
export function builtSources(output: string, tree: Tree, fileAt: (path: string) => Source | undefined): Source[] {
  const { file, folder, trusted } = tree.top;
  let patches: readonly Patch[] | undefined;
  return output.split(/^---\n/m).flatMap((document) => {
    if (document.trim() === "") return [];
    const { text, path } = withoutAnnotations(document);
    const base = path === undefined ? undefined : fileAt(path);
    let found: Origins | undefined;
    const origin: Origins = (offset) => (found ??= originsIn(text, base, tree, (patches ??= patchesOf(tree))))(offset);
    const source = { file: base?.file ?? file, folder, text, explicit: false, trusted, config: false };
    return [{ ...source, built: folder, origin }];
  });
}

type Origins = NonNullable<Source["origin"]>;

/** Those that anp has asked kustomize for; they are the last in their list. */
function withoutAnnotations(document: string): { readonly text: string; readonly path: string | undefined } {
  const [metadata = ""] = /^metadata:\n(?: .*\n)*/m.exec(document) ?? [];
  const path = /^ {4}config\.kubernetes\.io\/origin: \|\n {6}path: (.+)\n/m.exec(metadata)?.[1];
  const left = metadata
    .replace(
      /^ {4}(?:alpha\.config\.kubernetes\.io\/transformations|config\.kubernetes\.io\/origin): \|\n(?: {6}.*\n)*/gm,
      "",
    )
    .replace(/^ {2}annotations:\n(?! {4})/m, "");
  return { text: document.replace(metadata, () => left), path };
}

/** A patch, or one operation of it on a field. */
interface Patch {
  readonly resource: Pick<Resource, "document" | "base"> & { readonly value: unknown };
  /** With `from`: the value of the operation is that of this field. */
  readonly at: FieldPath;
  readonly from: FieldPath;
  /** Whether it is for an object. */
  readonly isFor: (kind: string, names: readonly string[]) => boolean;
}

type Candidate = Omit<Patch, "isFor">;

function originsIn(text: string, baseFile: Source | undefined, tree: Tree, patches: readonly Patch[]): Origins {
  const source: Source = { file: "", folder: "", text, explicit: false, trusted: false, config: false };
  const [object] = parseSources([source]).value;
  const fallback = { source: baseFile ?? tree.top, offset: 0 };
  if (object === undefined) return () => fallback;
  const { kind, name } = object;
  const base = baseFile === undefined ? undefined : baseOf(object, parseSources([baseFile]).value);
  const names = base === undefined ? [name] : [name, base.name];
  const candidates: readonly Candidate[] = [
    ...patches.filter(({ isFor }) => isFor(kind, names)),
    ...(base === undefined ? [] : [{ resource: base, at: [], from: [] }]),
  ];
  const spots = spotsIn(text);
  return (offset) => {
    const { path, part } = spotAt(spots, offset);
    let found: Found | undefined;
    for (let above = path; found === undefined && above.length > 0; above = above.slice(0, -1))
      found = whereIs(object.value, above, candidates, tree);
    if (found === undefined) return fallback;
    const { document, base: inside } = found.resource;
    return originOf(document.source, locateField({ document, base: inside }, found.path, part));
  };
}

/** The object of a base's file that became the built one: kustomize may have added to its name. */
function baseOf({ kind, name }: Resource, resources: readonly Resource[]): Resource | undefined {
  const ofKind = resources.filter((one) => one.kind === kind && name.includes(one.name));
  return ofKind.toSorted((a, b) => b.name.length - a.name.length)[0];
}

/** Where the value of a field was written last. What has no value of its own was begun in the base. */
function whereIs(built: unknown, path: FieldPath, candidates: readonly Candidate[], tree: Tree): Found | undefined {
  const value = valueAt(built, path);
  // A patch names the object that it is for.
  const isName = ["apiVersion", "kind"].includes(String(path[0])) || (path[0] === "metadata" && path[1] === "name");
  const firstBase = candidates.toReversed();
  const isSame = (one: unknown) => (isFields(value) ? isFields(one) : sameValue(one, value));
  const exact = placeIn(built, path, isName || isFields(value) ? firstBase : candidates, isSame);
  if (exact !== undefined) return exact;
  const isAny = (one: unknown) => (Array.isArray(value) ? Array.isArray(one) : one !== undefined);
  const replacing = isName || Array.isArray(value) || value === undefined ? undefined : replaced(tree, path, value);
  return replacing ?? placeIn(built, path, firstBase, isAny);
}

function placeIn(
  built: unknown,
  path: FieldPath,
  candidates: readonly Candidate[],
  isIt: (written: unknown) => boolean,
): Found | undefined {
  for (const { resource, at, from } of candidates) {
    const rest = restOf(path, at);
    const own = rest === undefined ? undefined : inOwnOrder(built, path, rest, resource.value, from);
    if (own !== undefined && isIt(valueAt(resource.value, own))) return { resource, path: own };
  }
  return undefined;
}

/** The part of a path below another one, in which `-` is any entry of a list. */
function restOf(path: FieldPath, at: FieldPath): FieldPath | undefined {
  const isBelow = at.every((part, index) => part === path[index] || (part === ANY && typeof path[index] === "number"));
  return isBelow && path.length >= at.length ? path.slice(at.length) : undefined;
}

const ANY = "-";

/**
 * The same path in a file, in whose lists entries may have other places; undefined if it is not there.
 * @param from how the path begins in the file, for as much of the built one as `rest` does not have
 */
function inOwnOrder(
  built: unknown,
  path: FieldPath,
  rest: FieldPath,
  written: unknown,
  from: FieldPath,
): FieldPath | undefined {
  const own = [...from];
  let parent = valueAt(written, from);
  for (const [index, part] of rest.entries()) {
    const item = valueAt(built, path.slice(0, path.length - rest.length + index + 1));
    const same = Array.isArray(parent) && !sameValue(parent[Number(part)], item) ? indexOf(parent, item) : -1;
    const next = same === -1 ? part : same;
    if (!(isFields(parent) || Array.isArray(parent)) || !Object.hasOwn(parent, next)) return undefined;
    own.push(next);
    parent = valueAt(parent, [next]);
  }
  return own;
}

function indexOf(list: readonly unknown[], item: unknown): number {
  return list.findIndex((one) => sameValue(one, item));
}

/** All patches, those that kustomize applies last first. */
function patchesOf({ kustomizations, files }: Tree): Patch[] {
  return kustomizations.flatMap(({ source, read: { value } }) => {
    const patch = (one: unknown, at: FieldPath): Patch[] => {
      const { path, patch: text, target } = fieldsOf(one);
      const file = typeof path === "string" ? filesByName(files, source, path) : undefined;
      if (file !== undefined) return patchesIn(file, target);
      return typeof text === "string" ? patchesIn(inlineSource(source, [...at, "patch"], text), target) : [];
    };
    const lists = ["patchesStrategicMerge", "patches", "patchesJson6902"].flatMap((name) =>
      listOf(value[name]).flatMap((one, index) => {
        if (typeof one !== "string") return patch(one, [name, index]);
        const file = filesByName(files, source, one);
        return patchesIn(file ?? inlineSource(source, [name, index], one), undefined);
      }),
    );
    return lists.toReversed();
  });
}

function patchesIn(source: Source, target: unknown): Patch[] {
  const { kind, name } = fieldsOf(target);
  const isTarget = (one: string, names: readonly string[]) =>
    (typeof kind !== "string" || kind === "" || matches(kind, one)) &&
    (typeof name !== "string" || name === "" || names.some((own) => matches(name, own)));
  const operations = operationsIn(source);
  if (operations !== undefined)
    return operations.value.toReversed().flatMap((operation, index) => {
      const { path } = fieldsOf(operation);
      if (typeof path !== "string") return [];
      const from = [operations.value.length - 1 - index, "value"];
      return [{ resource: operations, at: pointer(path), from, isFor: isTarget }];
    });
  return parseSources([source]).value.map((resource) => ({
    resource,
    at: [],
    from: [],
    isFor: (one: string, names: readonly string[]) =>
      target === undefined ? one === resource.kind && names.includes(resource.name) : isTarget(one, names),
  }));
}

/** Kustomize takes a regular expression; one with more than a plain name in it matches here whatever it says. */
function matches(pattern: string, name: string): boolean {
  return /^[\w.-]+$/.test(pattern) ? pattern === name : true;
}

/** The operations of a JSON patch; undefined if it is another one. */
function operationsIn(source: Source): (Omit<Patch["resource"], "value"> & { readonly value: unknown[] }) | undefined {
  const stream = new DocumentStream(source);
  const first = stream.next();
  if (first === undefined || first.document.errors.length > 0 || stream.tooDeepAt !== undefined) return undefined;
  const plain = plainValue(first.document.contents);
  if (!("value" in plain) || !Array.isArray(plain.value)) return undefined;
  return { document: wholeOf(source), base: [], value: plain.value };
}

function pointer(path: string): FieldPath {
  return path
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

/** A patch that is written in its kustomization. */
function inlineSource(kustomization: Source, path: FieldPath, text: string): Source {
  return scalarSource({ document: wholeOf(kustomization), base: [] }, path, text);
}
