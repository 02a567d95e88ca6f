/** Whether anp owns a live admission policy or binding with a reserved name. */
import { canonical } from "../../krm/values/canonical.ts";
import type { LiveObject } from "../api/live-object.ts";
import type { Ownership } from "../inventory/ownership.ts";
import type { FieldDifference } from "./compare-live.ts";
import { otherSetOf } from "../objects/membership.ts";

/**
 * The operator's policy (docs/upstream/hypershift.md#admission-policy). A weaker policy with the same name must not be
 * taken for it.
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
 * For a desired guard that the inventory does not list. Its name is reserved, so anp takes it over. Guards of HyperShift's
 * operator and of another watch stay if they guard as well.
 *
 * @param differences from the desired guard
 */
export function ownershipOfGuard(live: LiveObject, differences: readonly FieldDifference[], setId: string): Ownership {
  const guardsAsWell = !differences.some(({ field, how }) => field.startsWith("spec") && how !== "ownership");
  return otherSetOf(live, setId) !== undefined && guardsAsWell ? "foreign" : "restored";
}

/** Compares the whole spec. */
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
