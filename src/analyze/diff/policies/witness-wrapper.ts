/** The manifest of a wrapper with the requirements of a witness. */
import { labelPresence } from "../../../karpenter/requirements/label-presence.ts";
import { HYPERSHIFT_KARPENTER_GROUP } from "../../../krm/known-kinds.ts";
import type { NodeSelectorRequirement } from "../../../model/requirement.ts";
import type { Asked } from "./policy-terms.ts";

/** Can be pasted as it is. It has only the fields that the enhancement requires of an OpenshiftNodePool. */
export function witnessWrapper(asked: readonly Asked[]): Record<string, unknown> {
  const [ofTemplate, ofTypes] = [asked.filter(isTemplateLabel), asked.filter((one) => !isTemplateLabel(one))];
  const labels = Object.fromEntries(ofTemplate.map(({ key, values }) => [key, values[0]]));
  const requirements = ofTypes.map(({ key, values }): NodeSelectorRequirement =>
    values.length === 0 ? { key, operator: "DoesNotExist" } : { key, operator: "In", values: [...values] },
  );
  return {
    apiVersion: `${HYPERSHIFT_KARPENTER_GROUP}/v1beta1`,
    kind: "OpenshiftNodePool",
    metadata: { name: "witness" },
    spec: {
      template: { ...(ofTemplate.length === 0 ? {} : { metadata: { labels } }), spec: { requirements } },
    },
  };
}

/** No instance type has a custom label, so the template has to set it. */
function isTemplateLabel({ key, values }: Asked): boolean {
  return values.length > 0 && labelPresence(key) === "custom";
}
