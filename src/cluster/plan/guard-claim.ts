/** Whose a live admission policy or binding with one of our names is. */
import { canonical } from "../../krm/canonical.ts";
import type { LiveObject } from "../api/live-object.ts";
import type { Claim } from "../inventory/claim.ts";
import type { FieldDifference } from "./compare-live.ts";
import { otherSetOf } from "../objects/membership.ts";

/**
 * The operator's (docs/upstream/hypershift.md#admission-policy). Whoever puts a weaker one of that name there does not
 * pass for it.
 */
const GUARD = {
  failurePolicy: "Fail",
  matchConditions: [
    { name: "exclude-hcco-user", expression: "'system:hosted-cluster-config' != request.userInfo.username" },
  ],
  matchConstraints: {
    matchPolicy: "Equivalent",
    namespaceSelector: {},
    objectSelector: {},
    resourceRules: [
      {
        apiGroups: ["karpenter.k8s.aws"],
        apiVersions: ["v1"],
        operations: ["*"],
        resources: ["ec2nodeclasses"],
        scope: "*",
      },
    ],
  },
};

const EXPRESSION = "has(oldObject.spec) && has(object.spec) && object.spec == oldObject.spec";
const NAME = "karpenter.ec2nodeclass.hypershift.io";
const BINDING = { policyName: NAME, validationActions: ["Deny"] };

/**
 * Of a guard that is wanted and that the inventory does not know. The names are reserved, so that it is taken back
 * whoever made it; HyperShift's operator and another watch keep theirs while they guard as well.
 *
 * @param differences to the wanted one
 */
export function claimOfGuard(live: LiveObject, differences: readonly FieldDifference[], setId: string): Claim {
  const guardsAsWell = !differences.some(({ field, how }) => field.startsWith("spec") && how !== "ownership");
  return otherSetOf(live, setId) !== undefined && guardsAsWell ? "foreign" : "restored";
}

/** Word for word. */
export function isOperatorsGuard({ kind, metadata, spec = {} }: LiveObject): boolean {
  if (kind === "ValidatingAdmissionPolicyBinding")
    return metadata.name === "karpenter-binding.ec2nodeclass.hypershift.io" && canonical(spec) === canonical(BINDING);
  if (kind !== "ValidatingAdmissionPolicy" || metadata.name !== NAME) return false;
  const { validations, ...rest } = spec;
  const expressions = Array.isArray(validations)
    ? (validations as readonly { expression?: unknown }[]).map(({ expression }) => expression)
    : [];
  return canonical(expressions) === canonical([EXPRESSION]) && canonical(rest) === canonical(GUARD);
}
