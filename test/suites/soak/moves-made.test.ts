/** A real Karpenter disrupts the nodes of random clusters as anp foresees, and says of those that stay what anp says. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readCatalogue } from "../../../src/karpenter/catalogue/read-catalogue.ts";
import { startControlPlane } from "../../support/controlplane/control-plane.ts";
import { printedCatalogue } from "../../support/karpenter/instance-types.ts";
import { createNodeClass } from "../../support/karpenter/pools.ts";
import { startKarpenter } from "../../support/karpenter/start-karpenter.ts";
import { differenceOf, GATES, unsaidOf } from "../../support/moves-made/compare.ts";
import { clearWorld, type MadeMoves, NOMINATED, runWorld } from "../../support/moves-made/run-world.ts";
import { kwokTypes, type MovesWorld, movesWorld } from "../../support/moves-made/worlds.ts";
import { casesOf, soakSeed } from "../../support/soak/size.ts";

/** Most of the time Karpenter waits. */
const AT_ONCE = 4;

interface RunWorld {
  readonly world: MovesWorld;
  readonly made: MadeMoves;
}

test("Karpenter makes the moves that anp foresees", async () => {
  const count = casesOf(30, 6);
  const seed = soakSeed("moves made");
  const folder = await mkdtemp(join(tmpdir(), "anp-moves-"));
  try {
    const file = join(folder, "instance-types.json");
    await writeFile(file, JSON.stringify(kwokTypes()));
    const read = readCatalogue(await printedCatalogue(file), "kwok");
    if ("problem" in read) throw new Error(read.problem.message);
    const worlds = Array.from({ length: count }, (_, at) => movesWorld(seed + at));
    const left = [...worlds];
    const run = (await Promise.all(Array.from({ length: AT_ONCE }, () => runWorlds(left, file)))).flat();
    const counts: Record<string, number> = {};
    for (const { reason, decision } of run.flatMap(({ made }) => made.moves))
      counts[`${reason} ${decision}`] = (counts[`${reason} ${decision}`] ?? 0) + 1;
    const said = run.reduce((sum, { made }) => sum + made.said.size, 0);
    console.log(`moves made: ${run.length} clusters, ${JSON.stringify(counts)}, nodes with events at the end: ${said}`);
    expect(run.flatMap(({ world, made }) => differenceOf(world, made, read.catalogue) ?? [])).toStrictEqual([]);
    expect(run.flatMap(({ world, made }) => unsaidOf(world, made, read.catalogue))).toStrictEqual([]);
    expect(run.length).toBe(count);
    expect(Object.values(counts).reduce((sum, moves) => sum + moves, 0)).toBeGreaterThan(count / 2);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}, 3_600_000);

/** One Karpenter, with one cluster after the other. */
async function runWorlds(left: MovesWorld[], types: string): Promise<RunWorld[]> {
  const controlPlane = await startControlPlane();
  const featureGates = Object.entries(GATES).map(([name, isOn]) => `${name}=${isOn}`);
  const karpenter = await startKarpenter(controlPlane, types, {
    FEATURE_GATES: featureGates.join(","),
    BATCH_MAX_DURATION: NOMINATED.BATCH_MAX_DURATION,
  });
  try {
    await createNodeClass(controlPlane);
    const run: RunWorld[] = [];
    for (let world = left.shift(); world !== undefined; world = left.shift()) {
      run.push({ world, made: await runWorld(karpenter, world) });
      await clearWorld(controlPlane);
    }
    return run;
  } finally {
    await karpenter.stop();
    await controlPlane.stop();
  }
}
