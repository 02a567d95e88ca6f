/** Which findings and pools are reported: on a terminal, for many, for one pool, by severity. */
import { describe, expect, it } from "vitest";
import { folderWith, policy, pool } from "../../support/process/inputs.ts";
import { runAnp, runMain } from "../../support/process/run-anp.ts";

const SPARC = "[{key: kubernetes.io/arch, operator: In, values: [sparc]}]";
const FILES = { "policy.yaml": policy(), "pools.yaml": `${pool("web")}---\n${pool("old", SPARC)}` };
const PLACE =
  "pools.yaml:17:22: warning: OpenshiftNodePool old: `In [sparc]` on kubernetes.io/arch has nothing in common";

const fleet = (count: number): string =>
  Array.from({ length: count }, (_, index) => pool(`pool-${index}`, index % 4 === 0 ? SPARC : "[]")).join("---\n");

describe("of findings", () => {
  it("wraps them on a terminal", async () => {
    const { stderr } = await runMain(["render", "."], folderWith(FILES), { errorColumns: 60 });
    expect(stderr).toBe(`pools.yaml:17:22: warning: OpenshiftNodePool old: \`In
    [sparc]\` on kubernetes.io/arch has nothing in common
    with the policy's \`In [amd64]\` (policy.yaml:4); the pool
    gets no new nodes and its existing nodes drift
    [requirements-conflict]
  17 |       requirements: [{key: kubernetes.io/arch, o…
     |                      ^
  help: use values that both allow
1 warning
`);
  });

  it("reports findings of the severity, and counts the others", async () => {
    const cwd = folderWith(FILES);
    const ended = async (...flags: readonly string[]) => {
      const { exit, stdout } = await runAnp(["check", ".", ...flags], { cwd });
      return { exit, last: stdout.trimEnd().split("\n").at(-1) };
    };
    expect(await ended()).toStrictEqual({ exit: 1, last: "2 warnings, 1 info" });
    expect(await ended("--min-severity", "warning")).toStrictEqual({ exit: 1, last: "2 warnings, and 1 less severe" });
    expect(await ended("--quiet")).toStrictEqual({ exit: 1, last: "" });
    expect(await ended("-q", "--fail-on", "error")).toStrictEqual({ exit: 0, last: "" });
  });

  it("leaves the others out of reports for programs too, and counts all", async () => {
    const run = await runAnp(["check", ".", "-o", "json", "-q"], { cwd: folderWith(FILES) });
    expect({ exit: run.exit, findings: (JSON.parse(run.stdout) as { findings: unknown[] }).findings }).toStrictEqual({
      exit: 1,
      findings: [],
    });
  });

  it("refuses both options together", async () => {
    const { exit } = await runAnp(["check", ".", "-q", "--min-severity", "info"], { cwd: folderWith(FILES) });
    expect(exit).toBe(2);
  });

  it("reports and counts those of one pool", async () => {
    const cwd = folderWith(FILES);
    const of = async (name: string) => {
      const { exit, stderr } = await runAnp(["explain", ".", "--nodepool", name, "--fail-on", "warning"], { cwd });
      return { exit, stderr: stderr.split("\n")[0]!.slice(0, PLACE.length) };
    };
    expect(await of("web")).toStrictEqual({ exit: 0, stderr: "" });
    expect(await of("old")).toStrictEqual({ exit: 1, stderr: PLACE });
  });
});

describe("of pools", () => {
  it("shows a table for more than ten by default", async () => {
    const cwd = folderWith({ "policy.yaml": policy(), "pools.yaml": fleet(11) });
    const many = await runAnp(["explain", "."], { cwd });
    const wide = await runAnp(["explain", ".", "-o", "wide"], { cwd });
    const [head, first, second, ...others] = many.stdout.split("\n");
    expect(many.stdout).toBe(wide.stdout);
    expect([head, first, second]).toStrictEqual([
      "POOL          VERDICT        TYPES  CAPACITY  ZONES     PRICE FROM  FIRST CONFLICT",
      "pool-0        unsatisfiable      0  any       any                   kubernetes.io/arch In [sparc] (pools.yaml:8)",
      "pool-1        ok               967  any       any          $0.0047",
    ]);
    expect(others.filter((line) => line.startsWith("11 pools"))).toStrictEqual(["11 pools, 3 unsatisfiable, 8 ok"]);
  });

  it("shows each pool for ten, for named ones, and with -o text", async () => {
    const cwd = folderWith({ "policy.yaml": policy(), "pools.yaml": fleet(11) });
    const bars = async (...args: readonly string[]) => {
      const { stdout } = await runAnp(["explain", ".", ...args], { cwd });
      return stdout.split("\n").filter((line) => line.includes(" instance types left (")).length;
    };
    expect(await bars("--nodepool", "pool-1")).toBe(1);
    expect(await bars("-o", "text")).toBe(11);
  });

  it("names the hosted cluster of each if there are several", async () => {
    const cwd = folderWith({
      "a/policy.yaml": policy("clusters-a"),
      "b/policy.yaml": policy("clusters-b"),
      "a/p.yaml": pool(),
      "b/p.yaml": pool(),
    });
    const { stdout } = await runAnp(["explain", ".", "-o", "wide"], { cwd });
    expect(stdout.split("\n").slice(0, 3)).toStrictEqual([
      "CLUSTER       POOL          VERDICT  TYPES  CAPACITY  ZONES     PRICE FROM",
      "clusters-a    web           ok         967  any       any          $0.0047",
      "clusters-b    web           ok         967  any       any          $0.0047",
    ]);
  });
});
