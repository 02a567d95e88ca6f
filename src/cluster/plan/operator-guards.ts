/** The admission policy and binding that HyperShift's operator installs for node classes: a live object in, whether it is one of them, word for word, out. */
import { canonical } from "../../analyze/compare-canonical.ts";
import type { LiveObject } from "../api/live-object.ts";

/** hypershift.md 3.1. Whoever puts a weaker one of that name there does not pass for the operator. */
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
