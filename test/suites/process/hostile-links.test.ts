/** Links that the input brings to what belongs to the process: its environment and its streams. */
import { existsSync, lstatSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { anp, buildOnce, shell } from "../../support/process/built.ts";
import { folderWith, policy, pool } from "../../support/process/inputs.ts";
import { repository } from "../../support/process/repositories.ts";

beforeAll(buildOnce);

const FILES = { "in/policy.yaml": policy(), "in/web.yaml": pool("web") };
const SECRET = "hush-hush";

/** Links by where they stand. */
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
  expect(stdout + stderr).toContain("in/environ.yaml: error: is a link that leads outside");
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
