/** What metrics say of a cluster: how it stands in one word, and of the pools of users no more than some. */
import { expect, test } from "vitest";
import type { ClusterState } from "../../../src/cluster/fleet/fleet.ts";
import { fleetState } from "../../../src/cluster/fleet/fleet-state.ts";
import { nearestLimits } from "../../../src/cluster/fleet/figures.ts";
import { resultOf } from "../../../src/cluster/serve/metrics.ts";

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
  ["paused by somebody", { phase: "paused", isPaused: true, ...ended }, 16 * MINUTE, undefined],
])("%s", (_, state, now, result) => {
  expect(resultOf({ ...empty!, ...state }, now)).toBe(result);
});

test("of many pools with a limit those nearest to it are told", () => {
  const pools = Array.from({ length: 1000 }, (_, index) => ({ pool: `p${index}`, limit: 1000, nodes: index }));
  const told = nearestLimits(pools);
  expect(told).toHaveLength(50);
  expect(told[0]?.pool).toBe("p999");
});
