/** Tests which DaemonSets run on which instance types of a pool, and their resources there. */
import { expect, it } from "vitest";
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
import { podPool } from "../../analyze/pods/pool.ts";
import { podSpecSchema } from "../../model/objects/pod.ts";
import { indexesOf } from "../catalogue/type-mask.ts";
import { hostPorts, samePort } from "./daemon-overhead.ts";

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

it.each<[ports: object, hostNetwork: boolean, found: string[]]>([
  [{ containerPort: 80 }, false, []],
  [{ containerPort: 80, hostPort: 8080 }, false, ["0.0.0.0:8080/TCP"]],
  [{ containerPort: 80, hostPort: 8080, hostIP: "10.0.0.1", protocol: "UDP" }, false, ["10.0.0.1:8080/UDP"]],
  [{ containerPort: 80 }, true, ["0.0.0.0:80/TCP"]],
  [{ containerPort: 80, hostPort: 0, hostIP: "" }, true, ["0.0.0.0:80/TCP"]],
])("%j on the node's network %j: %j", (ports, hostNetwork, found) => {
  const containers = [{}, { ports: [ports] }];
  const spec = podSpecSchema.parse({ containers, initContainers: [{ ports: [{ hostPort: 1 }] }], hostNetwork });
  expect(hostPorts(spec).map(({ ip, port, protocol }) => `${ip}:${String(port)}/${protocol}`)).toStrictEqual(found);
});

it.each<[a: string, b: string, same: boolean]>([
  ["0.0.0.0 80 TCP", "10.0.0.1 80 TCP", true],
  ["::1 80 TCP", ":: 80 TCP", true],
  ["10.0.0.1 80 TCP", "10.0.0.1 80 TCP", true],
  ["10.0.0.1 80 TCP", "10.0.0.2 80 TCP", false],
  ["0.0.0.0 80 TCP", "0.0.0.0 80 UDP", false],
  ["0.0.0.0 80 TCP", "0.0.0.0 81 TCP", false],
])("%s and %s: %j", (a, b, same) => {
  const port = (text: string) => {
    const [ip = "", number, protocol = ""] = text.split(" ");
    return { ip, port: Number(number), protocol };
  };
  expect([samePort(port(a), port(b)), samePort(port(b), port(a))]).toStrictEqual([same, same]);
});
