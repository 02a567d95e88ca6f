/** Extracts the Kubernetes objects of a document: a single one, or the items of a list. */
import { type Fields, isFields } from "../values/fields.ts";
import { type Finding, findingInDocument, type Outcome } from "../findings/finding.ts";
import { type FieldPath, formatFieldPath } from "../places/field-path.ts";
import { suspectKind } from "../findings/known-kinds.ts";
import { locateField } from "../places/locate.ts";
import type { Resource, SourceDocument } from "../places/resource.ts";
import { ofBrokenDocument } from "./secret-text.ts";

/**
 * The annotation with which a KRM host names an item's file (docs/upstream/hosts.md#places-of-items); the older name is
 * read too.
 */
const PATH_ANNOTATIONS = ["internal.config.kubernetes.io/path", "config.kubernetes.io/path"];

/** @param base where the value is in its document */
export function unpackObjects(value: unknown, document: SourceDocument, base: FieldPath = []): Outcome<Resource[]> {
  const resources: Resource[] = [];
  const findings: Finding[] = [];
  unpack(value, base, document, resources, findings);
  return { value: resources, findings };
}

/** A rule file of Prometheus counts as the object of its operator, whose `spec` has the same fields. */
const RULE_FILE = { apiVersion: "monitoring.coreos.com/v1", kind: "PrometheusRule" };

function unpack(
  value: unknown,
  base: FieldPath,
  document: SourceDocument,
  resources: Resource[],
  findings: Finding[],
): void {
  if (!isFields(value)) {
    findings.push(notKrm(document, base, "is not a mapping, so it is not a Kubernetes object"));
    return;
  }
  const { apiVersion, kind } = value;
  if (typeof apiVersion !== "string" || typeof kind !== "string" || apiVersion === "" || kind === "") {
    if (document.source.alertRules === true && Array.isArray(value["groups"])) {
      resources.push(resourceOf(value, RULE_FILE, base, document));
      return;
    }
    const suspicion = suspectKind(apiVersion, kind);
    if (suspicion === undefined)
      findings.push(notKrm(document, base, "has no apiVersion and kind, so it is not a Kubernetes object"));
    // Skipping this silently could lose a policy to a typo.
    else
      findings.push(findingInDocument("unknown-kind", ofBrokenDocument(document), placeOf(document, base), suspicion));
    return;
  }
  const items = itemsOf(apiVersion, kind, value);
  if (items === "missing") findings.push(notKrm(document, [...base, "items"], `is not a list, and a ${kind} has one`));
  else if (items !== undefined) {
    items.forEach((item, index) => unpack(item, [...base, "items", index], document, resources, findings));
  } else {
    resources.push(resourceOf(value, { apiVersion, kind }, base, document));
    for (const [index, item] of itemsBeside(apiVersion, kind, value))
      unpack(item, [...base, "items", index], document, resources, findings);
  }
}

/** The items of a list; `"missing"` if they are missing, and undefined if the value is not a list. */
function itemsOf(apiVersion: string, kind: string, value: Fields): readonly unknown[] | "missing" | undefined {
  const items = Object.hasOwn(value, "items") ? value["items"] : undefined;
  if (kind === "List" || kind === "ResourceList") {
    if (Array.isArray(items)) return items;
    // Go writes an empty list as null.
    return items === null ? [] : "missing";
  }
  // Other kinds may end in List too: an AllowList with a list of addresses is an object.
  if (!kind.endsWith("List") || !Array.isArray(items) || !items.every(isFields)) return undefined;
  // The API server leaves out fields that are the same for all items, and kubectl restores them in the same way.
  return items.map((item) => ({ apiVersion, kind: kind.slice(0, -"List".length), ...item }));
}

/**
 * The objects in `items` of an object that is not a list. kubectl applies those in place of the object, whatever its
 * kind (docs/upstream/hosts.md#files-and-lists-of-kubectl); other tools apply the object.
 */
function itemsBeside(apiVersion: string, kind: string, { items }: Fields): (readonly [number, Fields])[] {
  if (!Array.isArray(items) || !items.every(isFields)) return [];
  return items.flatMap((item: Fields, index) => {
    if (item["apiVersion"] === undefined && item["kind"] === undefined) return [[index, { apiVersion, kind, ...item }]];
    return isText(item["apiVersion"]) && isText(item["kind"]) ? [[index, item]] : [];
  });
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

function resourceOf(
  value: Fields,
  type: Pick<Resource, "apiVersion" | "kind">,
  base: FieldPath,
  document: SourceDocument,
): Resource {
  const metadata: Fields = isFields(value["metadata"]) ? value["metadata"] : {};
  const { name, namespace } = metadata;
  const { folder } = document.source;
  return {
    ...type,
    name: typeof name === "string" ? name : "",
    namespace: typeof namespace === "string" && namespace !== "" ? namespace : undefined,
    value,
    document,
    base,
    // Only a stream has no folder of its own: the author of a file must not choose the cluster that it counts for.
    folder: folder === "" ? (folderFromAnnotations(metadata) ?? "") : folder,
  };
}

/** Hosts write the path from the root of the package: on disk it would name an unrelated folder. */
function folderFromAnnotations(metadata: Fields): string | undefined {
  const { annotations } = metadata;
  if (!isFields(annotations)) return undefined;
  const path = PATH_ANNOTATIONS.map((name) => annotations[name]).find((value) => typeof value === "string");
  if (path === undefined) return undefined;
  const slash = path.lastIndexOf("/");
  return slash === -1
    ? ""
    : path
        .slice(0, slash)
        .replace(/^(?:\.?\/+)+/, "")
        .replace(/^\.?$/, "");
}

/** The first line of every pointer: https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md. */
const LFS_POINTER = "version https://git-lfs.github.com/spec/";

/** A file of a directory may belong to another tool; a List without items is an error. */
function notKrm(document: SourceDocument, path: FieldPath, why: string): Finding {
  const { explicit, ofPolicyDir = false, text } = document.source;
  const code = explicit || ofPolicyDir || path.length > 0 ? "not-krm" : "file-skipped";
  const words = text.startsWith(LFS_POINTER)
    ? { message: "is a pointer of Git LFS in place of the file", hint: "git lfs pull fetches the file" }
    : { message: path.length > 0 ? `${formatFieldPath(path)} ${why}` : why };
  return findingInDocument(code, ofBrokenDocument(document), placeOf(document, path), words);
}

function placeOf(document: SourceDocument, path: FieldPath): number {
  return path.length > 0 ? locateField({ document, base: [] }, path) : contentStart(document);
}

/** The first character of a document that is not white space, a comment or a separator. */
function contentStart({ source, start, end }: SourceDocument): number {
  const content = /(?:\s+|#[^\n]*|---|%[^\n]*)/y;
  content.lastIndex = start;
  let at = start;
  while (at < end && content.test(source.text)) at = content.lastIndex;
  return Math.min(at, end);
}
