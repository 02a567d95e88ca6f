/** Nodes of a dump: those of Karpenter, those that budgets count, those being disrupted. */
import { describe, expect, it } from "vitest";
import { karpenterOptions } from "../../model/settings/karpenter-options.ts";
import { nodesOf, simulatedNodes } from "./pool-nodes.ts";
import type { SimulatedPool } from "./pools.ts";

type Fields = Record<string, unknown>;

function object(apiVersion: string, kind: string, name: string, rest: Fields) {
  const { metadata = {}, ...others } = rest as { metadata?: Fields };
  return { apiVersion, kind, name, value: { apiVersion, kind, metadata: { name, ...metadata }, ...others } };
}

const WEB = { "karpenter.sh/nodepool": "web" };

function claim(name: string, more: { metadata?: Fields; status?: Fields; conditions?: Fields[] } = {}) {
  const metadata = { labels: WEB, creationTimestamp: "2026-11-01T00:00:00Z", ...more.metadata };
  const status = {
    providerID: `aws:///${name}`,
    nodeName: `node-${name}`,
    conditions: more.conditions ?? [],
    ...more.status,
  };
  return object("karpenter.sh/v1", "NodeClaim", name, { metadata, spec: { expireAfter: "720h" }, status });
}

function node(name: string, more: { initialized?: boolean; ready?: string; taints?: Fields[]; labels?: Fields } = {}) {
  const labels = {
    ...WEB,
    ...(more.initialized === false ? {} : { "karpenter.sh/initialized": "true" }),
    ...more.labels,
  };
  return object("v1", "Node", `node-${name}`, {
    metadata: { labels },
    spec: { providerID: `aws:///${name}`, taints: more.taints ?? [] },
    status: { conditions: [{ type: "Ready", status: more.ready ?? "True" }] },
  });
}

const pool: SimulatedPool = {
  name: "web",
  hostedCluster: undefined,
  resource: undefined as never,
  profile: "hypershift",
  budgets: [],
  budgetPlaces: [],
  limit: undefined,
  replicas: undefined,
  group: undefined,
  statusNodes: undefined,
  karpenter: karpenterOptions("hypershift"),
  terminatesFirst: false,
  rules: undefined,
};

function counts(objects: Parameters<typeof simulatedNodes>[0]) {
  const { total, active, counted, going, notReady } = nodesOf(pool, undefined, simulatedNodes(objects));
  return { total, active, counted, going, notReady };
}

describe("what counts", () => {
  it.each([
    ["a node in order", [claim("a"), node("a")], { total: 1, active: 1, counted: 1, going: 0, notReady: 0 }],
    [
      "one that is starting",
      [claim("a"), node("a", { initialized: false })],
      { total: 1, active: 1, counted: 0, going: 0, notReady: 0 },
    ],
    [
      "a NodeClaim without a node",
      [claim("a", { status: { nodeName: undefined } })],
      { total: 1, active: 1, counted: 0, going: 0, notReady: 0 },
    ],
    [
      "one that is not ready",
      [claim("a"), node("a", { ready: "Unknown" })],
      { total: 1, active: 1, counted: 1, going: 0, notReady: 1 },
    ],
    [
      "one that is being deleted",
      [claim("a", { metadata: { deletionTimestamp: "2026-11-23T00:00:00Z" } }), node("a")],
      { total: 1, active: 0, counted: 1, going: 1, notReady: 0 },
    ],
    [
      "one that Karpenter has tainted",
      [claim("a"), node("a", { taints: [{ key: "karpenter.sh/disrupted" }] })],
      { total: 1, active: 0, counted: 1, going: 1, notReady: 0 },
    ],
    [
      "one whose instance terminates",
      [claim("a", { conditions: [{ type: "InstanceTerminating", status: "True" }] }), node("a")],
      { total: 0, active: 0, counted: 0, going: 0, notReady: 0 },
    ],
    [
      "a dump without Nodes",
      [claim("a", { conditions: [{ type: "Initialized", status: "True" }] })],
      { total: 1, active: 1, counted: 1, going: 0, notReady: 0 },
    ],
    ["a dump without NodeClaims", [node("a")], { total: 1, active: 1, counted: 1, going: 0, notReady: 0 }],
    [
      "a node of another owner",
      [node("a", { labels: { "karpenter.sh/nodepool": undefined } })],
      { total: 0, active: 0, counted: 0, going: 0, notReady: 0 },
    ],
    [
      "another pool's",
      [node("a", { labels: { "karpenter.sh/nodepool": "batch" } })],
      { total: 0, active: 0, counted: 0, going: 0, notReady: 0 },
    ],
  ])("%s", (_name, objects, expected) => {
    expect(counts(objects)).toStrictEqual(expected);
  });
});

it("pods belong to the node that they run on", () => {
  const daemon = object("v1", "Pod", "log", {
    metadata: { ownerReferences: [{ apiVersion: "apps/v1", kind: "DaemonSet", name: "log" }], annotations: { a: "b" } },
    spec: { nodeName: "node-a", priority: 7 },
    status: { startTime: "2026-11-20T00:00:00Z" },
  });
  const pending = object("v1", "Pod", "pending", { spec: {} });
  const [first, second] = simulatedNodes([claim("b"), node("b"), claim("a"), node("a"), daemon, pending]);
  expect(first).toStrictEqual({
    name: "node-a",
    claim: "a",
    nodePool: "web",
    launched: true,
    created: Date.parse("2026-11-01T00:00:00Z"),
    expireAfter: "720h",
    initialized: true,
    ready: true,
    deleting: false,
    deletedAt: undefined,
    terminating: false,
    rebooting: false,
    doNotDisrupt: false,
    terminationGracePeriod: null,
    pods: [
      {
        name: "default/log",
        annotations: { a: "b" },
        priority: 7,
        ofDaemonSet: true,
        startTime: Date.parse("2026-11-20T00:00:00Z"),
        active: true,
        ended: false,
        budgets: [],
        neverEvicted: false,
        reschedulable: false,
        owned: true,
      },
    ],
  });
  expect(second).toMatchObject({ name: "node-b", pods: [] });
});

describe("without data", () => {
  const of = (more: Partial<SimulatedPool>, given?: number) => {
    const { total, from } = nodesOf({ ...pool, ...more }, given, undefined);
    return `${total} ${from}`;
  };

  it("a given number, the status, the replicas, a default below the limit", () => {
    expect(of({ statusNodes: 7 }, 3)).toBe("3 given");
    expect(of({ statusNodes: 7 })).toBe("7 status");
    expect(of({ replicas: 4 })).toBe("4 replicas");
    expect(of({})).toBe("10 assumed");
    expect(of({ limit: { nodes: 5, mode: "Hard" } })).toBe("4 assumed");
    expect(of({ limit: { nodes: 0, mode: "Soft" } })).toBe("0 assumed");
  });
});
