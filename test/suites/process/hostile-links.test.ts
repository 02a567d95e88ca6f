/** Links in the input to the process itself: its environment, its streams, its memory. */
import { existsSync, lstatSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { anp, buildOnce, shell } from "../../support/process/built.ts";
import { addFiles, folderWith, policy, pool } from "../../support/process/inputs.ts";
import { repository } from "../../support/process/repositories.ts";

beforeAll(buildOnce);

const FILES = { "in/policy.yaml": policy(), "in/web.yaml": pool("web") };
const SECRET = "hush-hush";

/** Links by their path. */
function link(folder: string, links: Readonly<Record<string, string>>): void {
  for (const [path, target] of Object.entries(links)) symlinkSync(target, join(folder, path));
}

it.each([
  ["check", ["check", "in"]],
  ["render", ["render", "in"]],
  ["Argo CD's generate", ["cmp", "generate"]],
  ["explain", ["explain", "in", "--nodepool", "web"]],
])("nothing is shown from outside in an error: %s", (_what, args) => {
  const outside = folderWith({ credentials: `${SECRET}: [\n` });
  const folder = repository(FILES);
  link(folder, { "in/c.yaml": join(outside, "credentials"), "in/environ.yaml": "/proc/self/environ" });
  const { exit, stdout, stderr } = anp(args, { cwd: folder, env: { SECRET } });
  expect({ exit, stdout: args[0] === "check" ? "" : stdout }).toStrictEqual({ exit: 3, stdout: "" });
  expect(stdout + stderr).toContain("in/c.yaml: error: is a link that leads outside");
  expect(stdout + stderr).toContain("  2 times: in/c.yaml, in/environ.yaml\n");
  expect(stdout + stderr).not.toContain(SECRET);
});

it("reports still go to the streams of the process, and to a link's folder within the repository", () => {
  const folder = repository({ ...FILES, "results/x": "" });
  link(folder, { reports: "results" });
  expect(shell("anp check in --report json=/dev/stderr 2>&1 | cat", folder).stdout).toContain('"findings"');
  expect(anp(["check", "in", "--report", "json=/dev/null"], { cwd: folder }).exit).toBe(0);
  expect(lstatSync("/dev/null").isCharacterDevice()).toBe(true);
  expect(anp(["check", "in", "--report", "json=reports/a.json"], { cwd: folder }).exit).toBe(0);
  expect(existsSync(join(folder, "results/a.json"))).toBe(true);
});

// A gigabyte of it, which other processes should not pay for.
it("reads a baseline that a RenderConfig names only up to its limit", () => {
  const config = `apiVersion: anp.hypershift.openshift.io/v1alpha1
kind: RenderConfig
metadata: {name: c}
spec: {baseline: /dev/zero}
`;
  const folder = folderWith({ ...FILES, "in/config.yaml": config });
  const { exit, stderr } = anp(["check", "in"], { cwd: folder });
  expect([exit, stderr]).toStrictEqual([3, "anp: /dev/zero cannot be read: EFBIG\n"]);
  writeFileSync(join(folder, "in/config.yaml"), config.replace("/dev/zero", "none.json"));
  addFiles(folder, { "in/none.json": '{"schemaVersion": 1, "findings": []}' });
  expect(anp(["check", "in"], { cwd: folder }).exit).toBe(0);
});

it("reads a catalogue that a RenderConfig names only up to its limit, and shows none of it", () => {
  const config = (catalogue: string) => `apiVersion: anp.hypershift.openshift.io/v1alpha1
kind: RenderConfig
metadata: {name: c}
spec: {catalogue: ${catalogue}}
`;
  const folder = folderWith({ ...FILES, "in/config.yaml": config("/dev/zero") });
  const told = (command: string, ...more: string[]) => {
    const { exit, stderr } = anp([command, "in", ...more], { cwd: folder });
    return [exit, stderr];
  };
  expect(told("check")).toStrictEqual([3, "anp: /dev/zero cannot be read: EFBIG\n"]);
  addFiles(folder, { secret: "hunter2: the password" });
  writeFileSync(join(folder, "in/config.yaml"), config("../secret"));
  for (const command of ["check", "explain"]) {
    const [exit, stderr] = told(command);
    expect(exit).toBe(3);
    expect(stderr).toContain("anp: in/../secret is not a catalogue of instance types");
    expect(stderr).not.toContain("hunter2");
  }
  // A file of the command line is read instead, and rendering reads none.
  expect(told("explain", "--catalogue", "secret").join(" ")).toContain("secret is not JSON");
  expect(told("render")[0]).toBe(0);
});
