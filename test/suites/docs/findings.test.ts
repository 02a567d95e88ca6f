/** docs/findings.md explains each code of the closed list, and a test shows each code. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { codeEntry, FINDING_CODES, type FindingCode } from "../../../src/krm/findings/finding-codes.ts";
import { expected } from "../../support/golden/case.ts";
import { blocksOf, readPage, REPOSITORY } from "../../support/docs/page.ts";

const page = readPage("docs/findings.md");
const codes = Object.keys(FINDING_CODES) as FindingCode[];
/** Findings about an output directory or a cluster, which golden cases cannot have. */
const isAboutOutput = (code: FindingCode): boolean => code.startsWith("output-") || code.startsWith("live-");

/** From a code's heading to the next heading. */
const sections = new Map(
  page
    .split(/^(?=##+ )/m)
    .filter((section) => section.startsWith("### "))
    .map((section) => [/^### (.*)/.exec(section)![1]!, section]),
);

describe("docs/findings.md", () => {
  it("has every code in its table, in order", () => {
    const rows = codes.map((code) => {
      const { severity, fixed = false, says, unreadable = false } = codeEntry(code);
      return `| [\`${code}\`](#${code}) | ${severity} | ${fixed ? "no" : "yes"} | ${says}${unreadable ? " (exit 3)" : ""} |`;
    });
    expect(page.split("\n").filter((line) => line.startsWith("| [`"))).toStrictEqual(rows);
  });

  it("groups them as the list does", () => {
    const list = readFileSync(join(REPOSITORY, "src/krm/findings/finding-codes.ts"), "utf8");
    const order = (text: string, pattern: RegExp) =>
      [...text.matchAll(pattern)].map(([, group, code]) => group ?? code);
    expect(order(page, /^\| (?:\*\*(.+)\*\*|\[`(.+?)`\]\(.*?\)) \|/gm)).toStrictEqual(
      order(list, /^ {2}(?:\/\/ (.+)\.|"(.+?)": .*)$/gm),
    );
  });

  it("has a heading for every code and for nothing else, in order", () => {
    expect([...sections.keys()]).toStrictEqual(codes);
  });
});

it.each(codes)("%s is explained: severity, an example that shows it, a fix", (code) => {
  const section = sectionOf(code);
  const { severity, fixed, unreadable } = codeEntry(code);
  const flags = [severity, fixed ? "fixed" : "can be changed", ...(unreadable ? ["exit 3"] : [])];
  expect(section).toContain(`\n*${flags.join(", ")}*\n`);
  const shown = blocksOf(section).filter(({ language }) => language === "sh");
  expect(shown.flatMap(({ lines }) => lines).join(" ")).toContain(`[${code}]`);
  expect(section).toMatch(/^\*\*Fix\.\*\* \S/m);
});

it.each(codes.filter((code) => !isAboutOutput(code)))("%s is shown by the golden case that the page names", (code) => {
  const [, folder = ""] = /^In \*\*`(fixtures\/cases\/.+)`\*\*:$/m.exec(sectionOf(code)) ?? [];
  expect(existsSync(join(REPOSITORY, folder, "case.yaml")), folder).toBe(true);
  // The findings of `anp check` are its answer, and go to the standard output.
  const shown = ["stderr.txt", "stdout.txt"].map((file) => expected(join(REPOSITORY, folder), file));
  expect(shown.join("")).toContain(`[${code}]`);
});

it.each(codes.filter(isAboutOutput))("%s is shown by a test", (code) => {
  const tests = ["src", "test"].flatMap(testsBelow).filter((path) => !path.endsWith("docs/findings.test.ts"));
  expect(tests.filter((path) => readFileSync(path, "utf8").includes(code))).not.toStrictEqual([]);
});

function sectionOf(code: string): string {
  return sections.get(code) ?? "";
}

function testsBelow(folder: string): string[] {
  return readdirSync(join(REPOSITORY, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".test.ts"))
    .map((entry) => join(entry.parentPath, entry.name));
}
