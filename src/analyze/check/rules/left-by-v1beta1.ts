/** Rules: annotations and NodeClaims of Karpenter v1beta1 that later versions cannot use. */
import { KUBELET_ANNOTATION } from "../../../karpenter/conversion/convert-annotations.ts";
import { convertAsWebhook } from "../../../karpenter/conversion/convert-object.ts";
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { type FieldPath, quotedField, valueAt } from "../../../krm/places/field-path.ts";
import { describeResource, type Resource } from "../../../krm/places/resource.ts";
import { fieldsOf } from "../../../krm/values/fields.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";

const DEPRECATED = ["karpenter.sh/do-not-consolidate", "karpenter.sh/do-not-evict"];
const PLACES: readonly FieldPath[] = [
  ["spec", "template", "metadata", "annotations"],
  ["metadata", "annotations"],
];

/** Karpenter disrupts the nodes that these should protect (docs/upstream/karpenter.md#nodepools-of-v1beta1). */
export function annotationDeprecated({ pools }: ExplainedCluster): Finding[] {
  return pools.flatMap(({ wrapper }) =>
    PLACES.flatMap((at) =>
      DEPRECATED.filter((key) => valueAt(wrapper.value, [...at, key]) !== undefined).map((key) => {
        const message = `${describeResource(wrapper)}: Karpenter no longer reads the annotation ${key}`;
        const hint = "set karpenter.sh/do-not-disrupt in the template's annotations";
        return findingAt("annotation-deprecated", wrapper, [...at, key], { message, hint });
      }),
    ),
  );
}

/** Karpenter 1.0 used them instead of the class's settings (docs/upstream/karpenter.md#conversion-annotations). */
export function kubeletAnnotationLeft({ mode, pools }: ExplainedCluster): Finding[] {
  return pools.flatMap(({ wrapper, nodeClass }) => {
    const path = ["metadata", "annotations", KUBELET_ANNOTATION];
    const inAnnotation = settingsOf(valueAt(wrapper.value, path));
    if (mode === "hosted" || wrapper.value["apiVersion"] !== "karpenter.sh/v1" || nodeClass === undefined) return [];
    const ofClass = fieldsOf(valueAt(nodeClass.value, ["spec", "kubelet"]));
    const other = Object.keys(inAnnotation).filter(
      (field) => JSON.stringify(inAnnotation[field]) !== JSON.stringify(ofClass[field]),
    );
    if (other.length === 0) return [];
    const named = other.length > MOST_NAMED ? `${other.length} settings` : other.join(", ");
    const message = `${describeResource(wrapper)}: the kubelet settings in an annotation of the conversion from v1beta1 differ from those of ${describeResource(nodeClass)} (${named}): Karpenter 1.0 uses the annotation, and 1.1 and later the class`;
    const hint = "write the settings that are meant in the class, and remove the annotation";
    return [findingAt("kubelet-annotation-left", wrapper, path, { message, hint })];
  });
}

const MOST_NAMED = 3;

function settingsOf(text: unknown): Readonly<Record<string, unknown>> {
  try {
    return fieldsOf(JSON.parse(String(text)));
  } catch {
    return {};
  }
}

/** What the CRD of v1 requires, and that of v1beta1 does not (docs/upstream/karpenter.md#nodeclaims). */
const REQUIRED: readonly FieldPath[] = [
  ["spec", "nodeClassRef"],
  ["spec", "nodeClassRef", "group"],
  ["spec", "nodeClassRef", "kind"],
  ["spec", "nodeClassRef", "name"],
];

/** NodeClaims that were stored before, and that no webhook converted. */
export function claimsRefused(claims: readonly Resource[]): Finding[] {
  return claims.flatMap((claim) => {
    const converted = convertAsWebhook(claim.value, "v1");
    // anp migrate says why a conversion fails.
    if ("refusal" in converted) return [];
    const path = REQUIRED.find((one) => (valueAt(converted.value, one) ?? "") === "");
    if (path === undefined) return [];
    const message = `${describeResource(claim)}: ${quotedField(path)} is missing, which the CRD of v1 requires: the API server refuses each change of the NodeClaim, so Karpenter neither drains nor ends its node`;
    return [findingAt("node-claim-refused", claim, path, { message, hint: HOW_TO_END })];
  });
}

const HOW_TO_END =
  "drain the node and end its instance; remove the field from `required` in the CRD while you remove the finalizers of the NodeClaim and delete it";
