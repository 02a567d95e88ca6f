/** `anp why`: what a name means, where nodes and pools come from, and every form of the answer. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { WhyAnswer } from "../../../src/analyze/why/why-answer.ts";
import { ROOT } from "../../support/process/built.ts";
import { folderWith } from "../../support/process/inputs.ts";
import { runAnp } from "../../support/process/run-anp.ts";

const CLUSTER = readFileSync(join(ROOT, "fixtures/why/cluster.yaml"), "utf8");
const AT = ["--at", "2026-11-23T09:00:00Z"];

const cwd = join(ROOT, "fixtures/why");

async function why(...args: string[]): Promise<WhyAnswer> {
  const { stdout, stderr, exit } = await runAnp(["why", ...args, ...AT, "-o", "json"], { cwd });
  expect([exit, stderr]).toStrictEqual([0, ""]);
  return JSON.parse(stdout) as WhyAnswer;
}

describe("names", () => {
  it.each<[string, Partial<WhyAnswer>]>([
    ["ip-10-0-1-7", { kind: "node", node: "ip-10-0-1-7", nodePool: "web" }],
    ["node/ip-10-0-1-7", { kind: "node", node: "ip-10-0-1-7" }],
    ["web-a1", { kind: "node", node: "ip-10-0-1-7" }],
    ["nodeclaim/web-a1", { kind: "node", node: "ip-10-0-1-7" }],
    ["nodepool/web", { kind: "nodepool", nodePool: "web" }],
    ["edge", { kind: "nodepool", nodePool: "edge" }],
    ["pod/shop/db-0", { kind: "pod", node: "ip-10-0-1-7" }],
    ["shop/db-0", { kind: "pod", node: "ip-10-0-1-7" }],
    ["db-0", { kind: "pod", node: "ip-10-0-1-7" }],
  ])("%s", async (name, expected) => {
    expect(await why(name, "cluster.yaml")).toMatchObject(expected);
  });

  it.each<[string, string]>([
    ["ip-10-0-1-8", "there is no node, pod or NodePool ip-10-0-1-8 among the input; did you mean ip-10-0-1-7?"],
    ["node/web", "there is no node web among the input"],
    ["nodepool/wed", "there is no NodePool wed among the input; did you mean web?"],
    ["pod/__proto__", "there is no pod __proto__ among the input"],
  ])("%s is none", async (name, problem) => {
    const { exit, stderr } = await runAnp(["why", name, "cluster.yaml", ...AT], { cwd });
    expect(exit).toBe(2);
    expect(stderr).toContain(problem);
  });

  it("that several objects have", async () => {
    const folder = folderWith({ "cluster.yaml": CLUSTER.replaceAll("name: web-2", "name: edge") });
    const { exit, stderr } = await runAnp(["why", "edge", "cluster.yaml", ...AT], { cwd: folder });
    expect(exit).toBe(2);
    expect(stderr).toContain("edge is 2 objects: write pod/shop/edge, nodepool/edge");
  });
});

describe("inputs", () => {
  const [head, ...objects] = CLUSTER.split("\n  - apiVersion: ");
  const list = (kept: (object: string) => boolean) =>
    [head, ...objects.filter(kept).map((one) => `  - apiVersion: ${one}`)].join("\n");
  const isPool = (object: string) => /^\S+\n {4}kind: (?:NodePool|EC2NodeClass)\n/.test(object);
  const split = () =>
    folderWith({
      "pools/pools.yaml": list(isPool),
      "nodes.yaml": list((object) => !isPool(object)),
      "cluster.yaml": CLUSTER,
    });

  it("are the same in every place", async () => {
    const expected = await why("ip-10-0-1-7", "cluster.yaml");
    const folder = split();
    for (const args of [
      ["why", "ip-10-0-1-7", "--node-data", "cluster.yaml"],
      ["why", "ip-10-0-1-7", "pools", "--node-data", "nodes.yaml"],
      ["why", "ip-10-0-1-7", "pools", "nodes.yaml"],
    ]) {
      const { stdout } = await runAnp([...args, ...AT, "-o", "json"], { cwd: folder });
      expect([args, JSON.parse(stdout)]).toStrictEqual([args, expected]);
    }
  });

  it.each<[string[], string]>([
    [["why", "web", "pools"], "anp why asks about nodes that are there"],
    [["why", "web", "--node-data", "nodes.yaml"], "the input has no NodePool"],
    [["why", "web", "--node-data", "nodes.yaml", "--live"], "both provide the nodes"],
    [["why", "web", "cluster.yaml", "--at", "yesterday"], "--at yesterday is no time"],
    [["why"], "missing required argument 'name'"],
  ])("%j: %s", async (args, problem) => {
    const { exit, stderr } = await runAnp(args, { cwd: split() });
    expect([exit, stderr.includes(problem) ? problem : stderr]).toStrictEqual([2, problem]);
  });
});

describe("forms", () => {
  it("explain node/NAME answers the same", async () => {
    const [own, explained] = await Promise.all(
      ["why", "explain"].map((command) => runAnp([command, "node/ip-10-0-4-1", "cluster.yaml"], { cwd })),
    );
    expect(explained!.stdout).toBe(own!.stdout);
  });

  it("shows the nodes of a pool with their codes", async () => {
    const { stdout } = await runAnp(["why", "web", "cluster.yaml", ...AT, "-o", "markdown"], { cwd });
    expect(stdout).toContain("| ip-10-0-3-9 | not-empty | not-drifted +1 | may go | repair-off +1 | not-expired |");
  });

  it("is a page without anything that the input writes as mark-up", async () => {
    const folder = folderWith({ "cluster.yaml": CLUSTER.replaceAll("name: job-9", "name: '<b>job</b>'") });
    const { stdout } = await runAnp(["why", "ip-10-0-1-7", "cluster.yaml", ...AT, "-o", "html"], { cwd: folder });
    expect(stdout).toContain("anp why ip-10-0-1-7");
    expect(stdout).toContain("shop/&lt;b&gt;job&lt;/b&gt;");
    expect(stdout).not.toContain("<b>job");
  });

  it("counts what is over later", async () => {
    const later = ["--at", "2026-11-23T19:00:00Z", "-o", "json"];
    const { stdout } = await runAnp(["why", "ip-10-0-2-3", "cluster.yaml", ...later], { cwd });
    const { reasons } = JSON.parse(stdout) as WhyAnswer;
    expect(reasons.map(({ reason, blockers }) => [reason, blockers.map(({ code }) => code)])).toStrictEqual([
      ["Empty", ["node-nominated", "consolidate-after"]],
      ["Drifted", ["node-nominated", "not-drifted"]],
      ["Underutilized", ["node-nominated", "empty", "consolidate-after"]],
      ["Unhealthy", ["node-nominated", "repair-off", "healthy"]],
      ["Expired", ["not-expired"]],
    ]);
  });

  it("costs what its type costs", async () => {
    const { monthly, notes } = await why("ip-10-0-1-7", "cluster.yaml");
    expect(monthly).toStrictEqual({ monthly: 140.16, currency: "USD", basis: "m5.xlarge, on-demand" });
    expect(notes).toStrictEqual(["nothing makes shop/debug again: no controller owns it"]);
  });
});

describe("where the pods of a node would go", () => {
  const whyIn = async (cluster: string, node: string, ...more: string[]): Promise<WhyAnswer> => {
    const folder = folderWith({ "cluster.yaml": cluster });
    const { stdout } = await runAnp(["why", node, "cluster.yaml", ...AT, "-o", "json", ...more], { cwd: folder });
    return JSON.parse(stdout) as WhyAnswer;
  };
  const removalIn = ({ reasons }: WhyAnswer, reason: string) => reasons.find((one) => one.reason === reason)!.removal;
  const codesIn = ({ reasons }: WhyAnswer, reason: string) =>
    reasons.find((one) => one.reason === reason)!.blockers.map(({ code }) => code);

  it("counts all of them if some hold the node, and none of those that are pending", async () => {
    const answer = await why("ip-10-0-1-7", "cluster.yaml");
    expect(removalIn(answer, "Underutilized")).toMatchObject({
      outcome: "delete",
      moves: [{ node: "ip-10-0-3-9", pods: ["shop/db-0", "shop/job-9", "shop/web-1", "shop/debug"] }],
      before: 0.192,
      after: 0,
    });
    expect(codesIn(answer, "Underutilized")).toStrictEqual(["pod-do-not-disrupt", "pdb-blocks"]);
    expect(answer.replacement).toBeNull();
  });

  it("is one more blocker if they fit nowhere", async () => {
    const asking = CLUSTER.replace("nodeName: ip-10-0-1-7,", "nodeName: ip-10-0-1-7, nodeSelector: {disk: ssd},");
    const answer = await whyIn(asking, "ip-10-0-1-7");
    expect(codesIn(answer, "Underutilized")).toStrictEqual(["pod-do-not-disrupt", "pdb-blocks", "pods-do-not-fit"]);
    expect(removalIn(answer, "Underutilized")).toMatchObject({ outcome: "stays", code: "pods-do-not-fit" });
  });

  it("is not known without the price of Spot", async () => {
    const spot = CLUSTER.replaceAll("on-demand", "spot").replace('cpu: "500m"', 'cpu: "3"');
    const answer = await whyIn(spot.replace('cpu: "3500m"', 'cpu: "1"'), "ip-10-0-3-9");
    expect(removalIn(answer, "Underutilized")).toMatchObject({ outcome: "delete" });
    const full = spot.replaceAll(/cpu: (?:"1"|"100m")/g, 'cpu: "2"');
    expect(removalIn(await whyIn(full, "ip-10-0-3-9"), "Underutilized")).toMatchObject({ code: "spot-to-spot-off" });
    const gate = ["--karpenter-gates", "SpotToSpotConsolidation=true"];
    const unknown = await whyIn(full, "ip-10-0-3-9", ...gate);
    expect(removalIn(unknown, "Underutilized")).toMatchObject({ outcome: "unknown", code: "price-unknown" });
    expect(unknown.reasons.find(({ reason }) => reason === "Underutilized")).toMatchObject({ disruptable: true });
    expect(unknown.notConsidered.join("\n")).toContain("it is not known whether a replacement is cheaper");
  });

  it("is not known without the zones that a pod asks for", async () => {
    const spread =
      "topologySpreadConstraints: [{maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: web}}}],";
    const answer = await whyIn(
      CLUSTER.replace("nodeName: ip-10-0-3-9,", `nodeName: ip-10-0-3-9, ${spread}`),
      "ip-10-0-3-9",
    );
    expect(removalIn(answer, "Underutilized")).toBeNull();
    expect(answer.notConsidered[0]).toContain("whether its pods fit elsewhere: Pod web-2 has a topology constraint");
  });

  it("does not matter in a static pool", async () => {
    const answer = await whyIn(CLUSTER.replace('limits: {nodes: "1"}', 'limits: {nodes: "2"}'), "ip-10-0-4-1");
    expect(removalIn(answer, "Drifted")).toMatchObject({
      outcome: "replace",
      message: "NodePool edge is static, and another node of it takes its place",
    });
  });
});

it("says why a pod gets no node", async () => {
  const huge = CLUSTER.replace('cpu: "3500m"', 'cpu: "999"');
  const folder = folderWith({ "cluster.yaml": huge });
  const { stdout } = await runAnp(["why", "big-0", "cluster.yaml", ...AT], { cwd: folder });
  expect(stdout).toContain("it is pending, and gets no node");
  const planned = folderWith({ "cluster.yaml": CLUSTER.replace('cpu: "3500m"', 'cpu: "7"') });
  const { stdout: found } = await runAnp(["why", "big-0", "cluster.yaml", ...AT], { cwd: planned });
  expect(found).toContain("Karpenter starts a node of NodePool web for it");
});
