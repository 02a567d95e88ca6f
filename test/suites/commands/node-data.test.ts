/** A dump named by `--node-data` inside the manifests provides only the nodes. */
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Ended } from "../../support/process/built.ts";
import { commitAll, git } from "../../support/process/repositories.ts";
import { runAnp } from "../../support/process/run-anp.ts";
import { addFiles, folderWith, policy, pool } from "../../support/process/inputs.ts";

const CLAIM = {
  apiVersion: "karpenter.sh/v1",
  kind: "NodeClaim",
  metadata: { name: "web-a", labels: { "karpenter.sh/nodepool": "web", "kubernetes.io/arch": "amd64" } },
  spec: { nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" }, requirements: [] },
  status: { nodeName: "web-a" },
};
const RAW_POOL = {
  apiVersion: "karpenter.sh/v1",
  kind: "NodePool",
  metadata: { name: "raw" },
  spec: { template: { spec: { nodeClassRef: CLAIM.spec.nodeClassRef, requirements: [] } } },
};
const listOf = (...items: readonly object[]): string => JSON.stringify({ apiVersion: "v1", kind: "List", items });

const files = { "in/policy.yaml": policy(), "in/web.yaml": pool("web"), "in/nodes.json": listOf(CLAIM) };

function nodes(ended: Ended): unknown {
  expect([0, 1], ended.stderr).toContain(ended.exit);
  const { nodePools } = JSON.parse(ended.stdout) as { nodePools: { name: string; nodes: number }[] };
  return nodePools.map(({ name, nodes: count }) => [name, count]);
}

describe("anp simulate", () => {
  const simulate = async (cwd: string, ...args: string[]) =>
    nodes(await runAnp(["simulate", ...args, "-o", "json"], { cwd }));

  it("counts each node once, whatever path or link names the dump", async () => {
    const cwd = folderWith(files);
    symlinkSync("in/nodes.json", join(cwd, "link.json"));
    for (const name of ["in/nodes.json", "./in/../in/nodes.json", join(cwd, "in/nodes.json"), "link.json"])
      expect(await simulate(cwd, "in", "--node-data", name)).toStrictEqual([["web", 1]]);
  });

  it("takes no pool of the dump, unless PATH names only the dump", async () => {
    const cwd = folderWith({ ...files, "in/nodes.json": listOf(CLAIM, RAW_POOL) });
    expect(await simulate(cwd, "in", "--node-data", "in/nodes.json")).toStrictEqual([["web", 1]]);
    expect(await simulate(cwd, "in/nodes.json", "--node-data", "in/nodes.json")).toStrictEqual([["raw", 0]]);
  });
});

describe("anp diff", () => {
  const diff = (cwd: string, ...args: string[]) => runAnp(["diff", ...args, "-o", "json"], { cwd });
  const narrow = policy("clusters-shop", "[arm64]");
  const affected = (ended: Ended): unknown => {
    expect(ended).toMatchObject({ exit: 1, stderr: expect.not.stringContaining("error:") as string });
    const { changes } = JSON.parse(ended.stdout) as { changes: { nodes: { affected: number } }[] };
    return changes.map(({ nodes: { affected: count } }) => count);
  };

  it("never reads it as a manifest, on either side, in a directory or a commit", async () => {
    const cwd = folderWith({ ...files, "old/nodes.json": listOf(CLAIM), "old/policy.yaml": policy() });
    addFiles(cwd, { "old/web.yaml": pool("web"), "in/policy.yaml": narrow });
    expect(await diff(cwd, "in", "--against", "old", "--node-data", "in/nodes.json")).toMatchObject({ exit: 3 });
    const link = folderWith({
      ...files,
      "in/policy.yaml": narrow,
      "old/policy.yaml": policy(),
      "old/web.yaml": pool("web"),
    });
    symlinkSync("../in/nodes.json", join(link, "old/nodes.json"));
    expect(affected(await diff(link, "in", "--against", "old", "--node-data", "in/nodes.json"))).toStrictEqual([1]);
    addFiles(cwd, { "in/policy.yaml": policy() });
    git(cwd, "init", "--quiet", "--initial-branch=main");
    commitAll(cwd);
    addFiles(cwd, { "in/policy.yaml": narrow, "in/nodes.json": listOf(CLAIM, CLAIM) });
    expect(affected(await diff(cwd, "in", "--against", "main", "--node-data", "in/nodes.json"))).toStrictEqual([2]);
  });
});
