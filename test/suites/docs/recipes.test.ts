/** Follows the recipes of CONTRIBUTING.md in a copy of the repository: their code fits, and the tests of what they add pass. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { blocksOf, readPage, REPOSITORY } from "../../support/docs/page.ts";

const copy = realpathSync(mkdtempSync(join(tmpdir(), "anp-recipes-")));

function run(program: string, args: readonly string[], input = ""): string {
  return execFileSync(program, args, { cwd: copy, input, encoding: "utf8", env: { ...process.env, CI: "" } });
}

function node(...args: string[]): string {
  return run(process.execPath, args);
}

beforeAll(() => {
  const files = execFileSync("git", ["ls-files", "-z"], { cwd: REPOSITORY, encoding: "utf8" }).split("\0");
  for (const file of files) if (file !== "") cpSync(join(REPOSITORY, file), join(copy, file));
  symlinkSync(join(REPOSITORY, "node_modules"), join(copy, "node_modules"));
}, 60_000);

afterAll(() => rmSync(copy, { recursive: true }));

it("the recipe of a rule gives a rule that all checks accept", () => {
  for (const { language, note, lines } of blocksOf(readPage("CONTRIBUTING.md"))) {
    const text = `${lines.join("\n")}\n`;
    if (note?.name === "file") {
      mkdirSync(dirname(join(copy, note.value)), { recursive: true });
      writeFileSync(join(copy, note.value), text);
    } else if (language === "diff") run("git", ["apply", "--recount", "-"], text);
  }
  run("git", ["init", "--quiet"]);
  run("git", ["add", "--all"]);
  node("scripts/build.ts");
  const folder = join(copy, "fixtures/cases/check/weight-of-only-pool");
  // As `npm run fixtures` writes it, for this case alone.
  const printed = execFileSync(process.execPath, [join(copy, "bin/anp.js"), "check", "in"], {
    cwd: folder,
    encoding: "utf8",
  });
  expect(printed).toContain("the weight changes nothing [weight-of-only-pool]");
  writeFileSync(join(folder, "stdout.txt"), printed);
  run("node_modules/.bin/tsc", ["--noEmit"]);
  run("node_modules/.bin/oxfmt", ["--check", "src/analyze/check", "src/krm/findings"]);
  const suites = ["docs/findings", "docs/headers", "golden/golden"].map((name) => `test/suites/${name}.test.ts`);
  node(
    "node_modules/vitest/vitest.mjs",
    "run",
    ...suites,
    "-t",
    "weight-of-only-pool|docs/findings.md|each file of src",
  );
}, 600_000);
