/** Finds the entry of a kustomization that wrote a field: a replacement, label or annotation. */
import type { FieldPath } from "../places/field-path.ts";
import type { Resource } from "../places/resource.ts";
import type { Source } from "../places/source.ts";
import { fieldsOf, isFields, listOf } from "../values/fields.ts";
import type { Tree } from "./kustomization.ts";
import { wholeOf } from "./whole-file.ts";

export interface Found {
  readonly resource: Pick<Resource, "document" | "base">;
  readonly path: FieldPath;
}

/** The replacements or labels of a kustomization wrote what no patch and no base has: the entry, if one names the field. */
export function replaced({ kustomizations, files }: Tree, path: FieldPath, value: unknown): Found | undefined {
  const all = kustomizations.flatMap(({ source, read }) =>
    WRITERS.flatMap((name) => (Object.hasOwn(read.value, name) ? [{ source, name, written: read.value[name] }] : [])),
  );
  for (const { source, name, written } of all) {
    const found = entryOf(written, name, path, value);
    if (found === undefined) continue;
    const file = typeof found === "string" ? filesByName(files, source, found) : undefined;
    if (file !== undefined) return { resource: { document: wholeOf(file), base: [] }, path: [] };
    const entry = typeof found === "string" ? [] : found;
    return { resource: { document: wholeOf(source), base: [] }, path: [name, ...entry] };
  }
  const [first] = all;
  return first && { resource: { document: wholeOf(first.source), base: [] }, path: [first.name] };
}

const WRITERS = ["replacements", "vars", "labels", "commonLabels", "commonAnnotations"];

/** Where an entry names a field; the path of its file if it stands there, which is not searched. */
function entryOf(written: unknown, name: string, path: FieldPath, value: unknown): FieldPath | string | undefined {
  const key = String(path.at(-1));
  const has = (pairs: unknown) => isFields(pairs) && Object.hasOwn(pairs, key) && pairs[key] === value;
  if (name.startsWith("common")) return has(written) ? [key] : undefined;
  const entries = listOf(written);
  if (name === "labels") {
    const at = entries.findIndex((entry) => has(fieldsOf(entry)["pairs"]));
    return at === -1 ? undefined : [at, "pairs", key];
  }
  for (const [at, entry] of entries.entries()) {
    const { path: file, targets } = fieldsOf(entry);
    if (typeof file === "string" && entries.length === 1) return file;
    for (const [index, target] of listOf(targets).entries()) {
      const fields = listOf(fieldsOf(target)["fieldPaths"]);
      const field = fields.findIndex((one) => typeof one === "string" && isField(one, path));
      if (field !== -1) return [at, "targets", index, "fieldPaths", field];
    }
  }
  return undefined;
}

/** Kustomize separates names by dots, except `\\.`; `*` and `[name=web]` are entries of a list. */
function isField(text: string, path: FieldPath): boolean {
  const names = text.replaceAll("\\.", "\0").split(".");
  const isSame = (name: string, part: string | number | undefined) =>
    name.replaceAll("\0", ".") === String(part) || (typeof part === "number" && /^(?:\*|-|\[.*\])$/.test(name));
  return names.length <= path.length && names.every((name, at) => isSame(name, path[at]));
}

/** A file that a kustomization takes. */
export function filesByName(files: Tree["files"], { folder }: Source, path: string): Source | undefined {
  return path.includes("\n") ? undefined : files.get(joined(folder, path))?.source;
}

function joined(folder: string, path: string): string {
  const parts = folder.split("/");
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}
