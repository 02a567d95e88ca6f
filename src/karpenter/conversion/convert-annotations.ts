/** Reads, sets and removes the annotations that make Karpenter's conversion reversible. */
import { type Fields, fieldsOf, withChanges } from "../../krm/values/fields.ts";

export const KUBELET_ANNOTATION = "compatibility.karpenter.sh/v1beta1-kubelet-conversion";
export const NODE_CLASS_ANNOTATION = "compatibility.karpenter.sh/v1beta1-nodeclass-reference";
export const UBUNTU_ANNOTATION = "compatibility.karpenter.k8s.aws/v1beta1-ubuntu";
export const ALIAS_VERSION_ANNOTATION = "compatibility.karpenter.k8s.aws/v1-alias-version";
export const STORED_VERSION_ANNOTATION = "karpenter.sh/stored-version-migrated";

/** The key as shipped, and the misspelled key of the v1 API proposal. */
function spellingsOf(key: string): readonly [string, string] {
  return [key, key.replace(/^compatibility/, "compatability")];
}

function annotationsOf(object: Fields): Fields {
  return fieldsOf(fieldsOf(object["metadata"])["annotations"]);
}

/**
 * Undefined if both spellings are missing or empty; Karpenter treats the two cases alike.
 * docs/upstream/karpenter.md#conversion-annotations explains each key.
 */
export function annotationOf(object: Fields, key: string): string | undefined {
  const annotations = annotationsOf(object);
  const text = spellingsOf(key)
    .map((spelling) => annotations[spelling])
    .find((value) => typeof value === "string" && value !== "");
  return text as string | undefined;
}

/** Undefined values remove a key; an empty mapping is removed too. */
export function withAnnotations(object: Fields, changes: Readonly<Record<string, string | undefined>>): Fields {
  const before = annotationsOf(object);
  const annotations = withChanges(before, changes);
  if (Object.keys(annotations).length === 0 && Object.keys(before).length === 0) return object;
  const kept = Object.keys(annotations).length === 0 ? undefined : annotations;
  return withChanges(object, { metadata: withChanges(fieldsOf(object["metadata"]), { annotations: kept }) });
}

/** Both spellings of each key, as changes that remove them. */
export function without(...keys: readonly string[]): Record<string, undefined> {
  return Object.fromEntries(keys.flatMap(spellingsOf).map((key) => [key, undefined]));
}
