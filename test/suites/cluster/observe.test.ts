/** What is told of a watch that runs elsewhere by what it left in the API: how each cluster stands, and who keeps it. */
import { describe, expect, test } from "vitest";
import type { LiveObject } from "../../../src/cluster/api/live-object.ts";
import { readingOnly } from "../../../src/cluster/api/reading-only.ts";
import type { Stored } from "../../../src/cluster/observe/follow-stored.ts";
import { keepersOf } from "../../../src/cluster/observe/keepers.ts";
import type { Keeper, ToldEvent } from "../../../src/cluster/observe/observed.ts";
import { toldOf } from "../../../src/cluster/observe/told.ts";

const NOW = new Date("2026-11-23T12:00:00Z");
const MINUTE = 60_000;
const ago = (minutes: number) => new Date(NOW.getTime() - minutes * MINUTE).toISOString();
const NAMESPACE = "clusters-c1";
const WORKS: Keeper = { state: "works", replica: "anp-watch-1" };

function stored(over: Partial<Record<"controlPlanes" | "policies" | "leases", readonly object[]>> = {}): Stored {
  const of = (objects: readonly object[] = []) =>
    new Map(
      (objects as LiveObject[]).map((object) => [`${object.metadata.namespace ?? ""}/${object.metadata.name}`, object]),
    );
  const { controlPlanes = [{ metadata: { namespace: NAMESPACE, name: "c1" } }], policies, leases } = over;
  const none = new Map();
  return {
    controlPlanes: of(controlPlanes),
    policies: of(policies),
    leases: of(leases),
    settings: none,
    inventories: none,
    events: none,
    problems: none,
    aheadMs: undefined,
  };
}

interface Said {
  readonly reason?: string;
  readonly status?: string;
  readonly observed?: number;
  readonly written?: string;
}

function policy(said: Said | undefined, created = ago(600)): object {
  const { reason = "Applied", status = "True", observed = 2, written = ago(300) } = said ?? {};
  const condition = {
    type: "Ready",
    status,
    reason,
    message: "so it says",
    observedGeneration: observed,
    lastTransitionTime: ago(120),
  };
  return {
    kind: "AutoNodePolicy",
    metadata: {
      namespace: NAMESPACE,
      name: "default",
      generation: 2,
      creationTimestamp: created,
      managedFields: [
        { manager: "kubectl", time: written },
        { manager: "anp", subresource: "status", time: ago(1) },
      ],
    },
    status: said === undefined ? {} : { conditions: [condition] },
  };
}

function event(reason: string, minutes: number): ToldEvent {
  return { at: new Date(ago(minutes)), type: "Warning", reason, about: "Namespace c1", note: "why", count: 1 };
}

describe("how a cluster stands", () => {
  const told = (over: Parameters<typeof stored>[0], events: readonly ToldEvent[] = [], keeper: Keeper = WORKS) => {
    const { result, mode, ready, since, notes } = toldOf(stored(over), NAMESPACE, keeper, events, NOW);
    return [result, mode, ready?.reason, since?.toISOString(), notes.length];
  };

  test.each<[string, Said, unknown[]]>([
    ["it is well", {}, ["ok", "Apply", "Applied", ago(120), 0]],
    ["a pool starves", { status: "False", reason: "NoInstanceTypes" }, ["ok", "Apply", "NoInstanceTypes", ago(120), 0]],
    ["held", { status: "False", reason: "WrapperHeld" }, ["held", "Apply", "WrapperHeld", ago(120), 0]],
    ["refused by users", { status: "False", reason: "ApplyFailed" }, ["held", "Apply", "ApplyFailed", ago(120), 0]],
    ["holding", { status: "False", reason: "PolicyInvalid" }, ["held", "Hold", "PolicyInvalid", ago(120), 0]],
    ["failed", { status: "False", reason: "ClusterUnreadable" }, ["failed", "Apply", "ClusterUnreadable", ago(120), 0]],
    ["of a newer anp", { status: "False", reason: "Novel" }, [undefined, "Apply", "Novel", ago(120), 0]],
    ["changed a moment ago", { observed: 1, written: ago(1) }, ["ok", "Apply", "Applied", ago(120), 1]],
    ["changed long ago", { observed: 1, written: ago(16) }, ["untried", "Apply", "Applied", ago(120), 1]],
  ])("%s", (_, said, expected) => {
    expect(told({ policies: [policy(said)] })).toEqual(expected);
  });

  test("nothing is said yet: untried after a quarter of an hour", () => {
    expect(told({ policies: [policy(undefined, ago(14))] })).toEqual([undefined, undefined, undefined, undefined, 1]);
    expect(told({ policies: [policy(undefined, ago(16))] })).toEqual(["untried", undefined, undefined, undefined, 1]);
  });

  test("nobody works on it: untried, whatever was said last", () => {
    const nobody: Keeper = { state: "nobody", why: "nobody holds the shard 3" };
    expect(told({ policies: [policy({})] }, [], nobody)).toEqual(["untried", "Apply", "Applied", ago(120), 1]);
  });

  test("without a policy, or without a right to it, an event of the last hour tells", () => {
    expect(told({})).toEqual([undefined, undefined, undefined, undefined, 1]);
    expect(told({}, [event("WrapperHeld", 30)])).toEqual(["held", "Apply", "WrapperHeld", ago(30), 1]);
    expect(told({}, [event("WrapperHeld", 90)])).toEqual([undefined, undefined, undefined, undefined, 1]);
    const policies = [policy({})];
    expect(told({ policies }, [event("PolicyForbidden", 30)])).toEqual([
      "failed",
      "Hold",
      "PolicyForbidden",
      ago(30),
      1,
    ]);
    // The condition is younger, and tells what a policy's status can tell.
    expect(told({ policies }, [event("WrapperHeld", 30)])).toEqual(["ok", "Apply", "Applied", ago(120), 0]);
  });

  test("one that is going or paused is held", () => {
    const plane = (metadata: object, spec: object = {}) => ({
      kind: "HostedControlPlane",
      metadata: { namespace: NAMESPACE, name: "c1", ...metadata },
      spec,
    });
    const policies = [policy({})];
    expect(told({ policies, controlPlanes: [plane({ deletionTimestamp: ago(1) })] })[2]).toBe("HostedClusterGoing");
    expect(told({ policies, controlPlanes: [plane({}, { pausedUntil: "true" })] })[2]).toBe("HostedClusterPaused");
    expect(told({ policies, controlPlanes: [plane({}, { pausedUntil: ago(1) })] })[2]).toBe("Applied");
  });
});

describe("who keeps it", () => {
  const renewed = (seconds: number) => new Date(NOW.getTime() - seconds * 1000).toISOString();
  const lease = (name: string, holder: string, seconds: number, labels?: object) => ({
    metadata: { namespace: "anp", name, ...(labels === undefined ? {} : { labels }) },
    spec: { holderIdentity: holder, leaseDurationSeconds: 15, renewTime: renewed(seconds) },
  });
  const LABELS = { "anp.hypershift.openshift.io/watch": "anp-watch" };
  const member = (name: string, seconds: number, shards = "1") =>
    lease(`anp-watch.member.${name}`, name, seconds, {
      ...LABELS,
      "anp.hypershift.openshift.io/shards": shards,
      "anp.hypershift.openshift.io/shard-range": "0-0",
    });
  const shard = (holder: string) => lease("anp-watch.shard.0", holder, 1, LABELS);
  const keeper = (leases: readonly object[], expected?: boolean, aheadMs?: number) =>
    keepersOf({ ...stored({ leases }), aheadMs }, { expected }, NOW).of(NAMESPACE);

  test.each<[string, readonly object[], boolean | undefined, object]>([
    ["the holder of its shard", [member("a", 3), shard("a")], true, { state: "works", replica: "a" }],
    ["nobody", [member("a", 3), shard("")], true, { state: "nobody", why: "nobody holds the shard 0" }],
    ["one that is gone", [member("a", 16), shard("a")], true, { state: "nobody", why: "nobody holds the shard 0" }],
    ["no replica", [shard("a")], true, { state: "nobody", why: "no replica of anp-watch takes part" }],
    [
      "replicas that count otherwise",
      [member("a", 3), member("b", 3, "2"), shard("a")],
      true,
      { state: "unknown", why: "the replicas of anp-watch count their shards differently" },
    ],
    ["the leader", [lease("anp-watch", "pod_1", 3)], true, { state: "works", replica: "pod_1" }],
    [
      "a leader that is gone",
      [lease("anp-watch", "pod_1", 16)],
      true,
      { state: "nobody", why: "pod_1 has not renewed the Lease anp/anp-watch in time" },
    ],
    [
      "a Lease that nobody holds",
      [lease("anp-watch", "", 3)],
      true,
      { state: "nobody", why: "nobody holds the Lease anp/anp-watch" },
    ],
    ["no Lease", [], true, { state: "nobody", why: "there is no Lease" }],
  ])("%s", (_, leases, expected, who) => {
    expect(keeper(leases, expected)).toEqual(who);
  });

  test("without a Lease nobody can tell whether one alone runs", () => {
    expect(keeper([], false)).toMatchObject({ state: "unknown" });
    expect(keeper([], undefined)).toMatchObject({ state: "unknown" });
  });

  test("a clock that is wrong is known by the Leases that are renewed", () => {
    expect(keeper([lease("anp-watch", "pod_1", 3600)], true, -3_599_000)).toEqual({ state: "works", replica: "pod_1" });
  });
});

test("whatever would write is refused before any server hears of it", async () => {
  const asked: string[] = [];
  const api = new Proxy({} as Parameters<typeof readingOnly>[0], {
    ownKeys: () => METHODS,
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
    get: (_, name) => (name === "server" ? "here" : () => asked.push(String(name))),
  });
  const looked = readingOnly(api) as unknown as Record<string, () => unknown>;
  for (const method of METHODS) await looked[method]!();
  expect(asked).toEqual(["list", "get", "watch", "discover", "answers", "isReady", "close", "requests"]);
});

const METHODS = [
  "list",
  "get",
  "watch",
  "discover",
  "answers",
  "isReady",
  "close",
  "requests",
  "apply",
  "replaceSpec",
  "replaceManagedFields",
  "remove",
  "patchStatus",
  "replace",
  "create",
  "patch",
  "whoAmI",
];
