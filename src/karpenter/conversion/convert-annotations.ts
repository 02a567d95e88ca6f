/** The annotations by which Karpenter's conversion finds its way back, read, set and removed. */
import { type Fields, fieldsOf, withChanges } from "./plain-fields.ts";

export const KUBELET_ANNOTATION = "compatibility.karpenter.sh/v1beta1-kubelet-conversion";
export const NODE_CLASS_ANNOTATION = "compatibility.karpenter.sh/v1beta1-nodeclass-reference";
export const UBUNTU_ANNOTATION = "compatibility.karpenter.k8s.aws/v1beta1-ubuntu";
export const ALIAS_VERSION_ANNOTATION = "compatibility.karpenter.k8s.aws/v1-alias-version";
export const STORED_VERSION_ANNOTATION = "karpenter.sh/stored-version-migrated";

/** The key as shipped, and as the proposal of the v1 API spells it. */
function spellingsOf(key: string): readonly [string, string] {
  return [key, key.replace(/^compatibility/, "compatability")];
}

function annotationsOf(object: Fields): Fields {
  return fieldsOf(fieldsOf(object["metadata"])["annotations"]);
}

/**
 * Undefined or empty where neither spelling is there; Karpenter treats the two alike.
 * docs/upstream/karpenter.md#conversion-annotations tells what each key is for.
 */
export function annotationOf(object: Fields, key: string): string | undefined {
  const annotations = annotationsOf(object);
  const text = spellingsOf(key)
    .map((spelling) => annotations[spelling])
    .find((value) => typeof value === "string" && value !== "");
  return text as string | undefined;
}

/** Those that are undefined go; where none is left, so does the mapping. */
export function withAnnotations(object: Fields, changes: Readonly<Record<string, string | undefined>>): Fields {
  const before = annotationsOf(object);
  const annotations = withChanges(before, changes);
  if (Object.keys(annotations).length === 0 && Object.keys(before).length === 0) return object;
  const kept = Object.keys(annotations).length === 0 ? undefined : annotations;
  return withChanges(object, { metadata: withChanges(fieldsOf(object["metadata"]), { annotations: kept }) });
}

/** Both spellings of each key, to be removed. */
export function without(...keys: readonly string[]): Record<string, undefined> {
  return Object.fromEntries(keys.flatMap(spellingsOf).map((key) => [key, undefined]));
}
