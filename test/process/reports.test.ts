/** Findings where the user wants them: standard error, files, devices; and what anp may not read or write. */
import { chmodSync, existsSync, lstatSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { anp, buildOnce, ordinaryUser, shell } from "./built.ts";
import { folderWith, outsider, policy, pool } from "./inputs.ts";

beforeAll(buildOnce);

const BYPASSED = { "policy.yaml": policy("clusters-shop", "[a]", "example.com/team"), "pool.yaml": outsider };
const OK = { "policy.yaml": policy(), "pool.yaml": pool() };

interface Report {
  readonly schemaVersion: number;
  readonly findings: readonly { readonly code: string; readonly file?: string; readonly line?: number }[];
}

const parse = (text: string): Report => JSON.parse(text) as Report;
const codes = (text: string): string[] => parse(text).findings.map(({ code }) => code);

describe("--report", () => {
  it("json takes the place of the text on standard error", () => {
    const { exit, stdout, stderr } = anp(["render", ".", "--report", "json"], { cwd: folderWith(BYPASSED) });
    expect({ exit, stdout }).toStrictEqual({ exit: 1, stdout: "" });
    expect(parse(stderr)).toMatchObject({
      schemaVersion: 1,
      findings: [{ code: "policy-bypassed", severity: "error", file: "pool.yaml", resource: { name: "outsider" } }],
    });
  });

  it("json holds an empty list when there is nothing to say", () => {
    const { exit, stdout, stderr } = anp(["render", ".", "--report", "json"], { cwd: folderWith(OK) });
    expect(exit).toBe(0);
    expect(stdout).toContain("kind: NodePool");
    expect(parse(stderr)).toStrictEqual({ schemaVersion: 1, findings: [] });
  });

  it("json=FILE writes a file, and people still see the text", () => {
    const folder = folderWith(BYPASSED);
    const { exit, stderr } = anp(["render", ".", "--report", "json=report.json"], { cwd: folder });
    expect(exit).toBe(1);
    expect(stderr).toBe(anp(["render", "policy.yaml", "pool.yaml"], { cwd: folder }).stderr);
    expect(stderr).toContain("pool.yaml:8");
    expect(codes(readFileSync(join(folder, "report.json"), "utf8"))).toStrictEqual(["policy-bypassed"]);
    expect(readdirSync(folder).toSorted()).toStrictEqual(["policy.yaml", "pool.yaml", "report.json"]);
  });

  it("may be given several times, and files are never coloured", () => {
    const folder = folderWith(BYPASSED);
    const reports = ["--report", "json", "--report", "text=a.txt", "--report", "json=b.json"];
    const { stderr } = anp(["render", "policy.yaml", "pool.yaml", "--color", "always", ...reports], { cwd: folder });
    expect(codes(stderr)).toStrictEqual(["policy-bypassed"]);
    expect(readFileSync(join(folder, "b.json"), "utf8")).toBe(stderr);
    const text = readFileSync(join(folder, "a.txt"), "utf8");
    expect(text).toContain("error: ");
    expect(text).not.toContain("\u{1b}");
  });

  it.each([
    ["a folder that is not there", "json=no/such/folder/r.json", "ENOENT"],
    ["a folder in place of the file", "json=.", "EISDIR"],
    ["a file in place of a folder", "json=pool.yaml/r.json", "ENOTDIR"],
  ])("says when the file cannot be written: %s", (_what, report, code) => {
    const { exit, stdout, stderr } = anp(["render", ".", "--report", report], { cwd: folderWith(OK) });
    expect({ exit, stdout }).toStrictEqual({ exit: 2, stdout: "" });
    expect(stderr).toContain(`the report cannot be written to ${report.slice(5)}: ${code}`);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it("writes into a pipe, a device or a link and leaves them what they are", () => {
    const folder = folderWith({ ...BYPASSED, "target.json": "old" });
    symlinkSync("target.json", join(folder, "link.json"));
    symlinkSync("/dev/null", join(folder, "device"));
    const reports = "--report json=pipe --report json=link.json --report json=device --report json=/dev/fd/3";
    const line = `mkfifo pipe; cat pipe & anp render policy.yaml pool.yaml ${reports} 2>/dev/null 3>third.json; wait`;
    const { stdout } = shell(line, folder);
    expect(codes(stdout)).toStrictEqual(["policy-bypassed"]);
    expect(lstatSync(join(folder, "pipe")).isFIFO()).toBe(true);
    expect(lstatSync(join(folder, "link.json")).isSymbolicLink()).toBe(true);
    expect(lstatSync(join(folder, "device")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, "target.json"), "utf8")).toBe(stdout);
    expect(readFileSync(join(folder, "third.json"), "utf8")).toBe(stdout);
  });
});

describe("what an ordinary user may not do", () => {
  const uid = ordinaryUser();
  /** A folder that the ordinary user may enter. */
  const open = (files: Readonly<Record<string, string>>): string => {
    const folder = folderWith(files);
    chmodSync(folder, 0o755);
    return folder;
  };
  const run = (args: readonly string[], cwd: string) => anp(args, { cwd, ...(uid === undefined ? {} : { uid }) });

  it.each([
    ["a folder", "secret", 0o311],
    ["a folder it may not even enter", "secret", 0o600],
    ["a file", "secret/policy.yaml", 0o200],
  ])("read %s: it is told and nothing is rendered", (_what, path, mode) => {
    const folder = open({ "pool.yaml": pool(), "secret/policy.yaml": policy() });
    expect(run(["render", "."], folder).exit).toBe(0);
    chmodSync(join(folder, path), mode);
    const { exit, stdout, stderr } = run(["render", "."], folder);
    chmodSync(join(folder, path), 0o700);
    expect({ exit, stdout }).toStrictEqual({ exit: 3, stdout: "" });
    expect(stderr).toMatch(/^secret.*: error: may not be read: permission denied \[file-unreadable\]$/m);
  });

  it("write a report where it has no right to", () => {
    const { exit, stderr } = run(["render", ".", "--report", "json=r.json"], open(OK));
    expect(exit).toBe(2);
    expect(stderr).toContain("the report cannot be written to r.json: EACCES");
  });

  it("write a directory where it has no right to", () => {
    const folder = open(OK);
    const first = run(["render", ".", "--output-dir", "out"], folder);
    expect(first).toMatchObject({ exit: 1, stdout: "" });
    expect(first.stderr).toMatch(/out.*: error: cannot be written: permission denied \[output-unwritable\]/);
    expect(existsSync(join(folder, "out"))).toBe(false);
  });

  it("change a directory that is read-only", () => {
    const folder = open(OK);
    expect(anp(["render", ".", "--output-dir", "out"], { cwd: folder }).exit).toBe(0);
    const before = readdirSync(join(folder, "out"));
    chmodSync(join(folder, "out"), 0o555);
    const again = run(["render", ".", "--output-dir", "out"], folder);
    expect(again).toMatchObject({ exit: 0, stdout: "" });
    const other = open({ ...OK, "pool.yaml": pool("other") });
    const changed = run(
      ["render", join(other, "policy.yaml"), join(other, "pool.yaml"), "--output-dir", "out"],
      folder,
    );
    chmodSync(join(folder, "out"), 0o755);
    expect(changed.exit).toBe(1);
    expect(changed.stderr).toContain("cannot be written: permission denied");
    expect(readdirSync(join(folder, "out"))).toStrictEqual(before);
  });
});
