/** An internal error: exit code 70 with the lines that a report needs, and no half of an answer. */
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import type { Context } from "../../../src/commands/cli/context.ts";
import { anp, buildOnce, QUICKSTART, ROOT } from "../../support/process/built.ts";
import { copyOf } from "../../support/process/programs.ts";
import { runMain } from "../../support/process/run-anp.ts";

beforeAll(buildOnce);

const fault = (): never => {
  throw new TypeError("a fault for the test");
};

it.each<[string, Partial<Context>, readonly string[]]>([
  ["writing the output", { writeOut: fault }, ["render", QUICKSTART]],
  ["writing the CRDs", { writeOut: fault }, ["crds"]],
  ["choosing colours", { style: fault }, ["render", QUICKSTART]],
])("while %s", async (_what, changes, args) => {
  const { exit, stderr } = await runMain(args, ".", changes);
  expect(exit).toBe(70);
  expect(stderr).toMatch(
    /^anp: internal error, please report it with these lines\nTypeError: a fault for the test\n {4}at /m,
  );
});

it("is not reported for the user's mistakes", async () => {
  const { exit, stderr } = await runMain(["render", QUICKSTART, "--report", "json=x"], ".", { writeFile: fault });
  expect(exit).toBe(1);
  expect(stderr).toContain("x: error: cannot be written: a fault for the test [output-unwritable]");
});

it("in a broken installation is a failure and writes nothing to standard output", () => {
  const folder = copyOf("bin", "package.json", "dist");
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const bin = join(folder, "bin/anp.js");
  expect(anp(["render", QUICKSTART], { bin })).toStrictEqual(anp(["render", QUICKSTART]));
  writeFileSync(join(folder, "dist/anp.render.cjs"), "throw new Error('broken');\n");
  const { exit, stdout } = anp(["render", QUICKSTART], { bin });
  expect(exit).not.toBe(0);
  expect(stdout).toBe("");
});

it("says so if the built program is missing", () => {
  const ended = anp(["--version"], { bin: join(copyOf("bin", "package.json"), "bin/anp.js") });
  expect(ended).toMatchObject({ exit: 70, stdout: "" });
  expect(ended.stderr).toMatch(/^anp: the installation is broken, install it again: Cannot find module [^\n]+\n$/);
});
