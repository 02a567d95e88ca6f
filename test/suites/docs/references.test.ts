/** Every reference to a document and its section exists, in code, tests, fixtures and pages; and code or a page cites each section of docs/upstream. */
import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { describe, expect, it } from "vitest";
import { headingsOf, readPage, REPOSITORY } from "../../support/docs/page.ts";
import { referencesIn, mistakesIn, textFiles, whyBroken } from "../../support/docs/reference.ts";

const files = textFiles().map((file) => ({ file, text: readFileSync(`${REPOSITORY}${file}`, "utf8") }));

describe("in the repository", () => {
  it("has a document and a section for every reference", () => {
    const broken = files.flatMap(({ file, text }) =>
      file === SAMPLES
        ? []
        : referencesIn(file, text).flatMap((reference) => {
            const why = whyBroken(reference);
            return why === undefined ? [] : [`${file}:${reference.line}: ${reference.text} (${why})`];
          }),
    );
    expect(broken).toStrictEqual([]);
  });

  it("mentions no document outside of it, and no section in a form that no test checks", () => {
    expect(files.flatMap(({ file, text }) => (file === SAMPLES ? [] : mistakesIn(file, text)))).toStrictEqual([]);
  });
});

const UPSTREAM = files.map(({ file }) => file).filter((file) => file.startsWith("docs/upstream/"));

it.each(UPSTREAM)("%s has no section without a citation", (page) => {
  const cited = files.flatMap(({ file, text }) =>
    file === page || file === SAMPLES
      ? []
      : referencesIn(file, text)
          .filter(({ candidates }) => candidates.includes(page))
          .map(({ section }) => section),
  );
  const [, ...sections] = headingsOf(readPage(page));
  expect(sections.filter((section) => !cited.includes(section))).toStrictEqual([]);
});

const SAMPLES = posix.join("test/suites/docs", "references.test.ts");

describe("a reference", () => {
  it.each<[string, string, readonly string[]]>([
    ["src/a.ts", "// See docs/render.md#root-volume.", []],
    ["src/a.ts", '"docs/render.md#no-such-thing"', ["no such section"]],
    ["src/a.ts", "/** Of docs/rendering.md. */", ["no such document"]],
    ["src/a.ts", " * as karpenter.md has it", ["no such document"]],
    ["src/a.ts", '["karpenter.md", "d/notes.md"]', []],
    ["src/a.ts", "// https://example.com/docs/a.md, and cmd/docs/a.md", ["no such document"]],
    ["src/a.ts", "// (decision 5), and decision 77", ["no such document"]],
    ["docs/a.md", "[a](render.md#output), [b](../README.md) and [c](https://example.com/x.md#y)", []],
    ["docs/a.md", "[a](render.md#no-such-thing) and [b](nowhere.md)", ["no such section", "no such document"]],
    ["docs/a.md", "[here](#here)", ["no such document"]],
    ["docs/render.md", "[output](#output) and [nothing](#nothing)", ["no such section"]],
    ["deploy/a.yaml", "  # docs/watch.md#crds, and notes.md", ["no such document"]],
    ["fixtures/cases/x/case.yaml", "what: as in karpenter.md", ["no such document"]],
  ])("%s: %s", (file, line, broken) => {
    const reasons = referencesIn(file, line).map(whyBroken);
    expect(reasons.filter((why) => why !== undefined)).toStrictEqual(broken);
  });
});

describe("a mistake", () => {
  it.each<[string, string, boolean]>([
    ["src/a.ts", "/** As docs/render.md#output has it, in 3 of 4 cases. */", false],
    ["src/a.ts", "/** As docs/render.md 3.1 has it. */", true],
    ["src/a.ts", '/** As docs/render.md, "Output" has it. */', true],
    ["src/a.ts", "// docs/render.md § 3", true],
    ["src/a.ts", 'const name = "shared/a.yaml";', false],
    ["src/a.ts", "// shared/a.yaml", true],
    ["src/a.ts", 'const name = "DESIGN.md";', true],
    ["docs/a.md", "See shared/a.yaml.", true],
  ])("%s: %s", (file, line, isMistake) => {
    expect(mistakesIn(file, line)).toHaveLength(isMistake ? 1 : 0);
  });
});
