/** Why a pool takes a pod or does not: taints, labels, resources, ports and limits. */
import { describe, expect, it } from "vitest";
import {
  affinity,
  ARCH,
  asking,
  daemonSetObject,
  FAMILY,
  isIn,
  place,
  podObject,
  policyOf,
  poolOf,
  requiring,
  selecting,
  tainted,
  TYPE,
} from "../../../test/support/pod-input.ts";

const ZONE = "topology.kubernetes.io/zone";
const GPUS = "karpenter.k8s.aws/instance-gpu-count";
const TIER = "example.com/tier";

/** `pool: type, type`, or why the only pool does not take it. */
function outcome(template: object, spec: object, ...others: readonly object[]): string {
  const [pod] = place([poolOf("only", template)], podObject("a", spec), ...others);
  const { takenBy, instanceTypes, attempts } = pod!;
  return takenBy === null ? `${attempts[0]!.reason!}: ${attempts[0]!.sentence}` : instanceTypes.join(" ");
}

const ALL = "c5.4xlarge c5.large g5.xlarge m5.4xlarge m5.large m7g.xlarge r5.2xlarge";

describe("taints", () => {
  it.each<[template: object, tolerations: readonly object[], outcome: string]>([
    [{}, [], ALL],
    [tainted("NoSchedule", "db"), [{ key: "dedicated", value: "db" }], ALL],
    [tainted("NoSchedule", "db"), [], "taint: did not tolerate taint dedicated=db:NoSchedule (pools.yaml:1)"],
    [tainted("NoExecute"), [], "taint: did not tolerate taint dedicated:NoExecute (pools.yaml:1)"],
    [tainted("NoExecute"), [{ operator: "Exists" }], ALL],
    [
      tainted("NoSchedule", "db"),
      [{ key: "dedicated", value: "web" }],
      "taint: did not tolerate taint dedicated=db:NoSchedule (pools.yaml:1); its toleration at pods.yaml:1 is for dedicated=web",
    ],
    [
      tainted("NoSchedule"),
      [{ key: "dedicate", operator: "Exists", effect: "NoExecute" }],
      "taint: did not tolerate taint dedicated:NoSchedule (pools.yaml:1); its toleration at pods.yaml:1 is for dedicate:NoExecute",
    ],
    [{ startupTaints: [{ key: "cni", effect: "NoExecute" }] }, [], ALL],
    [tainted("PreferNoSchedule"), [], ALL],
  ])("%j with %j: %s", (template, tolerations, expected) => {
    expect(outcome(template, { tolerations })).toBe(expected);
  });
});

describe("labels", () => {
  const M5 = requiring(isIn(FAMILY, "m5"), isIn(TIER, "gold", "silver"));
  const asked = "nodeSelector (pods.yaml:1)";

  it.each<[template: object, spec: object, outcome: string]>([
    [M5, selecting(FAMILY, "m5"), "m5.4xlarge m5.large"],
    [M5, selecting("beta.kubernetes.io/instance-type", "m5.large"), "m5.large"],
    [M5, selecting(ZONE, "eu-west-1a"), "m5.4xlarge m5.large"],
    [M5, selecting(TIER, "gold"), "m5.4xlarge m5.large"],
    [M5, selecting("karpenter.sh/nodepool", "only"), "m5.4xlarge m5.large"],
    [M5, affinity([{ key: "karpenter.k8s.aws/instance-cpu", operator: "Gt", values: ["4"] }]), "m5.4xlarge"],
    [
      M5,
      affinity([{ key: GPUS, operator: "Exists" }]),
      `instance-types: no instance type has ${FAMILY} In [m5] (pool, pools.yaml:1) and ${GPUS} Exists (node affinity, pods.yaml:1) together`,
    ],
    [M5, affinity([{ key: "example.com/team", operator: "DoesNotExist" }]), "m5.4xlarge m5.large"],
    [
      M5,
      selecting("karpenter.sh/nodepool", "onyl"),
      `requirements: incompatible requirements, key karpenter.sh/nodepool, karpenter.sh/nodepool In [onyl] not in karpenter.sh/nodepool In [only]: ${asked} against a label that Karpenter sets on every node of the pool; did you mean only?`,
    ],
    [
      M5,
      selecting(FAMILY, "c5"),
      `requirements: incompatible requirements, key ${FAMILY}, ${FAMILY} In [c5] not in ${FAMILY} In [m5]: ${asked} against pool (pools.yaml:1)`,
    ],
    [
      M5,
      selecting(TIER, "bronze"),
      `requirements: incompatible requirements, key ${TIER}, ${TIER} In [bronze] not in ${TIER} In [gold silver]: ${asked} against pool (pools.yaml:1)`,
    ],
    [
      M5,
      selecting("team", "a"),
      `requirements: incompatible requirements, label "team" does not have known values: ${asked} asks for it, and the pool does not set it on its nodes`,
    ],
    [
      M5,
      selecting("example.com/teir", "gold"),
      `requirements: incompatible requirements, label "example.com/teir" does not have known values: ${asked} asks for it, and the pool does not set it on its nodes; did you mean ${TIER}?`,
    ],
    [
      M5,
      selecting("kubernetes.io/zone", "a"),
      `requirements: incompatible requirements, label "kubernetes.io/zone" does not have known values (typo of "${ZONE}"?): ${asked} asks for it, and the pool does not set it on its nodes`,
    ],
    [
      M5,
      affinity([{ key: TIER, operator: "DoesNotExist" }]),
      `requirements: incompatible requirements, key ${TIER}, ${TIER} DoesNotExist not in ${TIER} In [gold silver]: node affinity (pods.yaml:1) against pool (pools.yaml:1)`,
    ],
    [
      {},
      selecting(TYPE, "m5.lagre"),
      `instance-types: no instance type has ${TYPE} In [m5.lagre] (nodeSelector, pods.yaml:1); did you mean m5.large?`,
    ],
    [
      {},
      selecting(ZONE, "eu-west-1c"),
      `instance-types: no instance type has ${ZONE} In [eu-west-1c] (nodeSelector, pods.yaml:1); did you mean eu-west-1a?`,
    ],
    [
      {},
      { nodeSelector: { [ARCH]: "arm64", [FAMILY]: "m5", [ZONE]: "eu-west-1a" } },
      `instance-types: no instance type has ${ARCH} In [arm64] (nodeSelector, pods.yaml:1) and ${FAMILY} In [m5] (nodeSelector, pods.yaml:1) together`,
    ],
  ])("%j %j: %s", (template, spec, expected) => {
    expect(outcome(template, spec)).toBe(expected);
  });

  it("names policy and pool, and knows node labels", () => {
    const pool = poolOf("only", requiring(isIn(ARCH, "amd64")), {}, { [TIER]: "gold" });
    const [labelled, arm] = place(
      [policyOf(isIn(ARCH, "amd64", "arm64")), pool],
      podObject("a", selecting(TIER, "gold")),
      podObject("b", selecting(ARCH, "arm64")),
    );
    expect(labelled!.takenBy).toBe("only");
    expect(arm!.attempts[0]!.sentence).toBe(
      `incompatible requirements, key ${ARCH}, ${ARCH} In [arm64] not in ${ARCH} In [amd64]: nodeSelector (pods.yaml:3) against policy (pools.yaml:1) and pool (pools.yaml:3)`,
    );
  });
});

describe("resources", () => {
  const M5 = requiring(isIn(FAMILY, "m5"));

  it.each<[template: object, requests: Record<string, string>, outcome: string]>([
    [{}, { cpu: "16" }, "c5.4xlarge m5.4xlarge"],
    [{}, { cpu: "8", memory: "64Gi" }, "m5.4xlarge r5.2xlarge"],
    [{}, { "nvidia.com/gpu": "1" }, "g5.xlarge"],
    [{}, { "ephemeral-storage": "500Gi" }, ALL],
    [M5, { cpu: "40" }, "resources: asks for 40 CPUs; the largest type left (m5.4xlarge) has 16"],
    [
      M5,
      { cpu: "40", memory: "1Ti" },
      "resources: asks for 40 CPUs; the largest type left (m5.4xlarge) has 16; asks for 1Ti of memory; the largest type left (m5.4xlarge) has 64Gi",
    ],
    [
      M5,
      { cpu: "2M" },
      "resources: asks for 2000000 CPUs; the largest type left (m5.4xlarge) has 16 (CPU request >= 1 Million, m vs M typo?)",
    ],
    [M5, { "nvidia.com/gpu": "1" }, "resources: asks for 1 nvidia.com/gpu; none of the 2 instance types left has any"],
    [
      M5,
      { "nvidia.com/gpus": "1" },
      "resources: asks for 1 nvidia.com/gpus; none of the 2 instance types left has any; did you mean nvidia.com/gpu?",
    ],
    [
      requiring(isIn(TYPE, "m5.large")),
      { gpu: "1" },
      "resources: asks for 1 gpu; the only type left (m5.large) has none; did you mean nvidia.com/gpu?",
    ],
    [
      {},
      { cpu: "8", "nvidia.com/gpu": "1" },
      "resources: asks for 8 CPUs and 1 nvidia.com/gpu; none of the 7 instance types left has that much of each: with enough of the rest, g5.xlarge has the most, 4",
    ],
  ])("%j %j: %s", (template, requests, expected) => {
    expect(outcome(template, asking(requests))).toBe(expected);
  });

  it("subtracts what DaemonSets use on their nodes", () => {
    const everywhere = daemonSetObject("agent", asking({ cpu: "1" }));
    const onArm = daemonSetObject("arm-agent", { ...asking({ cpu: "3" }), ...selecting(ARCH, "arm64") });
    const intolerant = [poolOf("only", { ...M5, ...tainted("NoSchedule") })];
    expect(outcome({}, asking({ cpu: "2" }), everywhere)).toBe("c5.4xlarge g5.xlarge m5.4xlarge m7g.xlarge r5.2xlarge");
    expect(outcome({}, asking({ cpu: "2" }), onArm)).toBe(
      "c5.4xlarge c5.large g5.xlarge m5.4xlarge m5.large r5.2xlarge",
    );
    expect(outcome(M5, asking({ cpu: "16" }), everywhere)).toBe(
      "resources: asks for 16 CPUs; the largest type left (m5.4xlarge) has 16, of which DaemonSets take 1",
    );
    const tolerating = { ...asking({ cpu: "16" }), tolerations: [{ operator: "Exists" }] };
    expect(place(intolerant, podObject("a", tolerating), everywhere)[0]!.instanceTypes).toStrictEqual(["m5.4xlarge"]);
  });

  it("starts no node for a DaemonSet", () => {
    expect(place([poolOf("only")], daemonSetObject("agent"))).toStrictEqual([]);
  });

  it("excludes the ports that DaemonSets use", () => {
    const port = (ports: object, more: object = {}) => ({ containers: [{ ports: [ports] }], ...more });
    const exporter = daemonSetObject(
      "exporter",
      port({ containerPort: 9100 }, { hostNetwork: true, ...selecting(ARCH, "amd64") }),
    );
    expect(outcome({}, port({ hostPort: 9100 }), exporter)).toBe("m7g.xlarge");
    expect(outcome({}, port({ hostPort: 9100, protocol: "UDP" }), exporter)).toBe(ALL);
    expect(outcome(M5, port({ hostPort: 9100, hostIP: "10.0.0.1" }), exporter)).toBe(
      "host-port: host port 9100/TCP is taken by DaemonSet exporter on every node it could get",
    );
  });
});

describe("pools", () => {
  it.each<[template: object, more: object, spec: object, outcome: string]>([
    [requiring(isIn(TYPE, "x9.large")), {}, {}, "no-nodes: the pool gets no nodes at all"],
    [requiring({ ...isIn(FAMILY, "x9", "m5"), minValues: 2 }), {}, {}, "no-nodes: the pool gets no nodes at all"],
    [requiring({ ...isIn(FAMILY, "c5", "m5"), minValues: 2 }), {}, {}, "c5.4xlarge c5.large m5.4xlarge m5.large"],
    [
      requiring({ ...isIn(FAMILY, "c5", "m5"), minValues: 2 }),
      {},
      asking({ memory: "40Gi" }),
      `min-values: minValues requirement is not met: with what the pod asks for there are 1 of at least 2 values of ${FAMILY} (pools.yaml:1)`,
    ],
    [{}, { limits: { nodes: 0 } }, {}, "limits: its limits allow no node: nodes 0 (pools.yaml:1)"],
    [
      {},
      { limits: { cpu: "1", nodes: 5 } },
      {},
      "limits: its limits allow no node: cpu 1 (pools.yaml:1) and nodes 5 (pools.yaml:1)",
    ],
    [{}, { limits: { memory: "8Gi" } }, {}, "c5.large m5.large"],
    [
      {},
      { limits: { memory: "8Gi" } },
      selecting(FAMILY, "r5"),
      "instance-types: the instance types that it asks for exceed the limits of the pool: memory 8Gi (pools.yaml:1)",
    ],
  ])("%j %j %j: %s", (template, more, spec, expected) => {
    const [pod] = place([poolOf("only", template, more)], podObject("a", spec));
    const [attempt] = pod!.attempts;
    expect(pod!.takenBy === null ? `${attempt!.reason!}: ${attempt!.sentence}` : pod!.instanceTypes.join(" ")).toBe(
      expected,
    );
  });
});

describe("a pod that asks for reserved capacity", () => {
  const classOf = (terms: object): object => ({
    apiVersion: "karpenter.hypershift.openshift.io/v1",
    kind: "OpenshiftEC2NodeClass",
    metadata: { name: "default" },
    spec: { kubelet: { maxPods: 250 }, ...terms },
  });
  const asking = podObject("a", selecting("karpenter.sh/capacity-type", "reserved"));
  const takenBy = (...classes: readonly object[]) => {
    const [pod] = place([poolOf("only"), ...classes], asking);
    return pod!.takenBy ?? `${pod!.attempts[0]!.reason!}: ${pod!.attempts[0]!.sentence}`;
  };

  it("may get it if unknown, and not if the node class selects no reservation", () => {
    expect([
      takenBy(),
      takenBy(classOf({ capacityReservationSelectorTerms: [{ id: "cr-1" }] })),
      takenBy(classOf({})),
    ]).toStrictEqual([
      "only",
      "only",
      "instance-types: no instance type has karpenter.sh/capacity-type In [on-demand spot] (node class, pools.yaml:3) and karpenter.sh/capacity-type In [reserved] (nodeSelector, pods.yaml:1) together",
    ]);
  });
});
