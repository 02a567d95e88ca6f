/** The worlds of Karpenter's own benchmark, by its scheduler and by anp: the same plans, in less time. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inTurn } from "../../support/bench/measure.ts";
import { askKarpenterByName } from "../../support/plan-worlds/ask-karpenter.ts";
import { benchmarkWorld } from "../../support/plan-worlds/benchmark-world.ts";
import { differenceOf } from "../../support/plan-worlds/compare.ts";
import { planOf } from "../../support/plan-worlds/plan-by-anp.ts";
import { timeOfAnp, timeOfKarpenter } from "../../support/plan-worlds/time-solving.ts";
import { podsOf } from "../../support/plan-worlds/world.ts";
import { BIN, buildOnce } from "../../support/process/built.ts";

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "anp-plan-speed-"));
  await buildOnce();
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each([1, 50, 500])("the plan of %i diverse pods is Karpenter's", async (pods) => {
  const world = benchmarkWorld(pods);
  const [theirs] = await askKarpenterByName([world]);
  if (typeof theirs === "string") throw new Error(theirs);
  expect(differenceOf(world, planOf(world), [theirs!])).toBeUndefined();
});

test("solving takes less processor time than Karpenter's Solve on one core", async () => {
  const world = benchmarkWorld(1000);
  const [own, theirs] = [timeOfAnp(world), await timeOfKarpenter(world)];
  console.log(`1,000 pods: anp ${own.milliseconds} ms, Karpenter ${theirs.milliseconds} ms`);
  expect(own.nodeClaims).toBe(theirs.nodeClaims);
  expect(own.milliseconds).toBeLessThan(theirs.milliseconds);
});

test("twice the pods take at most 2.5 times the time", () => {
  const [some, many] = [10_000, 20_000].map((pods) => timeOfAnp(benchmarkWorld(pods)).milliseconds) as [number, number];
  console.log(`10,000 pods: ${some} ms, 20,000: ${many} ms`);
  expect(many / some).toBeLessThan(2.5);
});

test("10,000 pods over the whole catalogue need less than 600 MB", async () => {
  const zones = {
    key: "topology.kubernetes.io/zone",
    operator: "In",
    values: ["us-east-1a", "us-east-1b", "us-east-1c"],
  };
  const { pools, workloads } = benchmarkWorld(10_000, []);
  const [pool] = pools as [{ spec: { template: { spec: object } } }];
  const template = { spec: { ...pool.spec.template.spec, requirements: [zones] } };
  const write = (name: string, objects: readonly object[]): string => {
    const path = join(folder, name);
    writeFileSync(path, objects.map((object) => JSON.stringify(object)).join("\n---\n"));
    return path;
  };
  const planned = write("pools.yaml", [{ ...pool, spec: { template } }]);
  const args = ["plan", planned, "--pods", write("pods.yaml", workloads.flatMap(podsOf)), "-o", "json"];
  const [measured] = await inTurn([{ program: process.execPath, args: [BIN, ...args] }], 1, 600_000);
  console.log(`10,000 pods over the whole catalogue: ${measured?.memory} MiB`);
  expect(measured!.memory * 2 ** 20).toBeLessThan(600e6);
});
