/** The built program gives the same as its sources: each command once, both streams, and exit codes. */
import { readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { anp, BIN, buildOnce, QUICKSTART, ROOT } from "../../support/process/built.ts";
import { folderWith, outsider, policy, pool } from "../../support/process/inputs.ts";
import { PACKAGE } from "../../support/process/packages.ts";
import { listOf } from "../../support/process/resource-lists.ts";
import { runAnp } from "../../support/process/run-anp.ts";

beforeAll(buildOnce);

const CLUSTER = `${policy()}---\n${pool()}`;
const BYPASSED = `${policy("clusters-shop", "[a]", "example.com/team")}---\n${outsider}`;
const V1BETA1 = `apiVersion: karpenter.sh/v1beta1
kind: NodePool
metadata: {name: web}
spec: {template: {spec: {nodeClassRef: {name: default}, requirements: []}}}
`;
const POD = `apiVersion: v1
kind: Pod
metadata: {name: web}
spec: {containers: [{name: web, resources: {requests: {cpu: "1"}}}]}
`;
const AT = "2026-11-23T09:30:00Z";

const RUNS: readonly (readonly [args: readonly string[], input: string, exit: number])[] = [
  [["render"], CLUSTER, 0],
  [["render"], BYPASSED, 1],
  [["render", "--outputdir", "x"], CLUSTER, 2],
  [["render"], "a: [", 3],
  [["check"], CLUSTER, 0],
  [["doctor", "cluster"], "", 0],
  [["explain"], CLUSTER, 0],
  [["explain", "--event", "-", "cluster"], "Can't replace with a cheaper node", 0],
  [["plan", "cluster", "--pods", "-"], POD, 0],
  [["why", "node/a", "cluster"], "", 2],
  [["rollout", "plan", "cluster", "--waves", "rest"], "", 2],
  [["mcp", "--help"], "", 0],
  [["diff", QUICKSTART, "--against", "cluster"], "", 1],
  [["diff", QUICKSTART, "--live"], "", 4],
  [["simulate", "--at", AT], CLUSTER, 0],
  [["collect", "dumps", "--live"], "", 4],
  [["adopt"], V1BETA1.replace("v1beta1", "v1"), 1],
  [["migrate"], V1BETA1, 0],
  [["cmp", "parameters"], "", 0],
  [["fn"], listOf(PACKAGE), 0],
  [["get", "nodepools", "--now", AT], V1BETA1.replace("v1beta1", "v1"), 0],
  [["crds"], "", 0],
  [["watch", QUICKSTART, "--once", "--hosted-cluster", "clusters-shop", "--guest-kubeconfig", "none"], "", 4],
  [["guard", "cluster/all.yaml"], "", 1],
  [["webhook", "--cert", "none"], "", 2],
  [["catalogue", "--where", "karpenter.k8s.aws/instance-family=m7g"], "", 0],
  [["completion", "bash"], "", 0],
  [["__complete", "--", "render", "-o", ""], "", 0],
  [["--help"], "", 0],
  [["--version"], "", 0],
  [["version"], "", 0],
  [["help", "link-outside"], "", 0],
  [["rendr"], "", 2],
  // HyperShift decides which Karpenter it runs.
  [["upgrade", "--from", "1.14", "--to", "1.15", "cluster"], "", 2],
];

it.each(RUNS)("%j", async (args, input, exit) => {
  const cwd = folderWith({ "cluster/all.yaml": CLUSTER });
  const surroundings = { cwd, input, env: { HOME: cwd } };
  const ended = anp(args, surroundings);
  expect(ended).toStrictEqual(await runAnp(args, surroundings));
  expect(ended.exit, ended.stderr).toBe(exit);
});

it("is called for each command", () => {
  const files = readdirSync(join(ROOT, "src/commands")).filter((name) => /^[a-z]+\.ts$/.test(name));
  const asked = new Set(RUNS.map(([[command]]) => `${command}.ts`));
  expect(files.filter((name) => !asked.has(name))).toStrictEqual([]);
});

it("renders the same through a link to it", () => {
  const bin = join(folderWith({}), "anp");
  symlinkSync(BIN, bin);
  expect(anp(["render", "."], { cwd: QUICKSTART, bin })).toStrictEqual(anp(["render", "."], { cwd: QUICKSTART }));
});
