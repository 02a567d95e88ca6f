/** Writing findings in the system: pipes, devices and links, and missing permissions. */
import { chmodSync, existsSync, lstatSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { anp, buildOnce, ordinaryUser, shell } from "../../support/process/built.ts";
import { folderWith, outsider, policy, pool } from "../../support/process/inputs.ts";

beforeAll(buildOnce);

const BYPASSED = { "policy.yaml": policy("clusters-shop", "[a]", "example.com/team"), "pool.yaml": outsider };
const OK = { "policy.yaml": policy(), "pool.yaml": pool() };

const codes = (text: string): string[] =>
  (JSON.parse(text) as { findings: readonly { code: string }[] }).findings.map(({ code }) => code);

it("is written into a pipe or a device without replacing it, and replaces a link", () => {
  const folder = folderWith({ ...BYPASSED, "target.json": "old" });
  symlinkSync("target.json", join(folder, "link.json"));
  const reports = "--report json=pipe --report json=link.json --report json=/dev/null --report json=/dev/fd/3";
  const line = `mkfifo pipe; cat pipe & anp render policy.yaml pool.yaml ${reports} 2>/dev/null 3>third.json; wait`;
  const { stdout } = shell(line, folder);
  expect(codes(stdout)).toStrictEqual(["policy-bypassed"]);
  expect(lstatSync(join(folder, "pipe")).isFIFO()).toBe(true);
  expect(lstatSync("/dev/null").isCharacterDevice()).toBe(true);
  // Authors of manifests may have made it: its target does not change.
  expect(lstatSync(join(folder, "link.json")).isFile()).toBe(true);
  expect(readFileSync(join(folder, "link.json"), "utf8")).toBe(stdout);
  expect(readFileSync(join(folder, "target.json"), "utf8")).toBe("old");
  expect(readFileSync(join(folder, "third.json"), "utf8")).toBe(stdout);
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
  ])("read %s: it is reported and nothing is rendered", (_what, path, mode) => {
    const folder = open({ "pool.yaml": pool(), "secret/policy.yaml": policy() });
    expect(run(["render", "."], folder).exit).toBe(0);
    chmodSync(join(folder, path), mode);
    const { exit, stdout, stderr } = run(["render", "."], folder);
    chmodSync(join(folder, path), 0o700);
    expect({ exit, stdout }).toStrictEqual({ exit: 3, stdout: "" });
    expect(stderr).toMatch(/^secret.*: error: may not be read: permission denied \[file-unreadable\]$/m);
  });

  it("write a report without permission", () => {
    const { exit, stderr } = run(["render", ".", "--report", "json=r.json"], open(OK));
    expect(exit).toBe(1);
    expect(stderr).toContain("r.json: error: cannot be written: permission denied [output-unwritable]");
  });

  it("write a directory without permission", () => {
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
