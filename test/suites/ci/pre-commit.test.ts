/** The pre-commit hook: its command, run in a repository as pre-commit runs it. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { filesOfPage } from "../../support/docs/page.ts";
import { buildOnce, ROOT } from "../../support/process/built.ts";
import { pathWith } from "../../support/process/programs.ts";
import { CLEAN, UNREADABLE, WARNING } from "../../support/ci/manifests.ts";
import { checkOut } from "../../support/ci/repository.ts";

beforeAll(buildOnce);

interface Hook {
  readonly id: string;
  readonly entry: string;
  readonly args: readonly string[];
  readonly language: string;
  readonly types: readonly string[];
  readonly pass_filenames: boolean;
}

const HOOKS = parse(readFileSync(join(ROOT, ".pre-commit-hooks.yaml"), "utf8")) as readonly Hook[];

/** pre-commit splits the entry as a shell does, appends the args, and starts it in the root of the repository. */
function run(files: Readonly<Record<string, string>>, args = HOOKS[0]!.args) {
  const [program = "", ...words] = HOOKS[0]!.entry.split(" ");
  const { status, stdout, stderr } = spawnSync(program, [...words, ...args], {
    encoding: "utf8",
    cwd: checkOut(files).workspace,
    env: { ...process.env, PATH: pathWith() },
  });
  return { exit: status, stdout, stderr };
}

describe("anp-check", () => {
  it("runs once for the whole repository, when any YAML file is committed", () => {
    expect(HOOKS).toStrictEqual([
      {
        id: "anp-check",
        name: "anp check",
        description: expect.any(String) as unknown,
        entry: "anp check",
        args: ["."],
        language: "node",
        types: ["yaml"],
        pass_filenames: false,
      },
    ]);
  });

  it("is the program that the package installs", () => {
    const { bin } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { bin: Record<string, string> };
    expect(Object.keys(bin)).toContain(HOOKS[0]!.entry.split(" ")[0]);
  });

  it("checks a fleet in one run, with the arguments that docs/ci.md shows", () => {
    const page = filesOfPage("docs/ci.md")[".pre-commit-config.yaml"] ?? "";
    const { repos } = parse(page) as { repos: { hooks: { args: string[] }[] }[] };
    const { "clusters/blog/pools/policy.yaml": attempt = "", ...fleet } = filesOfPage("docs/fleet.md");
    const args = repos[0]?.hooks[0]?.args;
    expect(run(fleet, args)).toStrictEqual({ exit: 0, stdout: "", stderr: "no findings\n" });
    const refused = run({ ...fleet, "clusters/blog/pools/policy.yaml": attempt }, args);
    expect([refused.exit, refused.stdout]).toStrictEqual([1, expect.stringContaining("[untrusted-policy]")]);
  });

  it("lets a clean commit pass", () => {
    expect(run(CLEAN).exit).toBe(0);
    expect(run(CLEAN, ["clusters"])).toStrictEqual({ exit: 0, stdout: "", stderr: "no findings\n" });
  });

  it.each([
    ["a warning", WARNING, 1, "[pool-unsatisfiable]"],
    ["input that cannot be read", UNREADABLE, 3, "[yaml-syntax]"],
  ])("stops one with %s", (_what, files, exit, says) => {
    const ended = run(files);
    expect(ended.exit).toBe(exit);
    expect(ended.stdout).toContain(says);
  });

  it("takes other args", () => {
    expect(run(WARNING, ["clusters/a", "--fail-on", "error"])).toMatchObject({ exit: 0 });
  });
});
