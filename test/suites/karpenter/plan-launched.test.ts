/** Plans are what a real Karpenter launches: sixty random worlds of 5 to 200 pods, on one control plane. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Catalogue } from "../../../src/karpenter/catalogue/catalogue.ts";
import { readCatalogue } from "../../../src/karpenter/catalogue/read-catalogue.ts";
import { type ControlPlane, startControlPlane } from "../../support/controlplane/control-plane.ts";
import { printedCatalogue } from "../../support/karpenter/instance-types.ts";
import { CLUSTER } from "../../support/go/programs.ts";
import { type Karpenter, startKarpenter } from "../../support/karpenter/start-karpenter.ts";
import { compareLaunch, type LaunchedWorld, launchWorld, prepare } from "../../support/plan-launched/compare-launch.ts";
import { kwokTypes, randomWorld, typesOfWorlds } from "../../support/plan-launched/worlds.ts";
import { seedOf } from "../../support/property/seed.ts";
import type { WorldType } from "../../support/plan-worlds/world.ts";

const WORLDS = 60;

// A plan is that of Karpenter 1.15.
describe.skipIf(CLUSTER.karpenter !== "1.15")("Karpenter with the kwok provider", () => {
  const seed = seedOf("planned and launched", 20_261_127);
  let folder: string;
  let controlPlane: ControlPlane;
  let karpenter: Karpenter;
  let types: readonly WorldType[];
  let catalogue: Catalogue;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "anp-launched-"));
    const file = join(folder, "instance-types.json");
    types = typesOfWorlds(seed);
    await writeFile(file, JSON.stringify(kwokTypes(types)));
    const read = readCatalogue(await printedCatalogue(file), "kwok");
    if ("problem" in read) throw new Error(read.problem.message);
    ({ catalogue } = read);
    controlPlane = await startControlPlane();
    karpenter = await startKarpenter(controlPlane, file, { LOG_LEVEL: "debug", BATCH_IDLE_DURATION: "1s" });
    await prepare(controlPlane);
  });

  afterEach(({ task }) => {
    // oxlint-disable-next-line no-console
    if (task.result?.state === "fail") console.error(karpenter?.log().slice(-10_000));
  });

  afterAll(async () => {
    await karpenter?.stop();
    await controlPlane?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test(`launches what anp plans, in ${WORLDS} worlds`, async () => {
    const worlds: LaunchedWorld[] = [];
    for (let at = 0; worlds.length < WORLDS; at++) {
      const world = await launchWorld(karpenter, randomWorld(seed + at, types));
      if (world !== undefined) worlds.push(world);
    }
    const differences = worlds.flatMap((one) => compareLaunch(one, catalogue) ?? []);
    const counts: Record<string, number> = {};
    for (const feature of worlds.flatMap(({ world }) => world.features)) counts[feature] = (counts[feature] ?? 0) + 1;
    const sum = (of: (one: LaunchedWorld) => number) => worlds.reduce((total, one) => total + of(one), 0);
    const sums = {
      pods: sum(({ launched }) => launched.pods.length),
      nodeClaims: sum(({ launched }) => launched.claims.length),
      pending: sum(({ launched }) => Object.keys(launched.failed).length),
      again: sum(({ again }) => again),
    };
    console.log(`planned and launched: ${JSON.stringify(sums)}, worlds by feature ${JSON.stringify(counts)}`);
    expect(differences).toStrictEqual([]);
    expect(sums.nodeClaims).toBeGreaterThan(WORLDS);
  }, 1_800_000);
});
