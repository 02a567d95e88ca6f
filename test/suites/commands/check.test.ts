/** `anp check` end to end: exit codes, streams, formats, baselines, speed. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { QUICKSTART } from "../../support/process/built.ts";
import { runAnp } from "../../support/process/run-anp.ts";
import { addFiles, folderWith, outsider, policy, pool } from "../../support/process/inputs.ts";

const ON_DEMAND = "{key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}";
/** Files with no finding, one info, one warning and one error. */
const QUIET = { "policy.yaml": policy(), "pool.yaml": pool("web", `[${ON_DEMAND}]`) };
const INFO = { "policy.yaml": policy(), "pool.yaml": pool("web") };
const WARNING = {
  "policy.yaml": policy(),
  "pool.yaml": pool("web", `[${ON_DEMAND}, {key: karpenter.k8s.aws/instance-family, operator: In, values: [m7g]}]`),
};
const ERROR = { "policy.yaml": policy("clusters-shop", "[a]", "example.com/team"), "pool.yaml": outsider };
const UNREADABLE = { "policy.yaml": "a: [", "pool.yaml": pool() };

const check = (files: Readonly<Record<string, string>>, ...args: string[]) =>
  runAnp(["check", ".", ...args], { cwd: folderWith(files) });

interface Report {
  readonly schemaVersion: number;
  readonly findings: readonly { readonly code: string }[];
}

const codes = (text: string): string[] => (JSON.parse(text) as Report).findings.map(({ code }) => code);

describe("exit codes", () => {
  it.each([
    ["error", [0, 0, 0, 1, 3]],
    ["warning", [0, 0, 1, 1, 3]],
    ["info", [0, 1, 1, 1, 3]],
    ["never", [0, 0, 0, 0, 3]],
  ] as const)("--fail-on %s", async (failOn, exits) => {
    const ended = await Promise.all(
      [QUIET, INFO, WARNING, ERROR, UNREADABLE].map(async (files) => (await check(files, "--fail-on", failOn)).exit),
    );
    expect(ended).toStrictEqual([...exits]);
  });

  it("fails at warnings by default", async () => {
    expect(
      await Promise.all([QUIET, INFO, WARNING, ERROR].map(async (files) => (await check(files)).exit)),
    ).toStrictEqual([0, 0, 1, 1]);
  });

  it.each([
    ["an unknown format", ["-o", "xml"]],
    ["unknown rules", ["--rules", "rosas"]],
    ["a baseline that is read and written", ["--baseline", "a.json", "--write-baseline", "b.json"]],
  ])("%s is wrong use", async (_what, args) => {
    expect(await check(QUIET, ...args)).toMatchObject({ exit: 2, stdout: "" });
  });

  it("reports that a baseline cannot be written, and accepts nothing", async () => {
    const { exit, stdout, stderr } = await check(WARNING, "--write-baseline", "no/such/folder.json");
    expect({ exit, stderr }).toStrictEqual({ exit: 1, stderr: "" });
    const said = stdout.split("\n").filter((line) => / (?:error|warning): /.test(line));
    expect(said.map((line) => /\[([\w-]+)\]$/.exec(line)?.[1])).toStrictEqual([
      "output-unwritable",
      ...(await check(WARNING)).stdout
        .split("\n")
        .flatMap((line) => / (?:error|warning): .*\[([\w-]+)\]$/.exec(line)?.[1] ?? []),
    ]);
    expect(stdout).toContain("no/such/folder.json: error: cannot be written: ENOENT [output-unwritable]");
    expect((await check(QUIET, "--write-baseline", "no/such/folder.json", "--fail-on", "never")).exit).toBe(1);
  });

  it.each([
    ["a catalogue that is not there", ["--catalogue", "missing.json"], "missing.json does not exist"],
    ["a file that is not a catalogue", ["--catalogue", "pool.yaml"], "pool.yaml"],
    ["a baseline that is not there", ["--baseline", "missing.json"], "missing.json does not exist"],
    ["a file that is not a baseline", ["--baseline", "pool.yaml"], "pool.yaml is not a baseline"],
  ])("%s is unreadable", async (_what, args, says) => {
    const { exit, stdout, stderr } = await check(QUIET, ...args);
    expect({ exit, stdout }).toStrictEqual({ exit: 3, stdout: "" });
    expect(stderr).toContain(says);
  });
});

describe("streams", () => {
  it("has no findings on the quick start, also with the rules of ROSA", async () => {
    const silent = { exit: 0, stdout: "", stderr: "no findings\n" };
    expect(await runAnp(["check", QUICKSTART])).toStrictEqual(silent);
    expect(await runAnp(["check", QUICKSTART, "--rules", "rosa"])).toStrictEqual(silent);
  });

  it("prints only to standard output", async () => {
    const { stdout, stderr } = await check(WARNING);
    expect(stdout).toContain("[pool-unsatisfiable]");
    expect(stderr).toBe("");
  });

  it("reads the standard input", async () => {
    const { exit, stdout } = await runAnp(["check"], { input: Object.values(WARNING).join("---\n") });
    expect(exit).toBe(1);
    expect(stdout).toContain("<stdin>:");
  });

  it("writes reports beside the answer", async () => {
    const folder = folderWith(WARNING);
    const { stdout, stderr } = await runAnp(["check", ".", "--report", "json=a.json", "--report", "json"], {
      cwd: folder,
    });
    expect(stdout).toContain("[pool-unsatisfiable]");
    expect(codes(stderr)).toStrictEqual(["pool-unsatisfiable"]);
    expect(readFileSync(join(folder, "a.json"), "utf8")).toBe(stderr);
  });

  it.each(["text", "json", "sarif", "junit", "github", "markdown"])("has the code in %s", async (format) => {
    const { exit, stdout, stderr } = await check(WARNING, "-o", format);
    expect(exit).toBe(1);
    expect(stdout).toContain("pool-unsatisfiable");
    expect(stderr).toBe("");
  });

  it("is valid JSON without findings", async () => {
    expect(await check(QUIET, "-o", "json")).toMatchObject({ exit: 0, stderr: "" });
    expect(JSON.parse((await check(QUIET, "-o", "json")).stdout)).toStrictEqual({ schemaVersion: 1, findings: [] });
  });

  it("never shows user data", async () => {
    const { stdout } = await runAnp(["check", QUICKSTART, "-o", "json", "--fail-on", "info"]);
    expect(stdout).not.toMatch(/Bearer|ignition/);
  });
});

describe("baselines", () => {
  it("fail only for new findings", async () => {
    const folder = folderWith(WARNING);
    const baseline = join(folderWith({}), "accepted.json");
    const run = (...args: string[]) => runAnp(["check", ".", ...args], { cwd: folder });
    const written = await run("--write-baseline", baseline);
    expect(written).toStrictEqual({ exit: 0, stdout: "", stderr: `${baseline}: 1 finding accepted\n` });
    expect(await run("--baseline", baseline)).toStrictEqual({
      exit: 0,
      stdout: "",
      stderr: "1 finding accepted by the baseline\n",
    });
    addFiles(folder, { "more.yaml": WARNING["pool.yaml"].replace("name: web", "name: api") });
    const after = await run("--baseline", baseline, "-o", "json");
    expect(after.exit).toBe(1);
    expect(codes(after.stdout)).toStrictEqual(["pool-unsatisfiable"]);
  });

  it("are not written from unreadable input", async () => {
    const folder = folderWith(UNREADABLE);
    expect((await runAnp(["check", ".", "--write-baseline", "b.json"], { cwd: folder })).exit).toBe(3);
    expect(existsSync(join(folder, "b.json"))).toBe(false);
  });

  it("never contain an error that no baseline can accept", async () => {
    const folder = folderWith(ERROR);
    const baseline = join(folderWith({}), "accepted.json");
    expect(await runAnp(["check", ".", "--write-baseline", baseline], { cwd: folder })).toMatchObject({ exit: 1 });
    expect(readFileSync(baseline, "utf8")).not.toContain("policy-bypassed");
    expect((await runAnp(["check", ".", "--baseline", baseline], { cwd: folder })).stdout).toContain(
      "[policy-bypassed]",
    );
  });

  it("have the same bytes every time", async () => {
    const folder = folderWith(WARNING);
    const texts = await Promise.all(
      ["a", "b"].map(async (name) => {
        const file = join(folderWith({}), `${name}.json`);
        await runAnp(["check", ".", "--write-baseline", file], { cwd: folder });
        return readFileSync(file, "utf8");
      }),
    );
    expect(texts[0]).toBe(texts[1]);
  });
});

it("checks a thousand pools", async () => {
  const folder = folderWith({ "policy.yaml": policy() });
  const families = ["m5", "m6i", "c5", "c6i", "r5", "r6i", "m7g", "c7g"];
  const pools = Array.from({ length: 1000 }, (_, index) => {
    const pair = `${families[index % 8]}, ${families[Math.floor(index / 8) % 8]}`;
    return pool(
      `pool-${index}`,
      `[{key: example.com/team, operator: In, values: [t${index}]}, {key: karpenter.k8s.aws/instance-family, operator: In, values: [${pair}]}]`,
    );
  });
  writeFileSync(join(folder, "pools.yaml"), pools.join("---\n"));
  const { exit, stdout } = await runAnp(["check", ".", "-o", "json"], { cwd: folder });
  expect(exit).toBe(1);
  expect(codes(stdout).filter((code) => code === "capacity-type-unset").length).toBeGreaterThan(900);
});
