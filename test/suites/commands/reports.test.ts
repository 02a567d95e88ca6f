/** Reports of findings on standard error and in files, in every format. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { REPORT_FORMATS, type ReportFormat } from "../../../src/report/findings/format-findings.ts";
import { ROOT } from "../../support/process/built.ts";
import { runAnp } from "../../support/process/run-anp.ts";
import { folderWith, outsider, policy, pool } from "../../support/process/inputs.ts";

const BYPASSED = { "policy.yaml": policy("clusters-shop", "[a]", "example.com/team"), "pool.yaml": outsider };
const OK = { "policy.yaml": policy(), "pool.yaml": pool() };

interface Report {
  readonly schemaVersion: number;
  readonly findings: readonly { readonly code: string; readonly file?: string; readonly line?: number }[];
}

const parse = (text: string): Report => JSON.parse(text) as Report;
const codes = (text: string): string[] => parse(text).findings.map(({ code }) => code);

describe("--report", () => {
  it("json replaces the text on standard error", async () => {
    const { exit, stdout, stderr } = await runAnp(["render", ".", "--report", "json"], { cwd: folderWith(BYPASSED) });
    expect({ exit, stdout }).toStrictEqual({ exit: 1, stdout: "" });
    expect(parse(stderr)).toMatchObject({
      schemaVersion: 1,
      findings: [{ code: "policy-bypassed", severity: "error", file: "pool.yaml", resource: { name: "outsider" } }],
    });
  });

  it("json holds an empty list without findings", async () => {
    const { exit, stdout, stderr } = await runAnp(["render", ".", "--report", "json"], { cwd: folderWith(OK) });
    expect(exit).toBe(0);
    expect(stdout).toContain("kind: NodePool");
    expect(parse(stderr)).toStrictEqual({ schemaVersion: 1, findings: [] });
  });

  it("json=FILE writes a file, and the text is still printed", async () => {
    const folder = folderWith(BYPASSED);
    const { exit, stderr } = await runAnp(["render", ".", "--report", "json=report.json"], { cwd: folder });
    expect(exit).toBe(1);
    expect(stderr).toBe((await runAnp(["render", "policy.yaml", "pool.yaml"], { cwd: folder })).stderr);
    expect(stderr).toContain("pool.yaml:8");
    expect(codes(readFileSync(join(folder, "report.json"), "utf8"))).toStrictEqual(["policy-bypassed"]);
    expect(readdirSync(folder).toSorted()).toStrictEqual(["policy.yaml", "pool.yaml", "report.json"]);
  });

  it("may be given several times, and files are never coloured", async () => {
    const folder = folderWith(BYPASSED);
    const reports = ["--report", "json", "--report", "text=a.txt", "--report", "json=b.json"];
    const { stderr } = await runAnp(["render", "policy.yaml", "pool.yaml", "--color", "always", ...reports], {
      cwd: folder,
    });
    expect(codes(stderr)).toStrictEqual(["policy-bypassed"]);
    expect(readFileSync(join(folder, "b.json"), "utf8")).toBe(stderr);
    const text = readFileSync(join(folder, "a.txt"), "utf8");
    expect(text).toContain("error: ");
    expect(text).not.toContain("\u{1b}");
  });

  it.each([
    ["a folder that is not there", "json=no/such/folder/r.json", "ENOENT"],
    ["a folder in place of the file", "json=.", "it is a directory"],
    ["a file in place of a folder", "json=pool.yaml/r.json", "it is not a directory"],
    ["a full disk", "json=/dev/full", "no space is left"],
  ])("reports why the file cannot be written: %s", async (_what, report, why) => {
    const { exit, stdout, stderr } = await runAnp(["render", ".", "--report", report], { cwd: folderWith(OK) });
    expect({ exit, stdout }).toStrictEqual({ exit: 1, stdout: "" });
    const unwritten = `${report.slice(5)}: error: cannot be written: ${why} [output-unwritable]`;
    expect(stderr.split("\n").filter((line) => line.includes("output-unwritable"))).toStrictEqual([unwritten]);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it.each(["check", "explain", "simulate"])("does not suppress the answer of %s, and fails", async (command) => {
    const cwd = folderWith(OK);
    const asked = [command, ".", "--fail-on", "never", "-o", "json"];
    const whole = await runAnp(asked, { cwd });
    const { exit, stdout, stderr } = await runAnp([...asked, "--report", "junit=no/such/r.xml"], { cwd });
    expect({ exit, whole: whole.exit }).toStrictEqual({ exit: 1, whole: 0 });
    if (command === "check") expect(codes(stdout)).toStrictEqual(["output-unwritable", ...codes(whole.stdout)]);
    else {
      expect(stdout.length).toBe(whole.stdout.length);
      expect(stderr).toContain("no/such/r.xml: error: cannot be written: ENOENT [output-unwritable]");
    }
  });

  it("is reported on the standard error, and the others are written", async () => {
    const folder = folderWith(OK);
    const reports = ["--report", "json", "--report", "sarif=no/such/r", "--report", "markdown=m.md"];
    const { exit, stderr } = await runAnp(["render", ".", ...reports], { cwd: folder });
    expect([exit, codes(stderr)[0]]).toStrictEqual([1, "output-unwritable"]);
    expect(existsSync(join(folder, "m.md"))).toBe(true);
  });
});

describe("formats for CI", () => {
  /** The report in every format, by one run. */
  async function everyFormat(args: readonly string[], cwd: string) {
    const folder = folderWith({});
    const reports = REPORT_FORMATS.flatMap((format) => ["--report", `${format}=${join(folder, format)}`]);
    const ended = await runAnp(["render", ...args, ...reports], { cwd });
    const texts = REPORT_FORMATS.map((format) => [format, readFileSync(join(folder, format), "utf8")] as const);
    return { ...ended, texts: Object.fromEntries(texts) as Record<ReportFormat, string> };
  }

  it("agree on a golden case, and the text is still printed", async () => {
    const cwd = join(ROOT, "fixtures/cases/bypass/custom-label-emptied");
    const { exit, stdout, stderr, texts } = await everyFormat(["in"], cwd);
    expect({ exit, stdout }).toStrictEqual({ exit: 1, stdout: "" });
    expect(stderr).toBe(readFileSync(join(cwd, "stderr.txt"), "utf8"));
    expect(texts.text).toBe(stderr);
    const [, place, line, column, message] = /^(.+?):(\d+):(\d+): error: (.+) \[policy-bypassed\]$/m.exec(stderr)!;
    const [, hint] = /^ {2}help: (.+)$/m.exec(stderr)!;
    expect(codes(texts.json)).toStrictEqual(["policy-bypassed"]);
    expect(JSON.parse(texts.sarif)).toMatchObject({
      version: "2.1.0",
      runs: [
        {
          tool: {
            driver: {
              name: "anp",
              version: (await runAnp(["--version"])).stdout.trim(),
              rules: [{ id: "policy-bypassed" }],
            },
          },
          results: [
            {
              ruleId: "policy-bypassed",
              level: "error",
              message: { text: `${message}\nhelp: ${hint}` },
              locations: [
                {
                  physicalLocation: {
                    artifactLocation: { uri: place },
                    region: { startLine: Number(line), startColumn: Number(column) },
                  },
                },
              ],
            },
          ],
        },
      ],
    });
    expect(texts.junit).toContain(`<testsuite name="${place}" tests="1" failures="1"`);
    expect(texts.github.split("\n")).toStrictEqual([
      `::error file=${place},line=${line},col=${column},title=policy-bypassed::${message}%0Ahelp: ${hint}`,
      "1 error",
      "",
    ]);
    expect(texts.markdown.split("\n").slice(0, 3)).toStrictEqual(["**anp: 1 error**", "", "#### 1 error"]);
    expect(texts.markdown).toContain(`| <code>${place}:${line}:${column}</code> | `);
  });

  it("exist also for a clean run", async () => {
    const { exit, texts } = await everyFormat(["."], folderWith(OK));
    expect(exit).toBe(0);
    expect(JSON.parse(texts.sarif)).toMatchObject({ runs: [{ results: [] }] });
    expect(texts.junit).toContain('<testcase classname="anp" name="no findings" time="0"/>');
    expect([texts.text, texts.github, texts.markdown]).toStrictEqual(["", "", "**anp: no findings**\n"]);
  });

  it.each([
    ["policy-ignored", [], 0, 0],
    ["policy-ignored", ["--fail-on", "warning"], 1, 1],
    ["policy-bypassed", ["--fail-on", "never"], 1, 1],
  ])("%s %j: exit %d, and as many red cases in JUnit: %d", async (code, args, exit, failures) => {
    const files = code === "policy-bypassed" ? BYPASSED : { ...OK, "other.yaml": policy().replace("default", "other") };
    const ended = await runAnp(["render", ".", ...args, "--report", "junit"], { cwd: folderWith(files) });
    expect(ended.exit).toBe(exit);
    expect(ended.stderr).toContain(`name="${code}`);
    expect(ended.stderr.match(/<failure/g)?.length ?? 0).toBe(failures);
  });

  it("show nothing of a Secret's lines", async () => {
    const secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData:\n\tpassword: hunter2\n";
    const { exit, stderr, texts } = await everyFormat(["."], folderWith({ ...OK, "secret.yaml": secret }));
    expect(exit).toBe(3);
    for (const text of [stderr, ...Object.values(texts)]) {
      expect(text).toContain("yaml-syntax");
      expect(text).not.toContain("hunter2");
    }
  });

  it.each(["sarif", "junit", "github", "markdown"])("%s that cannot be written leaves no manifests", async (format) => {
    const ended = await runAnp(["render", ".", "--report", `${format}=no/such/folder/report`], { cwd: folderWith(OK) });
    expect(ended).toMatchObject({ exit: 1, stdout: "" });
    expect(ended.stderr).toContain("no/such/folder/report: error: cannot be written: ENOENT [output-unwritable]");
  });

  it("are listed in the error for an unknown one", async () => {
    const { exit, stderr } = await runAnp(["render", ".", "--report", "xml=report.xml"], { cwd: folderWith(OK) });
    expect(exit).toBe(2);
    expect(stderr).toContain("Write one of text, json, sarif, junit, github, markdown, with =FILE to write a file.");
  });
});
