/** All moves of Karpenter in random clusters. */
import { describe, expect, it } from "vitest";
import { changingClusterOf } from "../../../test/support/disruption-worlds/disruption-of-world.ts";
import { disruptionWorldOf } from "../../../test/support/disruption-worlds/generate.ts";
import { gatesOf } from "../../../test/support/disruption-worlds/moves-by-anp.ts";
import { seedOf } from "../../../test/support/property/seed.ts";
import { idOf } from "../../karpenter/consolidation/remove-nodes.ts";
import { commandsOf, METHODS } from "../moves/next-command.ts";
import { allMoves } from "./all-moves.ts";
import type { ChangingCluster } from "./changing-cluster.ts";
import { sumOf } from "./describe-moves.ts";

const WORLDS = 30;
const MOST = 25;
const FIRST = seedOf("all moves", 34);

function clusterOf(seed: number): ChangingCluster {
  const world = disruptionWorldOf(seed);
  const cluster = changingClusterOf(world, gatesOf(world), Date.parse(world.now));
  cluster.finish();
  return cluster;
}

/** Pods that some node has or that wait, but for those that belong to their node. */
function podsOf({ disruption: { nodeOf, cluster } }: ChangingCluster): string[] {
  const onNodes = [...nodeOf.keys()].flatMap(({ life }) => life.pods.filter(({ reschedulable }) => reschedulable));
  return [...onNodes.map(({ name }) => name), ...cluster.pending.map(idOf)].toSorted();
}

describe.each(Array.from({ length: WORLDS }, (_, at) => FIRST + at))("seed %i", (seed) => {
  const cluster = clusterOf(seed);
  const [pods, before] = [podsOf(cluster), sumOf(cluster.disruption)];
  const [firstMethod, first] = METHODS.map((method) => [method, commandsOf(method, cluster.disruption)] as const).find(
    ([, commands]) => commands.length > 0,
  ) ?? [undefined, []];
  const allowed = cluster.disruption.allowed("Underutilized");
  const found = allMoves(cluster, MOST);

  it("begins with the next command of the controller", () => {
    expect(found.moves[0]?.method).toBe(firstMethod);
    expect(found.moves.slice(0, first.length).map(({ command }) => command)).toStrictEqual(first);
    if (firstMethod === "multi-node" || firstMethod === "single-node")
      for (const [pool, own] of Map.groupBy(found.moves[0]!.command.candidates, ({ pool: { name } }) => name))
        expect(own.length).toBeLessThanOrEqual(allowed.get(pool)!);
  });

  it("ends where the controller finds nothing", () => {
    const left = METHODS.map((method) => commandsOf(method, cluster.disruption)).filter(({ length }) => length > 0);
    expect(left.length === 0).toBe(found.stops === "settled");
  });

  it("loses no pod", () => {
    expect(podsOf(cluster)).toStrictEqual(pods);
  });

  it("makes the cluster cheaper if it only consolidates", () => {
    const isConsolidation = found.moves.every(
      ({ method, outcome, command }) =>
        (method === "multi-node" || method === "single-node") && outcome.started.length <= command.replacements.length,
    );
    const after = sumOf(cluster.disruption);
    if (isConsolidation && before.hourly !== null && after.hourly !== null)
      expect(after.hourly).toBeLessThanOrEqual(before.hourly);
  });
});
