/** Follows the recipes of CONTRIBUTING.md in a copy of the repository: their code fits, and the tests of what they add pass. */
import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
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
}, 600_000);

afterAll(() => rmSync(copy, { recursive: true }));

beforeAll(() => {
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
  node("scripts/fixtures.ts");
}, 600_000);

const written = (file: string) => readFileSync(join(copy, file), "utf8");

/** The tests of the copy whose names have one of the words. */
function expectGreen(suites: readonly string[], ...words: string[]): void {
  const files = suites.map((name) => `test/suites/${name}.test.ts`);
  node("node_modules/vitest/vitest.mjs", "run", ...files, "-t", words.join("|"));
}

it("what the recipes add has the types and the format of the rest", () => {
  run("node_modules/.bin/tsc", ["--noEmit"]);
  const changed = [
    "src/analyze/check",
    "src/krm/findings",
    "src/model/settings",
    "src/render",
    "docs/render-config.md",
  ];
  run("node_modules/.bin/oxfmt", ["--check", ...changed]);
}, 600_000);

it("the recipe of a rule gives a rule that all checks accept", () => {
  expect(written("fixtures/cases/check/weight-of-only-pool/stdout.txt")).toContain(
    "the weight changes nothing [weight-of-only-pool]",
  );
  expectGreen(
    ["docs/findings", "docs/headers", "golden/golden"],
    "weight-of-only-pool",
    "docs/findings.md",
    "each file of src",
  );
}, 600_000);

it("the recipe of a field gives a field that is read, rendered and listed", () => {
  expect(written("fixtures/cases/admission/contact/stdout.yaml")).toContain(
    "Use OpenshiftNodePool instead. Ask the platform team.",
  );
  expect(written("docs/fields.md")).toContain("| `spec.admission.contact` |");
  expectGreen(["golden/golden", "schemas/json-schemas"], "admission/contact", "render-config.schema.json");
}, 600_000);
