/** `anp get` end to end: its input, its streams, and the error of each mistake. */
import { describe, expect, it } from "vitest";
import { runAnp } from "../../support/process/run-anp.ts";
import { folderWith } from "../../support/process/inputs.ts";

const NOW = ["--now", "2026-11-21T08:00:00Z"];

const pool = (name: string, creationTimestamp: string) => ({
  apiVersion: "karpenter.sh/v1",
  kind: "NodePool",
  metadata: { name, creationTimestamp },
  spec: {
    template: {
      spec: { nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" }, requirements: [] },
    },
  },
});

const dump = (...items: object[]): string => JSON.stringify({ apiVersion: "v1", kind: "List", items });
const WEB = dump(pool("web", "2026-11-21T07:00:00Z"));
const TABLE = "NAME   NODECLASS   NODES   READY   AGE\nweb    default                     60m\n";

describe("the input", () => {
  it("comes through a pipe, with - and without", async () => {
    const table = { exit: 0, stdout: TABLE, stderr: "" };
    expect(await runAnp(["get", "nodepools", ...NOW], { input: WEB })).toStrictEqual(table);
    expect(await runAnp(["get", "nodepools", "-", ...NOW], { input: WEB })).toStrictEqual(table);
  });

  it("comes from files and directories together, sorted by name", async () => {
    const cwd = folderWith({
      "dump.json": WEB,
      "pools/batch.yaml": dump(pool("batch", "2026-11-21T07:59:00Z")),
      "pools/Taskfile.yaml": "tasks: [build]\n",
    });
    expect(await runAnp(["get", "nodepools", "dump.json", "pools", "-o", "wide", ...NOW], { cwd })).toStrictEqual({
      exit: 0,
      stdout: [
        "NAME    NODECLASS   NODES   READY   AGE   WEIGHT   CPU   MEMORY",
        "batch   default                     60s                  ",
        "web     default                     60m                  ",
        "",
      ].join("\n"),
      stderr: "",
    });
  });

  it("may be empty: kubectl's message, and no failure", async () => {
    expect(await runAnp(["get", "nodeclaims", "-"], { input: WEB })).toStrictEqual({
      exit: 0,
      stdout: "",
      stderr: "No resources found\n",
    });
    const json = await runAnp(["get", "nodeclaims", "-", "-o", "json"], { input: WEB });
    expect([json.exit, JSON.parse(json.stdout), json.stderr]).toStrictEqual([
      0,
      { apiVersion: "v1", kind: "List", items: [] },
      "",
    ]);
  });
});

describe("the answer", () => {
  it("computes ages for the current time by default", async () => {
    const created = new Date(Math.floor(Date.now() / 1000) * 1000 - 30_000).toISOString().replace(".000Z", "Z");
    const { stdout } = await runAnp(["get", "nodepools", "-"], { input: dump(pool("web", created)) });
    expect(stdout).toMatch(/^web +default +(3\d|4\d)s$/m);
  });

  it("is the unchanged objects with -o json, ready for kubectl apply", async () => {
    const { stdout } = await runAnp(["get", "nodepools", "-", "-o", "json"], { input: WEB });
    expect(JSON.parse(stdout)).toStrictEqual(JSON.parse(WEB));
  });
});

describe("mistakes", () => {
  it.each([
    ["no kind", ["get"], 2, "missing required argument 'types'"],
    [
      "an unknown kind",
      ["get", "pods", "-"],
      2,
      'there is no resource type "pods" here: write one of nodepools, nodeclaims, ec2nodeclasses, openshiftnodepools, openshiftec2nodeclasses',
    ],
    [
      "a node class of another provider",
      ["get", "aksnodeclasses", "-"],
      2,
      'there are no columns for "aksnodeclasses" here, which is another provider\'s: kubectl get aksnodeclasses shows them',
    ],
    ["a node class by the word of EKS Auto Mode", ["get", "NodeClasses", "-"], 2, "another provider's"],
    ["a misspelt node class", ["get", "ec2nodeclas", "-"], 2, "did you mean ec2nodeclass?"],
    ["a misspelt kind", ["get", "nodeclams", "-"], 2, "did you mean nodeclaims?"],
    ["an unknown form", ["get", "nodepools", "-", "-o", "xml"], 2, "Allowed choices are wide, json, yaml."],
    [
      "an invalid time",
      ["get", "nodepools", "-", "--now", "yesterday"],
      2,
      "Write a time such as 2026-01-05T09:00:00Z.",
    ],
    ["an absent name", ["get", "nodepools", "-", "--name", "wev"], 1, 'anp: nodepools.karpenter.sh "wev" not found'],
    ["an absent path", ["get", "nodepools", "nowhere.yaml"], 3, "nowhere.yaml: error: does not exist"],
  ])("%s", async (_what, args, exit, says) => {
    const result = await runAnp(args, { input: WEB });
    expect(result).toMatchObject({ exit, stdout: "" });
    expect(result.stderr).toContain(says);
  });

  it("fails for a finding only with --fail-on", async () => {
    const input = dump(pool("web", "2026-11-21T07:00:00Z"), {
      apiVersion: "karpenter.hypershift.openshift.io/v1beta1",
    });
    const never = await runAnp(["get", "nodepools", "-", ...NOW], { input });
    expect([never.exit, never.stdout]).toStrictEqual([0, TABLE]);
    expect(never.stderr).toContain("[unknown-kind]");
    expect((await runAnp(["get", "nodepools", "-", ...NOW, "--fail-on", "error"], { input })).exit).toBe(1);
  });
});
