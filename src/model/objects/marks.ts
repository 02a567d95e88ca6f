/** The label and annotation that mark an object as made by anp, of a named wrapper. */
import { valueAt } from "../../krm/places/field-path.ts";

/** The label of the mark; other tools write it with other values. */
export const MANAGED_BY = "app.kubernetes.io/managed-by";

/** The annotation that names the wrapper, as `Kind/name`. */
export const RENDERED_FROM = "anp.hypershift.openshift.io/rendered-from";

export function marks(kind: string, name: string) {
  return {
    labels: { [MANAGED_BY]: "anp" },
    annotations: { [RENDERED_FROM]: `${kind}/${name}` },
  };
}

/** The annotation of a rendered NodePool that users write, with the fingerprint of the policy's entries in it. */
export const POLICY_ENTRIES = "anp.hypershift.openshift.io/policy-entries";

export function recordIn(object: unknown): unknown {
  return valueAt(object, ["metadata", "annotations", POLICY_ENTRIES]);
}

/** The `Kind/name` that a marked object names. */
export function renderedFrom(object: unknown): string {
  return String(valueAt(object, ["metadata", "annotations", RENDERED_FROM]));
}

/** Only objects with both marks are ever removed. */
export function carriesMarks(object: unknown): boolean {
  return (
    valueAt(object, ["metadata", "labels", MANAGED_BY]) === "anp" &&
    typeof valueAt(object, ["metadata", "annotations", RENDERED_FROM]) === "string"
  );
}
