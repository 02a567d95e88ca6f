/** The pods that Karpenter ignores, and why. */
import { expect, it } from "vitest";
import { WELL_KNOWN_LABELS } from "../../model/requirements/labels.ts";
import { refusalOf } from "./refusal.ts";
import { isIn, podObject, podsOf } from "../../../test/support/pod-input.ts";

const requiring = (...terms: readonly object[]) => ({
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } } },
});
const expressions = (...matchExpressions: readonly object[]) => requiring({ matchExpressions });
const owned = (kind: string) => ({
  metadata: {
    name: "a",
    ownerReferences: [
      { kind: "ReplicaSet", name: "r" },
      { kind, name: "o" },
    ],
  },
});
const restricted = (key: string, field: string): string =>
  `using label ${key} is not allowed as it might interfere with the internal provisioning logic (${field}, pods.yaml:1)`;

it.each<[spec: object, kind: object, why: string | undefined]>([
  [{}, {}, undefined],
  [{}, { status: { phase: "Pending" } }, undefined],
  [{}, { status: { phase: "Succeeded" } }, "it has ended (status.phase Succeeded)"],
  [{}, owned("ReplicaSet"), undefined],
  [{}, owned("DaemonSet"), "it belongs to DaemonSet o, and Karpenter starts no node for such pods"],
  [{}, owned("Node"), "it belongs to Node o, and Karpenter starts no node for such pods"],
  [
    { resourceClaims: [{ name: "g" }] },
    {},
    "pod has Dynamic Resource Allocation requirements that are not yet supported by Karpenter (pods.yaml:1)",
  ],
  [
    { containers: [{ resources: { claims: [{ name: "g" }] } }] },
    {},
    "pod has Dynamic Resource Allocation requirements that are not yet supported by Karpenter (pods.yaml:1)",
  ],
  [
    expressions({ key: "karpenter.sh/nodepool", operator: "DoesNotExist" }),
    {},
    "configured to not run on a Karpenter provisioned node: karpenter.sh/nodepool DoesNotExist (pods.yaml:1)",
  ],
  [expressions({ key: "karpenter.sh/nodepool", operator: "Exists" }), {}, undefined],
  [
    requiring({ matchExpressions: [isIn("a", "b")] }, { matchFields: [{}] }),
    {},
    "node selector term with matchFields is not supported (pods.yaml:1)",
  ],
  [{ nodeSelector: { "kubernetes.io/hostname": "n" } }, {}, restricted("kubernetes.io/hostname", "nodeSelector")],
  [
    { nodeSelector: { "karpenter.k8s.aws/ec2nodeclass": "default" } },
    {},
    restricted("karpenter.k8s.aws/ec2nodeclass", "nodeSelector"),
  ],
  [{ nodeSelector: { "karpenter.k8s.aws/instance-cpu": "4" } }, {}, undefined],
  [{ nodeSelector: { "notkarpenter.sh/x": "y" } }, {}, undefined],
  [
    requiring({ matchExpressions: [isIn("a", "b")] }, { matchExpressions: [isIn("my.karpenter.sh/x", "b")] }),
    {},
    restricted("my.karpenter.sh/x", "node affinity"),
  ],
  [
    expressions({ key: "a", operator: "Gt", values: ["-1"] }),
    {},
    "key a with operator Gt must have a single positive integer value (node affinity, pods.yaml:1)",
  ],
  [
    expressions({ key: "a", operator: "Lt", values: ["9223372036854775808"] }),
    {},
    "key a with operator Lt must have a single positive integer value (node affinity, pods.yaml:1)",
  ],
  [expressions({ key: "a", operator: "Lt", values: ["9223372036854775807"] }), {}, undefined],
  [
    { nodeSelector: { "karpenter.sh/capacity-type": "sport" } },
    {},
    "no valid values found in [sport] for karpenter.sh/capacity-type, expected one of: on-demand, reserved, spot (nodeSelector, pods.yaml:1)",
  ],
  [expressions(isIn("karpenter.sh/capacity-type", "sport", "spot")), {}, undefined],
  [expressions({ key: "karpenter.sh/capacity-type", operator: "NotIn", values: ["sport"] }), {}, undefined],
])("%j %j: %s", (spec, kind, why) => {
  const [pod] = podsOf(podObject("a", spec, kind));
  expect(refusalOf(pod!, WELL_KNOWN_LABELS)).toBe(why);
});
