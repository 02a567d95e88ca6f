/** `anp plan --savings`: each constraint saves what a plan of manifests without it saves. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { PlanAnswer } from "../../../src/analyze/plan/plan-answer.ts";
import { ROOT } from "../../support/process/built.ts";
import { folderWith } from "../../support/process/inputs.ts";
import { runAnp } from "../../support/process/run-anp.ts";

const CASE = join(ROOT, "fixtures/cases/plan/savings");
const [POOLS, CLUSTER, CATALOGUE] = ["in/pools.yaml", "cluster.yaml", "catalogue.json"].map((file) =>
  readFileSync(join(CASE, file), "utf8"),
) as [string, string, string];

async function plan(pools: string, cluster: string, how: string): Promise<PlanAnswer> {
  const cwd = folderWith({ "pools.yaml": pools, "cluster.yaml": cluster, "catalogue.json": CATALOGUE });
  const options = ["--node-data", "cluster.yaml", "--catalogue", "catalogue.json", "-o", "json"];
  const { stdout } = await runAnp(["plan", "pools.yaml", ...options, how], { cwd });
  return JSON.parse(stdout) as PlanAnswer;
}

const ANTI_AFFINITY = /\n {6}affinity:\n.*\n.*\n.*topologyKey: kubernetes.io\/hostname.*/g;
const SELECTOR = /\n {6}nodeSelector: .*/g;

describe("a constraint alone", () => {
  it.each<[string, string, string, string]>([
    ["pod-anti-affinity", "Deployment shop/web", POOLS, CLUSTER.replaceAll(ANTI_AFFINITY, "")],
    ["requirement", "NodePool general", POOLS.replace(/.*capacity-type.*\n/, ""), CLUSTER],
  ])("%s of %s", async (kind, resource, pools, cluster) => {
    const [now, without] = await Promise.all([plan(POOLS, CLUSTER, "--empty"), plan(pools, cluster, "--empty")]);
    const { savings } = await plan(POOLS, CLUSTER, "--savings");
    expect(savings).toMatchObject({
      packed: { nodes: { most: now.summary.nodes }, hourly: { most: now.summary.hourly } },
      running: { nodes: 5, unpriced: 0, hourly: 0.96 },
    });
    const found = savings?.constraints.find((one) => one.kind === kind && one.resource === resource);
    expect(found?.nodes.most).toBe(now.summary.nodes - without.summary.nodes);
    expect(found?.hourly?.most).toBeCloseTo(now.summary.hourly! - without.summary.hourly!, 6);
  });

  it("that saves nothing is not named", async () => {
    const without = await plan(POOLS, CLUSTER.replaceAll(SELECTOR, ""), "--empty");
    const { savings } = await plan(POOLS, CLUSTER, "--savings");
    expect(savings?.packed.hourly?.most).toBe(without.summary.hourly);
    expect(savings?.constraints.map(({ kind }) => kind)).not.toContain("node-selection");
  });
});

it.each([
  [["--savings"], "--savings compares with what runs in a cluster: add --live or --node-data"],
  [
    ["--savings", "--empty", "--node-data", "cluster.yaml"],
    "--empty forgets what runs, and --savings compares with it: give one of them",
  ],
])("%j is wrong use", async (options, words) => {
  const { exit, stderr } = await runAnp(["plan", "in", ...options], { cwd: CASE });
  expect([exit, stderr]).toStrictEqual([2, `anp: ${words}\nSee anp plan --help.\n`]);
});
