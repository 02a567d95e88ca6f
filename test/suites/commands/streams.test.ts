/** Input and output without a terminal: the standard input, several hosted clusters on it, colours. */
import { describe, expect, it } from "vitest";
import { folderWith, outsider, policy, pool } from "../../support/process/inputs.ts";
import { runAnp } from "../../support/process/run-anp.ts";

const OK = `${policy()}---\n${pool()}`;
const BYPASSED = `${policy("clusters-shop", "[a]", "example.com/team")}---\n${outsider}`;

describe("the standard input", () => {
  it("is read without a path", async () => {
    expect(await runAnp(["render"], { input: OK })).toMatchObject({ exit: 0, stderr: "" });
    expect(await runAnp(["render"], { input: OK })).toStrictEqual(await runAnp(["render", "-"], { input: OK }));
  });

  it.each([
    ["no path and nothing in it", ["render"], ""],
    ["`-` and nothing in it", ["render", "-"], ""],
    ["`-` and only white space in it", ["render", "-"], "\n \n"],
    ["`-` and only a comment in it", ["render", "-"], "# nothing\n"],
  ])("is unreadable with %s", async (_what, args, input) => {
    const { exit, stdout, stderr } = await runAnp(args, { input });
    expect({ exit, stdout }).toStrictEqual({ exit: 3, stdout: "" });
    expect(stderr).toContain("<stdin>");
  });
});

describe("several hosted clusters on one stream", () => {
  const TYPE = "node.kubernetes.io/instance-type";
  const input = [
    policy("clusters-a", "[m5.large]", TYPE),
    policy("clusters-b", "[c5.large]", TYPE),
    pool("web"),
    pool("db", "[{key: kubernetes.io/arch, operator: In, values: [amd64]}]"),
  ].join("---\n");

  it.each([
    ["clusters-a", "m5.large", "c5.large"],
    ["clusters-b", "c5.large", "m5.large"],
  ])("--hosted-cluster %s selects, and only its policy applies", async (selected, own, others) => {
    const { exit, stdout } = await runAnp(["render", "--hosted-cluster", selected], { input });
    expect(exit).toBe(0);
    expect(stdout.match(/^kind: NodePool$/gm)).toHaveLength(2);
    expect([stdout.split(`- ${own}`).length, stdout.includes(others)]).toStrictEqual([3, false]);
    const explained = await runAnp(["explain", "--hosted-cluster", selected], { input });
    expect([explained.exit, explained.stdout.split(`In [${own}]`).length]).toStrictEqual([0, 3]);
    const checked = await runAnp(["check", "--hosted-cluster", selected, "--fail-on", "error"], { input });
    expect([checked.exit, checked.stdout.includes("ambiguous-cluster")]).toStrictEqual([0, false]);
  });

  it("behaves like a function's list without paths", async () => {
    const items = input.split("---\n").map((text) => `- ${text.trimEnd().replaceAll("\n", "\n  ")}\n`);
    const config =
      "functionConfig: {apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {hostedCluster: clusters-b}}\n";
    const list = `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n${config}items:\n${items.join("")}`;
    const { exit, stdout, stderr } = await runAnp(["fn"], { input: list });
    expect({ exit, stderr: stderr.includes("error:") }).toStrictEqual({ exit: 0, stderr: false });
    expect(stdout.match(/^ *-? *kind: NodePool$/gm)).toHaveLength(2);
  });

  it("belongs to no cluster without a selection, and a folder of two stays an error", async () => {
    expect(await runAnp(["render"], { input })).toMatchObject({ exit: 1, stdout: "" });
    const folder = folderWith({ "all.yaml": input });
    const { exit, stdout, stderr } = await runAnp(["render", ".", "--hosted-cluster", "clusters-a"], { cwd: folder });
    expect({ exit, stdout, named: stderr.includes("[ambiguous-cluster]") }).toStrictEqual({
      exit: 1,
      stdout: "",
      named: true,
    });
  });
});

describe("colours", () => {
  const coloured = async (args: readonly string[], env: Readonly<Record<string, string>>): Promise<boolean> => {
    const { exit, stdout, stderr } = await runAnp(["render", "-", ...args], { input: BYPASSED, env });
    expect({ exit, stdout }).toStrictEqual({ exit: 1, stdout: "" });
    expect(stderr).toContain("policy-bypassed");
    expect(stderr).not.toContain("Warning");
    return stderr.includes("\u{1b}[");
  };

  it.each<[readonly string[], Readonly<Record<string, string>>, boolean]>([
    [[], {}, false],
    [["--color", "auto"], {}, false],
    [["--color", "always"], {}, true],
    [["--color", "never"], {}, false],
    [[], { FORCE_COLOR: "1" }, true],
    [[], { FORCE_COLOR: "0" }, false],
    [[], { FORCE_COLOR: "" }, false],
    [[], { NO_COLOR: "1" }, false],
    [[], { NO_COLOR: "1", FORCE_COLOR: "1" }, false],
    [[], { NO_COLOR: "", FORCE_COLOR: "1" }, true],
    [["--color", "always"], { NO_COLOR: "1" }, true],
    [["--color", "never"], { FORCE_COLOR: "1" }, false],
    [["--color", "always"], { TERM: "dumb" }, true],
    [[], { TERM: "dumb", FORCE_COLOR: "1" }, true],
  ])("%j with %j: %s", async (args, env, expected) => {
    expect(await coloured(args, env)).toBe(expected);
  });
});
