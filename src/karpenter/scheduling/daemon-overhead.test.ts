/** Tests which DaemonSets run on which instance types of a pool, and their resources there. */
import { expect, it } from "vitest";
import { indexesOf } from "../catalogue/type-mask.ts";
import { podPool } from "../../analyze/pods/pool.ts";
import {
  ARCH,
  asking,
  clusterOf,
  daemonSetObject,
  FAMILY,
  isIn,
  podsOf,
  poolOf,
  TEST_CATALOGUE,
} from "../../../test/support/pod-input.ts";

const TIER = "example.com/tier";

const terms = (...all: (readonly object[])[]): object => ({
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: all.map((matchExpressions) => ({ matchExpressions })),
      },
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 1, preference: { matchExpressions: [isIn(ARCH, "s390x")] } },
      ],
    },
  },
});

const REST = ["c5.4xlarge", "c5.large", "g5.xlarge", "m5.4xlarge", "m5.large", "r5.2xlarge"];
const ALL = [...REST, "m7g.xlarge"].toSorted();

it.each<[what: string, template: object, daemonSets: readonly object[], groups: Record<string, readonly string[]>]>([
  ["none", {}, [], { "": ALL }],
  ["one that runs everywhere", {}, [daemonSetObject("a")], { a: ALL }],
  ["one for some", {}, [daemonSetObject("a", { nodeSelector: { [ARCH]: "arm64" } })], { a: ["m7g.xlarge"], "": REST }],
  [
    "two that overlap",
    {},
    [daemonSetObject("a", terms([isIn(FAMILY, "m5", "c5")])), daemonSetObject("b", terms([isIn(FAMILY, "m5", "r5")]))],
    {
      "a,b": ["m5.4xlarge", "m5.large"],
      a: ["c5.4xlarge", "c5.large"],
      b: ["r5.2xlarge"],
      "": ["g5.xlarge", "m7g.xlarge"],
    },
  ],
  [
    "any of its terms",
    { requirements: [isIn(FAMILY, "m5", "m7g", "g5")] },
    [daemonSetObject("a", terms([isIn(ARCH, "arm64")], [isIn(FAMILY, "g5")]))],
    { a: ["g5.xlarge", "m7g.xlarge"], "": ["m5.4xlarge", "m5.large"] },
  ],
  [
    "one for a label that nodes do not have",
    {},
    [daemonSetObject("a", { nodeSelector: { [TIER]: "gold" } })],
    { "": ALL },
  ],
  [
    "one for a label that they have",
    { requirements: [isIn(TIER, "gold"), isIn(FAMILY, "r5")] },
    [daemonSetObject("a", { nodeSelector: { [TIER]: "gold", "karpenter.sh/initialized": "true" } })],
    { a: ["r5.2xlarge"] },
  ],
  [
    "taints keep it away",
    { requirements: [isIn(FAMILY, "r5")], taints: [{ key: "k", effect: "NoExecute" }] },
    [daemonSetObject("a"), daemonSetObject("b", { tolerations: [{ key: "k", operator: "Exists" }] })],
    { b: ["r5.2xlarge"] },
  ],
  [
    "but for PreferNoSchedule",
    { requirements: [isIn(FAMILY, "r5")], taints: [{ key: "k", effect: "PreferNoSchedule" }] },
    [daemonSetObject("a")],
    { a: ["r5.2xlarge"] },
  ],
])("%s", (_what, template, daemonSets, expected) => {
  const { pools, explanations, knownTypes } = clusterOf(poolOf("only", template));
  const { daemons } = podPool(pools[0]!, explanations[0]!, podsOf(...daemonSets), knownTypes);
  const groups = daemons.map((group) => [
    group.daemonSets.map(({ resource }) => resource.name).join(","),
    indexesOf(group.types).map((type) => TEST_CATALOGUE.names[type]),
  ]);
  expect(Object.fromEntries(groups)).toStrictEqual(expected);
  expect(groups).toHaveLength(Object.keys(expected).length);
});

it("adds up requests and pods of the DaemonSets", () => {
  const { pools, explanations, knownTypes } = clusterOf(poolOf("only"));
  const two = podsOf(
    daemonSetObject("a", asking({ cpu: "1" })),
    daemonSetObject("b", asking({ cpu: "500m", memory: "1" })),
  );
  const [group] = podPool(pools[0]!, explanations[0]!, two, knownTypes).daemons;
  expect(group!.requests).toStrictEqual(
    new Map([
      ["cpu", 1_500_000_000n],
      ["pods", 2_000_000_000n],
      ["memory", 1_000_000_000n],
    ]),
  );
});
