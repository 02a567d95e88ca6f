/** Which pool takes a pod, in which order, and the reasons for pods without a node. */
import { describe, expect, it } from "vitest";
import {
  affinity,
  ARCH,
  asking,
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

const preferring = (...expressions: readonly object[]) => ({
  affinity: {
    nodeAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: { matchExpressions: expressions } }],
    },
  },
});

it("describes a pod completely", () => {
  const objects = [
    poolOf("web", requiring(isIn(ARCH, "amd64")), { weight: 10, limits: { cpu: "100" } }),
    poolOf("arm", requiring(isIn(ARCH, "arm64"))),
    poolOf("spare", tainted("NoSchedule")),
  ];
  const spec = { ...asking({ cpu: "1500m", memory: "6Gi" }), volumes: [{ persistentVolumeClaim: { claimName: "x" } }] };
  expect(place(objects, podObject("a", spec))).toStrictEqual([
    {
      name: "a",
      namespace: "shop",
      kind: "Pod",
      count: null,
      hostedCluster: "clusters-c1",
      file: "pods.yaml",
      line: 1,
      requests: { cpu: "1500m", memory: "6Gi", pods: "1" },
      pods: 1,
      placed: [{ pool: "web", pods: 1, nodes: 1 }],
      takenBy: "web",
      instanceTypes: ["c5.4xlarge", "g5.xlarge", "m5.4xlarge", "m5.large", "r5.2xlarge"],
      why: null,
      attempts: [
        { pool: "web", fits: true, instanceTypes: 5, reason: null, sentence: "takes it" },
        {
          pool: "spare",
          fits: false,
          instanceTypes: 0,
          reason: "taint",
          sentence: "did not tolerate taint dedicated:NoSchedule (pools.yaml:5)",
        },
        {
          pool: "arm",
          fits: true,
          instanceTypes: 1,
          reason: null,
          sentence: "could take it; Karpenter picks web first",
        },
      ],
      notConsidered: [
        "volume x: its PersistentVolumeClaim is not among the inputs",
        "limits of pool web (cpu 100): how much of them is in use",
      ],
    },
  ]);
});

it("names every pod and workload by its pool and types", () => {
  const deployment = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "d" },
    spec: { replicas: 50, template: { spec: asking({ cpu: "16" }) } },
  };
  const placed = place(
    [poolOf("only", requiring(isIn(FAMILY, "m5")))],
    podObject("a", asking({ cpu: "16" })),
    deployment,
  );
  expect(
    placed.map(({ name, namespace, kind, line, takenBy, instanceTypes }) => [
      name,
      namespace,
      kind,
      line,
      takenBy,
      instanceTypes,
    ]),
  ).toStrictEqual([
    ["a", "shop", "Pod", 1, "only", ["m5.4xlarge"]],
    ["d", null, "Deployment", 3, "only", ["m5.4xlarge"]],
  ]);
});

describe("a preference", () => {
  const objects = [
    poolOf("heavy", requiring(isIn(ARCH, "amd64")), { weight: 50 }),
    poolOf("arm", requiring(isIn(ARCH, "arm64"))),
  ];

  it("decides as long as some pool can meet it", () => {
    const [arm] = place(objects, podObject("a", preferring(isIn(ARCH, "arm64"))));
    const [none] = place(objects, podObject("b", preferring(isIn(ARCH, "s390x"))));
    expect([arm!.takenBy, arm!.attempts[0]!.sentence]).toStrictEqual([
      "arm",
      "could take it without its preferences; Karpenter picks arm first",
    ]);
    expect([none!.takenBy, none!.attempts[0]!.sentence]).toStrictEqual(["heavy", "takes it without its preferences"]);
    const [, beside] = place(
      objects,
      podObject("a", preferring(isIn(ARCH, "arm64"))),
      podObject("b", preferring(isIn(ARCH, "s390x"))),
    );
    // The node of the first pod has room.
    expect(beside!.takenBy).toBe("arm");
  });

  it("is relaxed only after all terms but the last one", () => {
    const { nodeAffinity: required } = affinity([isIn(ARCH, "arm64")], [isIn(ARCH, "s390x")]).affinity;
    const { nodeAffinity: preferred } = preferring(isIn(FAMILY, "x9")).affinity;
    const spec = { affinity: { nodeAffinity: { ...required, ...preferred } } };
    expect(place(objects, podObject("a", spec))[0]!.takenBy).toBeNull();
  });

  it("tries a pool with a PreferNoSchedule taint after all others", () => {
    const tainting = poolOf("tainted", tainted("PreferNoSchedule"), { weight: 90 });
    const [pod] = place([tainting, ...objects], podObject("a"));
    expect([pod!.takenBy, pod!.attempts[0]!.sentence]).toStrictEqual([
      "heavy",
      "could take it despite its PreferNoSchedule taint; Karpenter picks heavy first",
    ]);
  });
});

describe("order", () => {
  it.each<[what: string, pools: readonly object[], takenBy: string]>([
    ["the heaviest", [poolOf("z"), poolOf("a", {}, { weight: 2 }), poolOf("b", {}, { weight: 1 })], "a"],
    ["of equal weight the last by name", [poolOf("a"), poolOf("c"), poolOf("b")], "c"],
    ["no pool without nodes", [poolOf("a"), poolOf("z", requiring(isIn(TYPE, "x9.large")))], "a"],
  ])("%s", (_what, pools, takenBy) => {
    expect(place(pools, podObject("a"))[0]!.takenBy).toBe(takenBy);
  });
});

describe("no node", () => {
  it.each<[pools: readonly object[], spec: object, why: string]>([
    [[policyOf()], {}, "the hosted cluster has no pool that can be read"],
    [[poolOf("a")], selecting("team", "x"), "the only pool does not take it"],
    [[poolOf("a"), poolOf("b")], selecting("team", "x"), "none of the 2 pools takes it"],
    [
      [poolOf("a")],
      selecting("kubernetes.io/hostname", "x"),
      "Karpenter ignores it: using label kubernetes.io/hostname is not allowed as it might interfere with the internal provisioning logic (nodeSelector, pods.yaml:1)",
    ],
  ])("%#: %s", (pools, spec, why) => {
    const [pod] = place(pools, podObject("a", spec));
    expect([pod!.takenBy, pod!.instanceTypes, pod!.why]).toStrictEqual([null, [], why]);
  });
});

it("tries the terms of node affinity in their order", () => {
  const both = [poolOf("a-arm", requiring(isIn(ARCH, "arm64"))), poolOf("z-amd", requiring(isIn(ARCH, "amd64")))];
  const [armFirst, third] = place(
    both,
    podObject("a", affinity([isIn(ARCH, "arm64")], [isIn(ARCH, "amd64")])),
    podObject("b", affinity([isIn(ARCH, "s390x")], [isIn("team", "x")], [isIn(ARCH, "arm64")])),
  );
  expect([armFirst!.takenBy, armFirst!.attempts.map(({ sentence }) => sentence)]).toStrictEqual([
    "a-arm",
    ["could take it by term 2 of its node affinity; Karpenter picks a-arm first", "takes it"],
  ]);
  expect([third!.takenBy, third!.attempts[1]!.sentence]).toStrictEqual([
    "a-arm",
    "takes it by term 3 of its node affinity",
  ]);
});

it("a pool without a machine image for the types is picked, and no node starts", () => {
  const config = {
    apiVersion: "anp.hypershift.openshift.io/v1alpha1",
    kind: "RenderConfig",
    metadata: { name: "config" },
    spec: { hostedCluster: { amis: { amd64: "ami-0123456789abcdef0" } } },
  };
  const arm = poolOf("arm", requiring(isIn(ARCH, "arm64")), { weight: 9 });
  const [pod] = place([config, arm, poolOf("spare")], podObject("a"));
  expect([pod!.takenBy, pod!.why]).toStrictEqual([null, "Karpenter picks pool arm for it, and no node starts there"]);
  expect(pod!.attempts).toStrictEqual([
    {
      pool: "arm",
      fits: false,
      instanceTypes: 0,
      reason: "machine-image",
      sentence:
        "no node would start: the machine images of node class default are for amd64 (pools.yaml:1), and no remaining type is",
    },
    {
      pool: "spare",
      fits: true,
      instanceTypes: 6,
      reason: null,
      sentence: "could take it; Karpenter picks arm first",
    },
  ]);
});

describe("replicas", () => {
  const deployment = (name: string, replicas: number, spec: object): object => ({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace: "shop" },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: "main" }], ...spec } },
    },
  });
  const apart = (name: string): object => {
    const term = { topologyKey: "kubernetes.io/hostname", labelSelector: { matchLabels: { app: name } } };
    return { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } };
  };

  it("share nodes, or have one each", () => {
    const [together, away] = place([poolOf("only")], deployment("a", 3, {}), deployment("b", 3, apart("b")));
    expect([together!.pods, together!.placed, together!.takenBy, together!.attempts[0]!.sentence]).toStrictEqual([
      3,
      [{ pool: "only", pods: 3, nodes: 1 }],
      "only",
      "takes all 3",
    ]);
    expect([away!.placed, away!.notConsidered]).toStrictEqual([[{ pool: "only", pods: 3, nodes: 3 }], []]);
  });

  it("of which some get no node in this round have no pool", () => {
    const objects = [poolOf("only", requiring(isIn(FAMILY, "m5")), { limits: { cpu: "19" } })];
    const [web] = place(objects, deployment("web", 3, { ...asking({ cpu: "1" }), ...apart("web") }));
    expect([web!.placed, web!.takenBy, web!.instanceTypes, web!.why]).toStrictEqual([
      [{ pool: "only", pods: 2, nodes: 2 }],
      null,
      [],
      "1 of 3 pods without: pool only would take it, but for its limits in this round",
    ]);
    expect(web!.attempts[0]).toMatchObject({ fits: true, reason: null });
    expect(web!.attempts[0]!.sentence).toMatch(/^takes 2 of 3; the nodes of this round may use up its limits: cpu 19/);
  });

  it("of none are asked about as one pod", () => {
    expect(place([poolOf("only")], deployment("a", 0, {}))[0]).toMatchObject({ pods: 1, takenBy: "only" });
  });

  it("wait for a pod that they have to be beside", () => {
    const term = { topologyKey: "kubernetes.io/hostname", labelSelector: { matchLabels: { app: "cache" } } };
    const beside = { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } };
    const [alone] = place([poolOf("only")], deployment("web", 1, beside));
    expect([alone!.takenBy, alone!.why]).toStrictEqual([
      null,
      "pool only would take it, but for the topology constraints of the pod, unless pods that run meet them",
    ]);
    const [web] = place([poolOf("only")], deployment("web", 2, beside), deployment("cache", 1, {}));
    expect(web!.placed).toStrictEqual([{ pool: "only", pods: 2, nodes: 1 }]);
  });
});
