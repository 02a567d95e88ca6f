/**
 * Which NodeClaims above a limit are deleted now: in the order of Karpenter's static pools, as many as budgets allow, and
 * never one that is already terminating.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LiveObject } from "../../../src/cluster/api/live-object.ts";
import type { LimitedPool } from "../../../src/cluster/limits/limited-pools.ts";
import { surplusNow } from "../../../src/cluster/limits/remove-surplus.ts";
import { simulatedNodes } from "../../../src/analyze/simulate/pool-nodes.ts";
import { DEFAULT_BUDGETS } from "../../../src/model/pools/disruption-reasons.ts";
import { type Budget, readBudget } from "../../../src/karpenter/disruption/disruption-budget.ts";

const AT = Date.parse("2026-11-23T12:00:00Z");

/** A short description of a node. */
interface Wish {
  readonly name: string;
  readonly launched?: boolean;
  readonly pods?: readonly Readonly<Record<string, string>>[];
  readonly ready?: boolean;
  /** Deleted by a user, or marked by Karpenter on the claim or on the node. */
  readonly going?: "deleted" | "marked" | "tainted" | "terminating";
}

const PLAIN = {};
const GUARDED = { "karpenter.sh/do-not-disrupt": "true" };
const COSTLY = { "controller.kubernetes.io/pod-deletion-cost": "1000000" };

function objectsOf({ name, launched = true, pods = [PLAIN], ready = true, going }: Wish): LiveObject[] {
  const labels = { "karpenter.sh/nodepool": "web", "karpenter.sh/initialized": "true" };
  const condition = (type: string, is: boolean) => ({ type, status: is ? "True" : "False" });
  const claim: LiveObject = {
    apiVersion: "karpenter.sh/v1",
    kind: "NodeClaim",
    metadata: {
      name,
      uid: `uid-${name}`,
      resourceVersion: "1",
      labels,
      ...(going === "deleted" ? { deletionTimestamp: "2026-11-23T11:59:00Z" } : {}),
    },
    status: {
      ...(launched ? { providerID: `aws:///${name}`, nodeName: `node-${name}` } : {}),
      conditions: [
        condition("Initialized", launched),
        ...(going === "marked" ? [condition("DisruptionReason", true)] : []),
        ...(going === "terminating" ? [condition("InstanceTerminating", true)] : []),
      ],
    },
  };
  if (!launched) return [claim];
  const about = { uid: "", resourceVersion: "1" };
  const node: LiveObject = {
    apiVersion: "v1",
    kind: "Node",
    metadata: { ...about, name: `node-${name}`, labels },
    spec: {
      providerID: `aws:///${name}`,
      taints: going === "tainted" ? [{ key: "karpenter.sh/disrupted", effect: "NoSchedule" }] : [],
    },
    status: { conditions: [condition("Ready", ready)] },
  };
  const ofNode = pods.map((annotations, index): LiveObject => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { ...about, name: `${name}-${index}`, namespace: "default", annotations },
    spec: { nodeName: `node-${name}` },
  }));
  return [claim, node, ...ofNode];
}

function now(wishes: readonly Wish[], limit: number, budgets: readonly Budget[] = [], at = AT) {
  const objects = wishes.flatMap(objectsOf);
  const pool = {
    name: "web",
    profile: "hypershift",
    budgets: budgets.map(readBudget),
    limit: { nodes: limit, mode: "Hard" },
  } as unknown as LimitedPool["pool"];
  const claims = objects.filter(({ kind }) => kind === "NodeClaim");
  const given = objects.map((object) => ({ ...object, name: object.metadata.name, value: { ...object } }));
  const limited = { name: "web", limit, pool, claims, budget: undefined, withoutBudget: undefined, surplus: 1 };
  const { go, later } = surplusNow(limited, simulatedNodes(given), at);
  return { go: go.map(({ claim, why }) => `${claim.metadata.name} ${why}`), later };
}

const named = (count: number, wish: Omit<Wish, "name"> = {}): Wish[] =>
  Array.from({ length: count }, (_, index) => ({ name: `n${index}`, ...wish }));

describe("the surplus to delete now", () => {
  test("is empty at the limit and below", () => {
    expect(now(named(3), 3)).toEqual({ go: [], later: 0 });
    expect(now(named(3), 5)).toEqual({ go: [], later: 0 });
  });

  test("begins with NodeClaims that are not launched, then empty nodes, then the cheapest, and do-not-disrupt pods last", () => {
    const mixed: Wish[] = [
      { name: "guarded", pods: [GUARDED] },
      { name: "two", pods: [PLAIN, PLAIN] },
      { name: "costly", pods: [COSTLY] },
      { name: "one" },
      { name: "empty", pods: [] },
      { name: "new", launched: false },
    ];
    const order = ["new not-launched", "empty empty", "one cost", "costly cost", "two cost", "guarded do-not-disrupt"];
    for (const limit of [0, 1, 2, 3, 4, 5, 6]) expect(now(mixed, limit).go).toEqual(order.slice(0, 6 - limit));
  });

  test.each(["deleted", "marked", "tainted", "terminating"] as const)(
    "one that is %s already is none too many, and is not deleted again",
    (going) => {
      const wishes: Wish[] = [{ name: "going", going, pods: [] }, ...named(3)];
      expect(now(wishes, 3)).toEqual({ go: [], later: 0 });
      expect(now(wishes, 2)).toEqual({ go: ["n0 cost"], later: 0 });
    },
  );

  const daytime = { schedule: "0 9 * * mon-fri", duration: "8h" };

  test.each<[string, readonly Budget[], number, string[], number]>([
    ["the default of ten nodes is one", DEFAULT_BUDGETS, 10, ["n0 cost"], 3],
    ["a number", [{ nodes: "2" }], 10, ["n0 cost", "n1 cost"], 2],
    ["none", [{ nodes: "0" }], 10, [], 4],
    ["none of the drifted: who keeps those wants no pod to move", [{ nodes: "0", reasons: ["Drifted"] }], 10, [], 4],
    ["none of the empty: these are not", [{ nodes: "0", reasons: ["Empty"] }], 5, [], 0],
    ["none in working hours, which it is", [{ nodes: "0", ...daytime }], 10, [], 4],
    ["with a schedule that cannot be read", [{ nodes: "9", schedule: "0 9 * * 7", duration: "8h" }], 10, [], 4],
  ])("is bounded by budgets: %s", (_, budgets, count, go, later) => {
    expect(now(named(count), count === 10 ? 6 : 5, budgets)).toEqual({ go, later });
  });

  test("grows after the window of a budget", () => {
    const evening = Date.parse("2026-11-23T17:00:00Z");
    expect(now(named(6), 4, [{ nodes: "0", ...daytime }], evening)).toEqual({ go: ["n0 cost", "n1 cost"], later: 0 });
  });

  test("counts terminating and unready nodes against the budget", () => {
    const budgets = [{ nodes: "2" }];
    expect(now([{ name: "going", going: "deleted" }, ...named(5)], 3, budgets).go).toEqual(["n0 cost"]);
    expect(now([...named(5), { name: "sick", ready: false }], 3, budgets).go).toEqual(["n0 cost"]);
  });

  test("needs no budget for a NodeClaim without an instance, and the one for Empty for an empty node, strictly in order", () => {
    const wishes: Wish[] = [...named(3), { name: "empty", pods: [] }, { name: "new", launched: false }];
    const none = { nodes: "0" };
    expect(now(wishes, 2, [none])).toEqual({ go: ["new not-launched"], later: 2 });
    expect(now(wishes, 2, [{ ...none, reasons: ["Empty"] }])).toEqual({ go: ["new not-launched"], later: 2 });
    expect(now(wishes, 2, [{ ...none, reasons: ["Drifted"] }]).go).toEqual(["new not-launched", "empty empty"]);
  });
});

describe("random pools", () => {
  const wish = fc.record({
    launched: fc.boolean(),
    pods: fc.array(fc.constantFrom(PLAIN, GUARDED, COSTLY), { maxLength: 3 }),
    ready: fc.boolean(),
    going: fc.constantFrom(undefined, undefined, "deleted", "marked", "tainted", "terminating" as const),
  });
  const budgets = fc.array(
    fc.record({
      nodes: fc.constantFrom("0", "1", "2", "30%", "100%"),
      reasons: fc.constantFrom(undefined, ["Empty"], ["Drifted"], ["Underutilized"]),
    }),
    { maxLength: 2 },
  );

  test("never fall below the limit, and nodes with do-not-disrupt pods go last", () => {
    fc.assert(
      fc.property(fc.array(wish, { maxLength: 8 }), fc.nat({ max: 8 }), budgets, (some, limit, given) => {
        const wishes = some.map((one, index) => ({ ...one, name: `n${index}` }) as Wish);
        const staying = wishes.filter(
          ({ going, launched }) => going === undefined || (going === "tainted" && launched === false),
        );
        const { go, later } = now(wishes, limit, given);
        expect(go.length + later).toBe(Math.max(0, staying.length - limit));
        const names = go.map((text) => text.split(" ")[0]);
        expect(staying.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
        const isGuarded = ({ pods = [], launched }: Wish) => launched !== false && pods.includes(GUARDED);
        const kept = staying.filter(({ name }) => !names.includes(name));
        const gone = staying.filter(({ name }) => names.includes(name));
        if (gone.some(isGuarded)) expect(kept.every(isGuarded)).toBe(true);
      }),
    );
  });
});
