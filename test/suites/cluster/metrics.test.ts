/** What metrics say of a cluster: how it stands in one word, and of the pools of users no more than some. */
import { expect, test } from "vitest";
import type { ClusterState } from "../../../src/cluster/fleet/fleet.ts";
import { fleetState } from "../../../src/cluster/fleet/fleet-state.ts";
import { nearestLimits } from "../../../src/cluster/fleet/figures.ts";
import { fleetMetrics, resultOf } from "../../../src/cluster/serve/metrics.ts";

const [empty] = fleetState([{ name: "c1", hostedCluster: "clusters-c1" }], () => undefined).fleet.clusters();
const figures = { result: "held" } as ClusterState["figures"];
const ended = { figures, lastEnd: new Date(0), passes: { ok: 0, held: 1, failed: 0 } };
const MINUTE = 60_000;

test.each<[string, Partial<ClusterState>, number, string | undefined]>([
  ["starting", {}, 0, undefined],
  ["no pass has ended", { phase: "running" }, MINUTE, "untried"],
  ["held", { phase: "waiting", ...ended }, MINUTE, "held"],
  ["broken", { phase: "backing-off", ...ended, figures: undefined }, MINUTE, "failed"],
  ["queued for long", { phase: "queued", ...ended }, 16 * MINUTE, "untried"],
  ["another replica keeps it", { phase: "standby", ...ended }, MINUTE, undefined],
  ["paused by a user", { phase: "paused", isPaused: true, ...ended }, 16 * MINUTE, undefined],
])("%s", (_, state, now, result) => {
  expect(resultOf({ ...empty!, ...state }, now)).toBe(result);
});

test("of many pools with a limit those nearest to it are told", () => {
  const pools = Array.from({ length: 1000 }, (_, index) => ({ pool: `p${index}`, limit: 1000, nodes: index }));
  const told = nearestLimits(pools);
  expect(told).toHaveLength(50);
  expect(told[0]?.pool).toBe("p999");
});

function metricsOf(...names: readonly string[]) {
  const state = fleetState([], () => undefined);
  const requests = { requests: () => ({}) } as never;
  const shards = { api: requests, count: 8, held: () => 3, replicas: () => 2 };
  const replica = { discovery: requests, shards };
  const clusters = () => [];
  const metrics = fleetMetrics({ fleet: state.fleet, clusters, lease: undefined, concurrency: 1, replica });
  const reporters = names.map((name) => state.add({ name, hostedCluster: name }));
  return { state, metrics, reporters };
}

test("replicas that share tell how many shards there are, and of no leader", async () => {
  const lines = (await metricsOf().metrics.text()).split("\n");
  expect(lines).toContain("anp_shards 8");
  expect(lines).toContain("anp_shards_held 3");
  expect(lines.filter((line) => line.startsWith("anp_leader"))).toEqual([]);
});

test("a cluster that is gone has no metrics, and one that stays has all", async () => {
  const { state, metrics, reporters } = metricsOf("gone", "stays");
  const samples = async (name: string) =>
    (await metrics.text()).split("\n").filter((line) => line.includes(`cluster="${name}"`)).length;
  for (const name of ["gone", "stays"]) metrics.took(name, 1);
  const before = await samples("gone");
  expect(before).toBeGreaterThan(10);
  state.remove(reporters[0]!);
  expect([await samples("gone"), await samples("stays")]).toEqual([0, before]);
  // A cluster's last pass may be reported after it has gone.
  metrics.took("gone", 1);
  expect(await samples("gone")).toBe(0);
});
