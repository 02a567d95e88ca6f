/** anp end to end: its output, its streams and its exit codes. */
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { QUICKSTART } from "../../support/process/built.ts";
import { runAnp } from "../../support/process/run-anp.ts";
import { folderWith, outsider, policy, pool } from "../../support/process/inputs.ts";

const OK = { "policy.yaml": policy(), "pool.yaml": pool() };
const TWO = { "a/policy.yaml": policy("ca"), "b/policy.yaml": policy("cb"), "a/p.yaml": pool(), "b/p.yaml": pool() };
const BYPASSED = { "policy.yaml": policy("clusters-shop", "[a]", "example.com/team"), "pool.yaml": outsider };
const EMPTY_MERGE = {
  "policy.yaml": policy(),
  "pool.yaml": pool("web", "[{key: kubernetes.io/arch, operator: In, values: [arm64]}]"),
};

interface Case {
  readonly files: Readonly<Record<string, string>>;
  readonly args: readonly string[];
  readonly exit: number;
  readonly says?: string;
}

const CASES: Readonly<Record<string, Case>> = {
  "a pool and its policy": { files: OK, args: ["render", "."], exit: 0 },
  "as JSON": { files: OK, args: ["render", ".", "-o", "json"], exit: 0 },
  "as a ResourceList": { files: OK, args: ["render", ".", "-o", "resourcelist"], exit: 0 },
  "a warning": { files: EMPTY_MERGE, args: ["render", "."], exit: 0, says: "[requirements-conflict]" },
  "a warning is too much": { files: EMPTY_MERGE, args: ["render", ".", "--fail-on", "warning"], exit: 1 },
  "the policy is bypassed": { files: BYPASSED, args: ["render", "."], exit: 1, says: "[policy-bypassed]" },
  "errors always fail": { files: BYPASSED, args: ["render", ".", "--fail-on", "never"], exit: 1 },
  "a policy is required": {
    files: { "pool.yaml": pool() },
    args: ["render", ".", "--require-policy"],
    exit: 1,
    says: "[policy-required]",
  },
  "another hosted cluster": {
    files: OK,
    args: ["render", ".", "--hosted-cluster", "other"],
    exit: 1,
    says: "[hosted-cluster-unknown]",
  },
  "a rule outside --policy-dir": {
    files: { ...OK, "rules/x.yaml": policy("cx") },
    args: ["render", ".", "--policy-dir", "rules"],
    exit: 1,
    says: "[untrusted-policy]",
  },
  "several clusters on a stream": { files: TWO, args: ["render", "."], exit: 2, says: "ca, cb" },
  "one of several clusters": { files: TWO, args: ["render", ".", "--hosted-cluster", "cb"], exit: 0 },
  "an unknown option": { files: OK, args: ["render", ".", "--outputdir", "x"], exit: 2, says: "--output-dir" },
  "an unknown command": { files: OK, args: ["rendr"], exit: 2, says: "Did you mean render?" },
  "an unknown profile": { files: OK, args: ["render", ".", "--profile", "x"], exit: 2, says: "karpenter-1.14" },
  "an unknown gate": {
    files: OK,
    args: ["render", ".", "--feature-gates", "AutoNod=false"],
    exit: 2,
    says: "AutoNode",
  },
  "an unknown gate after a known one": {
    files: OK,
    args: ["render", ".", "--feature-gates", "AutoNode=false,X=1"],
    exit: 2,
    says: '"X"',
  },
  "an unknown report": { files: OK, args: ["render", ".", "--report", "xml"], exit: 2, says: "text, json" },
  "a report without a file": { files: OK, args: ["render", ".", "--report", "json="], exit: 2, says: "=" },
  "a hosted cluster that is not a namespace": { files: OK, args: ["render", ".", "--hosted-cluster", "../x"], exit: 2 },
  "the standard input twice": { files: OK, args: ["render", "-", "-"], exit: 2, says: "only once" },
  "--force without a directory": { files: OK, args: ["render", ".", "--force"], exit: 2, says: "--output-dir" },
  "user data into a directory": {
    files: OK,
    args: ["render", ".", "--output-dir", "o", "--include-user-data"],
    exit: 2,
  },
  "JSON into a directory": { files: OK, args: ["render", ".", "--output-dir", "o", "-o", "json"], exit: 2 },
  "a path that is not there": { files: OK, args: ["render", "nowhere"], exit: 3, says: "does not exist" },
  "a config that is not there": {
    files: OK,
    args: ["render", ".", "--config", "nowhere.yaml"],
    exit: 3,
    says: "nowhere.yaml",
  },
  "a policy directory that is not there": {
    files: OK,
    args: ["render", ".", "--policy-dir", "nowhere"],
    exit: 3,
    says: "nowhere",
  },
  "no YAML": { files: { "pool.yaml": "a: [b\n" }, args: ["render", "."], exit: 3, says: "[yaml-syntax]" },
  "an empty folder": { files: { "README.md": "x" }, args: ["render", "."], exit: 3, says: "[input-empty]" },
  "the feature gate off": {
    files: OK,
    args: ["render", ".", "--feature-gates", "AutoNode=false"],
    exit: 0,
    says: "[feature-gate-off]",
  },
};

describe("exit codes", () => {
  it.each(Object.entries(CASES))("%s", async (_what, { files, args, exit, says = "" }) => {
    const result = await runAnp(args, { cwd: folderWith(files) });
    expect({ exit: result.exit, stderr: result.stderr }).toMatchObject({ exit });
    expect(result.stderr).toContain(says);
    expect(result.stderr).not.toMatch(/^\s+at |internal error/m);
    if (exit !== 0) expect(result.stdout).toBe("");
    else expect(result.stdout === "").toBe(args.includes("AutoNode=false"));
  });
});

describe("help and defaults", () => {
  it("shows the help on the error stream without a command", async () => {
    const { exit, stdout, stderr } = await runAnp([]);
    expect(exit).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toContain("Usage: anp");
    expect(stderr).toContain("render");
  });

  it.each([[["--help"]], [["-h"]], [["help"]], [["render", "--help"]], [["help", "render"]], [["crds", "--help"]]])(
    "prints the help for %j",
    async (args) => {
      const { exit, stdout, stderr } = await runAnp(args);
      expect({ exit, stderr }).toStrictEqual({ exit: 0, stderr: "" });
      expect(stdout).toContain("Usage: anp");
    },
  );

  it.each([["--version"], ["-V"]])("prints the version for %s", async (option) => {
    const { exit, stdout, stderr } = await runAnp([option]);
    expect({ exit, stderr }).toStrictEqual({ exit: 0, stderr: "" });
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it("prints the CRDs", async () => {
    const { exit, stdout, stderr } = await runAnp(["crds"]);
    expect({ exit, stderr }).toStrictEqual({ exit: 0, stderr: "" });
    expect(stdout.match(/^kind: CustomResourceDefinition$/gm)).toHaveLength(3);
  });
});

describe("the working directory", () => {
  const reference = () => runAnp(["render", "."], { cwd: QUICKSTART });

  it("renders the same from another working directory", async () => {
    const elsewhere = await runAnp(["render", QUICKSTART], { cwd: folderWith({}) });
    expect(elsewhere.exit).toBe(0);
    expect(elsewhere.stdout).toBe((await reference()).stdout);
    expect(elsewhere.stdout).toContain("kind: NodePool");
  });

  it("renders the same for a link to the input", async () => {
    const folder = folderWith({});
    symlinkSync(QUICKSTART, join(folder, "input"));
    expect((await runAnp(["render", "input"], { cwd: folder })).stdout).toBe((await reference()).stdout);
  });
});
