/** One document's value to Kubernetes objects: a single object, the items of a List, or those of a ResourceList. */
import { type Finding, findingInDocument, type Outcome } from "./finding.ts";
import type { FieldPath } from "./field-path.ts";
import { suspectKind } from "./known-kinds.ts";
import type { Resource, SourceDocument } from "./resource.ts";

/** Where a KRM host says an item came from (reference/conventions.md C1); the older name is read too. */
const PATH_ANNOTATIONS = ["internal.config.kubernetes.io/path", "config.kubernetes.io/path"];

type PlainObject = Readonly<Record<string, unknown>>;

export function unpackObjects(value: unknown, document: SourceDocument): Outcome<Resource[]> {
  const resources: Resource[] = [];
  const findings: Finding[] = [];
  unpack(value, [], document, resources, findings);
  return { value: resources, findings };
}

function unpack(
  value: unknown,
  base: FieldPath,
  document: SourceDocument,
  resources: Resource[],
  findings: Finding[],
): void {
  if (!isPlainObject(value)) {
    findings.push(notKrm(document, "is not a mapping, so it is no Kubernetes object"));
    return;
  }
  const { apiVersion, kind } = value;
  if (typeof apiVersion !== "string" || typeof kind !== "string" || apiVersion === "" || kind === "") {
    const suspicion = suspectKind(apiVersion, kind);
    if (suspicion === undefined)
      findings.push(notKrm(document, "has no apiVersion and kind, so it is no Kubernetes object"));
    // Skipping this in silence could lose a policy to a typo.
    else findings.push(findingInDocument("unknown-kind", document, contentStart(document), suspicion));
    return;
  }
  if (Array.isArray(value["items"]) && (kind === "List" || kind.endsWith("List"))) {
    value["items"].forEach((item: unknown, index) =>
      unpack(item, [...base, "items", index], document, resources, findings),
    );
    return;
  }
  const metadata: PlainObject = isPlainObject(value["metadata"]) ? value["metadata"] : {};
  const { name, namespace } = metadata;
  resources.push({
    apiVersion,
    kind,
    name: typeof name === "string" ? name : "",
    namespace: typeof namespace === "string" && namespace !== "" ? namespace : undefined,
    value,
    document,
    base,
    folder: folderFromAnnotations(metadata) ?? document.source.folder,
  });
}

function folderFromAnnotations(metadata: PlainObject): string | undefined {
  const { annotations } = metadata;
  if (!isPlainObject(annotations)) return undefined;
  const path = PATH_ANNOTATIONS.map((name) => annotations[name]).find((value) => typeof value === "string");
  if (path === undefined) return undefined;
  const slash = path.lastIndexOf("/");
  return slash === -1 ? "" : path.slice(0, slash);
}

function notKrm(document: SourceDocument, message: string): Finding {
  const code = document.source.explicit ? "not-krm" : "file-skipped";
  return findingInDocument(code, document, contentStart(document), { message });
}

/** The first character of a document that is neither white space, a comment nor a separator. */
function contentStart(document: SourceDocument): number {
  const text = document.source.text.slice(document.start, document.end);
  return document.start + (/^(?:\s+|#[^\n]*|---|%[^\n]*)*/.exec(text)?.[0].length ?? 0);
}

export function isPlainObject(value: unknown): value is PlainObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
