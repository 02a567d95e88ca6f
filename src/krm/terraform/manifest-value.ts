/** The manifest of a Terraform resource as the text that is applied. */
import type { Budget, Piece, Value } from "./values.ts";
import { yamlPieces } from "./write-value.ts";

/** The attribute of each resource that holds a manifest. */
const MANIFESTS: Readonly<Record<string, string>> = {
  "resource.kubectl_manifest": "yaml_body",
  "resource.kubernetes_manifest": "manifest",
  "resource.kubernetes_manifest_v1": "manifest",
  "resource.k8s_manifest": "content",
  "resource.local_file": "content",
  "data.kubectl_file_documents": "content",
};

/**
 * The attribute of a resource or data source that holds a manifest; undefined if it has none.
 * @param block `resource` or `data`
 */
export function manifestAttribute(block: string, type: string | undefined): string | undefined {
  const key = `${block}.${type}`;
  return Object.hasOwn(MANIFESTS, key) ? MANIFESTS[key] : undefined;
}

/** Undefined if nothing of it is known. */
export function manifestPieces(value: Value, budget: Budget): readonly Piece[] | undefined {
  const pieces = ((): readonly Piece[] | undefined => {
    switch (value.is) {
      case "text":
      case "decoded":
        return value.pieces;
      case "object":
        return yamlPieces(withoutNulls(value, budget), budget);
      default:
        return undefined;
    }
  })();
  const isEmpty = pieces?.every(({ isUnknown }) => isUnknown) === true;
  return isEmpty ? undefined : pieces;
}

/** The provider does not send them. */
function withoutNulls(value: Value, budget: Budget): Value {
  return budget.nested(1, () => {
    if (value.is === "list") return { ...value, items: value.items.map((item) => withoutNulls(item, budget)) };
    if (value.is !== "object") return value;
    const entries = [...value.entries]
      .filter(([, { value: one }]) => !(one.is === "plain" && one.value === null))
      .map(([key, entry]) => [key, { ...entry, value: withoutNulls(entry.value, budget) }] as const);
    return { ...value, entries: new Map(entries) };
  });
}
