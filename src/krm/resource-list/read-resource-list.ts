/** Reads the standard input of a KRM function: items and functionConfig as objects with places. */
import { type Document, isMap, isSeq, type Node } from "yaml";
import { describeProblem, describeRefusal, findControlCharacter } from "../parse/describe-problem.ts";
import { DocumentStream } from "../parse/document-stream.ts";
import { type Finding, findingInFile, findingOnInput, type Outcome } from "../findings/finding.ts";
import { isTooLong, packagePaths, packagePlaceOf, PATH_MAX } from "./package-item.ts";
import { readPlainStyle } from "../yaml/plain-style.ts";
import { plainValue, TOO_DEEP } from "../parse/plain-value.ts";
import { layoutOf, plainLayoutOf, type ResourceListLayout } from "./resource-list-layout.ts";
import type { Resource, SourceDocument } from "../places/resource.ts";
import type { Source } from "../places/source.ts";
import { unpackObjects } from "../parse/unpack.ts";

export interface ResourceList {
  readonly text: string;
  /** Undefined if the text is in plain style, which needs no tree. */
  readonly document: Document.Parsed | undefined;
  /** Undefined if the list cannot be divided by lines, as in JSON. */
  readonly layout: ResourceListLayout | undefined;
  /** The whole list as plain data; undefined if an error among the findings says that it cannot be read. */
  readonly value: Readonly<Record<string, unknown>> | undefined;
  readonly items: readonly unknown[];
  /** Including those of Lists among the items. */
  readonly resources: readonly Resource[];
  readonly functionConfig: Resource | undefined;
}

/** How findings name the functionConfig; anp does not know its file. */
export const FUNCTION_CONFIG = "functionConfig";

/** Undefined if the text is not a ResourceList: then there is nothing to return to the host. */
export function readResourceList(source: Source): Outcome<ResourceList | undefined> {
  const plain = plainList(source);
  if (plain !== undefined) return listOf(plain, source);
  const { value: document, findings } = onlyDocument(source);
  if (document === undefined) return { value: undefined, findings };
  const { contents } = document;
  if (!isResourceList(contents)) return { value: undefined, findings: [notAResourceList(source)] };
  const layout = layoutOf(source.text, document);
  const read = plainValue(contents);
  if ("refusal" in read) {
    const file = fileAt(contents, read.refusal.offset) ?? source.file;
    const list = { ...NOTHING, text: source.text, document, layout };
    return { value: list, findings: [inFile(describeRefusal(read.refusal, wholeOf(source)), file)] };
  }
  return listOf({ value: read.value as Readonly<Record<string, unknown>>, document, layout }, source);
}

type Parts = Pick<ResourceList, "document" | "layout"> & { readonly value: Readonly<Record<string, unknown>> };

const NOTHING = { value: undefined, items: [], resources: [], functionConfig: undefined };

/** The library's tree takes most of the time of a long list; a text in plain style needs none. */
function plainList(source: Source): Parts | undefined {
  const [only, ...others] = readPlainStyle(source.text) ?? [];
  if (only === undefined || others.length > 0 || findControlCharacter(wholeOf(source)) !== undefined) return undefined;
  const value = only.value as Readonly<Record<string, unknown>> | null;
  if (!isResourceListHead(value?.["apiVersion"], value?.["kind"])) return undefined;
  const layout = plainLayoutOf(source.text, value!);
  return layout && { value: value!, document: undefined, layout };
}

function listOf({ value, document, layout }: Parts, source: Source): Outcome<ResourceList> {
  const list = { ...NOTHING, text: source.text, document, layout };
  const items = value["items"] ?? [];
  if (!Array.isArray(items)) {
    const message = "`items` of the ResourceList is not a list";
    return { value: list, findings: [findingInFile("not-krm", source.file, { message })] };
  }
  const unpacked = unpackItems(items, source);
  const config = functionConfigOf(value, source);
  const doubted = document === undefined ? [] : doubts(document, unpacked.value, source);
  return {
    value: { ...list, value, items, resources: unpacked.value, functionConfig: config.value },
    findings: [...doubted, ...unpacked.findings, ...config.findings],
  };
}

/** The only document of the source with content. */
function onlyDocument(source: Source): Outcome<Document.Parsed | undefined> {
  const stream = new DocumentStream(source);
  const found: Document.Parsed[] = [];
  for (let next = stream.next(); next !== undefined; next = stream.next()) {
    const { document, place } = next;
    const [problem] = document.errors;
    const finding =
      findControlCharacter(place) ?? (problem === undefined ? undefined : describeProblem(problem, document, place));
    if (finding !== undefined) return { value: undefined, findings: [finding] };
    if (document.contents !== null && !isEmpty(document.contents)) found.push(document);
  }
  if (stream.tooDeepAt !== undefined) {
    const refusal = { code: "input-limit", offset: stream.tooDeepAt, words: TOO_DEEP } as const;
    return { value: undefined, findings: [describeRefusal(refusal, stream.rest())] };
  }
  const [document, ...others] = found;
  if (document !== undefined && others.length === 0) return { value: document, findings: [] };
  return { value: undefined, findings: [notAResourceList(source)] };
}

function isEmpty(contents: Node): boolean {
  return contents.range?.[0] === contents.range?.[1];
}

function isResourceList(contents: Node | null): boolean {
  return isMap(contents) && isResourceListHead(contents.get("apiVersion"), contents.get("kind"));
}

function isResourceListHead(apiVersion: unknown, kind: unknown): boolean {
  return typeof apiVersion === "string" && apiVersion.startsWith("config.kubernetes.io/") && kind === "ResourceList";
}

function notAResourceList(source: Source): Finding {
  const message = "is not a ResourceList, which is what a KRM function gets on its standard input";
  const hint = "anp render reads manifests; kpt and kustomize start anp fn";
  return findingInFile("not-krm", source.file, { message, hint });
}

/** The user knows the host's files, not the lines of the stream. */
function unpackItems(items: readonly unknown[], source: Source): Outcome<Resource[]> {
  const paths = packagePaths(items);
  const findings: Finding[] = [];
  const value = items.flatMap((item, index) => {
    const kept = packagePlaceOf(item);
    if (kept !== undefined && isTooLong(kept)) {
      const message = `items[${index}] has a path of more than ${PATH_MAX} bytes, which no file system takes`;
      findings.push(findingInFile("input-limit", source.file, { message, hint: "correct the annotation of its path" }));
      return [];
    }
    const path = paths[index];
    const file = path ?? kept?.path ?? source.file;
    // A host reads a folder as anp does: files of other tools are among its items.
    const place: Source = { ...source, file, explicit: false, withoutLines: true };
    const unpacked = unpackObjects(item, { source: place, start: 0, end: 0, secret: false });
    for (const finding of unpacked.findings) findings.push(inFile(finding, file));
    const folder = path?.slice(0, Math.max(0, path.lastIndexOf("/"))) ?? "";
    return unpacked.value.map((resource) => ({ ...resource, base: ["items", index, ...resource.base], folder }));
  });
  return { value, findings };
}

/** An unknown tag may change what an object means; files of other tools often have them. */
function doubts(document: Document.Parsed, resources: readonly Resource[], source: Source): Finding[] {
  const objects = new Set(resources.map(({ base }) => Number(base[1])));
  const doubt = document.warnings.find(({ pos }) => {
    const item = itemAt(document.contents, pos[0]);
    return item === undefined || objects.has(item.index);
  });
  if (doubt === undefined) return [];
  const file = fileAt(document.contents, doubt.pos[0]) ?? source.file;
  return [inFile(describeProblem(doubt, document, wholeOf(source)), file)];
}

function itemAt(contents: Node | null, offset: number): { readonly index: number; readonly node: Node } | undefined {
  const items = isMap(contents) ? contents.get("items") : undefined;
  const nodes = isSeq(items) ? (items.items as Node[]) : [];
  // Tags and anchors come before the node that they belong to.
  const index = nodes.findIndex(({ range }) => range && offset <= range[2]);
  const node = nodes[index];
  return node === undefined || offset < ((items as Node).range?.[0] ?? 0) ? undefined : { index, node };
}

/** The file of the item at an offset of the text. */
function fileAt(contents: Node | null, offset: number | undefined): string | undefined {
  const item = offset === undefined ? undefined : itemAt(contents, offset)?.node;
  const annotations = isMap(item) ? item.getIn(["metadata", "annotations"]) : undefined;
  return isMap(annotations)
    ? packagePlaceOf({ metadata: { annotations: annotations.toJSON() as unknown } })?.path
    : undefined;
}

function wholeOf(source: Source): SourceDocument {
  return { source, start: 0, end: source.text.length, secret: false };
}

function inFile({ code, severity, message, hint }: Finding, file: string): Finding {
  return { code, severity, message, file, ...(hint === undefined ? {} : { hint }) };
}

function functionConfigOf(list: Readonly<Record<string, unknown>>, source: Source): Outcome<Resource | undefined> {
  const value = list["functionConfig"] ?? undefined;
  if (value === undefined) return { value: undefined, findings: [] };
  if (typeof value !== "object" || Array.isArray(value)) {
    const message = "the functionConfig is not a Kubernetes object";
    return { value: undefined, findings: [findingOnInput("function-config-invalid", { message })] };
  }
  const object = value as { apiVersion?: unknown; kind?: unknown; metadata?: { name?: unknown; namespace?: unknown } };
  const text = (field: unknown): string => (typeof field === "string" ? field : "");
  const file = packagePlaceOf(value)?.path ?? FUNCTION_CONFIG;
  const place: Source = { ...source, file, withoutLines: true, config: true };
  const resource: Resource = {
    apiVersion: text(object.apiVersion),
    kind: text(object.kind),
    name: text(object.metadata?.name),
    namespace: text(object.metadata?.namespace) || undefined,
    value: value as Readonly<Record<string, unknown>>,
    document: { source: place, start: 0, end: 0, secret: false },
    base: [FUNCTION_CONFIG],
    folder: "",
  };
  return { value: resource, findings: [] };
}
