/** One round of the scheduler, by worlds of a few pods. */
import { expect, it } from "vitest";
import { catalogueOf } from "../catalogue/catalogue-of.ts";
import { typeFilter } from "../catalogue/type-filter.ts";
import { AWS_LABELS } from "../requirements/label-presence.ts";
import { labelRequirements, requirementsOf } from "../requirements/requirements.ts";
import { podRequests } from "../scheduling/pod-requests.ts";
import type { Taint } from "../scheduling/taints.ts";
import type { PodSpec } from "../../model/objects/pod.ts";
import { podShape } from "./pod-shape.ts";
import { solve } from "./solve.ts";
import type { SolverNode, SolverPod, SolverPool } from "./world.ts";

const ZONE = "topology.kubernetes.io/zone";
const HOST = "kubernetes.io/hostname";

const types = [2, 4, 8, 16].map((cpus) => ({
  name: `m.${String(cpus).padStart(2, "0")}`,
  labels: requirementsOf([{ key: "node.kubernetes.io/instance-type", operator: "In", values: [`m.${cpus}`] }]),
  offerings: ["a", "b", "c"].map((zone) => ({
    requirements: requirementsOf([
      { key: ZONE, operator: "In", values: [zone] },
      { key: "karpenter.sh/capacity-type", operator: "In", values: ["on-demand"] },
    ]),
    available: true,
  })),
  allocatable: { cpu: String(cpus), memory: `${cpus * 4}Gi`, pods: "10" },
}));
const catalogue = catalogueOf({ source: "", date: "", ...AWS_LABELS }, types);
const filter = typeFilter(catalogue);

interface Pool {
  readonly name?: string;
  readonly taints?: readonly Taint[];
  readonly cpus?: number;
  readonly types?: readonly string[];
  readonly team?: string;
}

function poolOf({ name = "web", taints = [], cpus, types: names, team }: Pool): SolverPool {
  const given = { "node.kubernetes.io/instance-type": names, team: team === undefined ? undefined : [team] };
  const own = Object.entries(given).flatMap(([key, values]) =>
    values === undefined ? [] : [{ key, operator: "In" as const, values: [...values] }],
  );
  const written = requirementsOf(own);
  const requirements = new Map([...written, ...labelRequirements({ "karpenter.sh/nodepool": name })]);
  return {
    name,
    taints,
    written,
    requirements,
    ofClass: new Map(),
    types: filter.compatible(requirements),
    nodes: catalogue,
    daemons: [{ types: filter.all, daemonSets: [], requests: new Map(), ports: [] }],
    left: cpus === undefined ? new Map() : new Map([["cpu", BigInt(cpus) * 10n ** 9n]]),
    prices: undefined,
  };
}

interface Pod {
  readonly cpu?: string;
  readonly count?: number;
  readonly app?: string;
  readonly spec?: object;
  readonly port?: number;
}

function podsOf(pods: readonly Pod[]): SolverPod[] {
  return pods.flatMap(({ cpu = "1", count = 1, app = "web", spec = {}, port }) => {
    const ports = port === undefined ? {} : { ports: [{ hostPort: port, containerPort: port }] };
    const full = { containers: [{ resources: { requests: { cpu } }, ...ports }], ...spec } as PodSpec;
    const resource = { apiVersion: "v1", kind: "Pod", name: app, value: {} } as never;
    const demand = {
      resource,
      path: ["spec"],
      spec: full,
      requests: podRequests(full),
      volumes: { alternatives: [[]], attached: [], refusal: undefined, missing: [] },
    };
    const of = { namespace: "shop", labels: { app } };
    const shape = podShape(demand, of, { taintsRelent: true, ignoresPreferences: false }, () => undefined);
    return Array.from({ length: count }, (_, index) => ({
      demand,
      shape,
      name: `${app}-${index}`,
      created: 0,
      uid: `${app}-${index}`,
    }));
  });
}

/** `pool: pods in zones` of each claim, then the pods without a node. */
function plan(pools: readonly Pool[], pods: readonly Pod[], nodes: readonly SolverNode[] = []): string[] {
  const made = pools.map(poolOf);
  const solved = solve({
    filter,
    pools: made,
    domainPools: made,
    pods: podsOf(pods),
    nodes,
    around: { nodes: nodes.map((node) => ({ ...node, isActive: true })), pods: [] },
    countsOnlyAllowed: true,
    waitsForFullReservations: true,
    relaxesMinValues: false,
  });
  const names = (of: readonly SolverPod[]): string => of.map(({ name }) => name).join(" ");
  return [
    ...[...solved.existing].filter(([, own]) => own.length > 0).map(([node, own]) => `${node}: ${names(own)}`),
    ...solved.claims.map(({ pool, pods: own, requirements }) => {
      const zones = [...(requirements.get(ZONE)?.values ?? [])].join("");
      return `${pool.name}: ${names(own)}${zones === "" ? "" : ` in ${zones}`}`;
    }),
    ...solved.unplaced.map(({ pod, refusals }) => `none: ${pod.name} ${refusals.map(({ why }) => why).join()}`),
  ];
}

const OWN = { labelSelector: { matchLabels: { app: "web" } } };
const spread = (more: object) => ({ topologySpreadConstraints: [{ maxSkew: 1, ...OWN, ...more }] });
const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
const PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

it.each<[what: string, pools: readonly Pool[], pods: readonly Pod[], expected: readonly string[]]>([
  [
    "largest first, and a claim in flight before a heavier pool",
    [{ name: "a", types: ["m.2"] }, { name: "b" }],
    [{ app: "small" }, { app: "big", cpu: "8" }],
    ["b: big-0 small-0"],
  ],
  ["as many as one type holds", [{}], [{ cpu: "5", count: 4 }], ["web: web-0 web-1 web-2", "web: web-3"]],
  [
    "the largest type counts against limits",
    [{ cpus: 20 }],
    [{ cpu: "9", count: 2 }],
    ["web: web-0", "none: web-1 no-room"],
  ],
  [
    "a spread over zones",
    [{}],
    [{ cpu: "8", count: 4, spec: spread({ topologyKey: ZONE, whenUnsatisfiable: "DoNotSchedule" }) }],
    ["web: web-0 web-3 in a", "web: web-1 in b", "web: web-2 in c"],
  ],
  [
    "one pod a host",
    [{}],
    [{ count: 2, spec: { affinity: { podAntiAffinity: { [REQUIRED]: [{ topologyKey: HOST, ...OWN }] } } } }],
    ["web: web-0", "web: web-1"],
  ],
  [
    "a pod that others avoid",
    [{}],
    [
      { cpu: "2", app: "db", spec: { affinity: { podAntiAffinity: { [REQUIRED]: [{ topologyKey: HOST, ...OWN }] } } } },
      {},
    ],
    ["web: db-0", "web: web-0"],
  ],
  [
    "an affinity to a smaller pod",
    [{}],
    [
      { cpu: "2", app: "db", spec: { affinity: { podAffinity: { [REQUIRED]: [{ topologyKey: ZONE, ...OWN }] } } } },
      { spec: { nodeSelector: { [ZONE]: "b" } } },
    ],
    ["web: web-0 db-0 in b"],
  ],
  [
    "a preference that cannot be met",
    [{}],
    [
      {
        spec: {
          affinity: {
            podAffinity: {
              [PREFERRED]: [
                { weight: 1, podAffinityTerm: { topologyKey: ZONE, labelSelector: { matchLabels: { app: "none" } } } },
              ],
            },
          },
        },
      },
    ],
    ["web: web-0"],
  ],
  [
    "host ports",
    [{}],
    [
      { port: 80, count: 2 },
      { port: 81, app: "x" },
    ],
    ["web: web-0 x-0", "web: web-1"],
  ],
  ["a taint that is only preferred", [{ taints: [{ key: "a", effect: "PreferNoSchedule" }] }], [{}], ["web: web-0"]],
  ["a taint", [{ taints: [{ key: "a", effect: "NoSchedule" }] }], [{}], ["none: web-0 taints"]],
  ["too large for any type", [{}, { name: "b" }], [{ cpu: "17" }], ["none: web-0 no-room,no-room"]],
])("%s", (_what, pools, pods, expected) => {
  expect(plan(pools, pods)).toStrictEqual(expected);
});

const NODE: SolverNode = {
  name: "n",
  host: "n",
  labels: { [ZONE]: "a", [HOST]: "n" },
  taints: [],
  initialized: true,
  volumes: { limits: new Map(), attached: new Map() },
  left: new Map([
    ["cpu", 2n * 10n ** 9n],
    ["pods", 10n * 10n ** 9n],
  ]),
  ports: [],
};

it("fills nodes that are there first", () => {
  expect(plan([{}], [{ count: 3 }], [NODE])).toStrictEqual(["n: web-0 web-1", "web: web-2"]);
});

it("takes a node without the label of an affinity for pods that prefer its absence", () => {
  const affinity = {
    podAffinity: { [REQUIRED]: [{ topologyKey: "team", ...OWN }] },
    nodeAffinity: {
      [PREFERRED]: [{ weight: 1, preference: { matchExpressions: [{ key: "team", operator: "DoesNotExist" }] } }],
    },
  };
  expect(plan([{ team: "green" }], [{ spec: { affinity } }], [NODE])).toStrictEqual(["n: web-0"]);
});

it("takes bounded time for many pods that no pool takes, and for one pod a host", () => {
  const anti = { affinity: { podAntiAffinity: { [REQUIRED]: [{ topologyKey: HOST, ...OWN }] } } };
  expect(plan([{}], [{ cpu: "17", count: 100_000 }])).toHaveLength(100_000);
  expect(plan([{}], [{ count: 5000, spec: anti }])).toHaveLength(5000);
}, 60_000);
