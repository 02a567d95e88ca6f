/** docs/glossary.md: twenty terms, each with the name in the source that decides it. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readPage, REPOSITORY } from "../../support/docs/page.ts";

const ROW = /^\| ([\w() -]+) \| .+ \| .+ \| \[`([\w/-]+\.ts)`\]\(\.\.\/src\/([\w/-]+\.ts)\) `(\w+)` \|$/gm;

const terms = [...readPage("docs/glossary.md").matchAll(ROW)].map(([, term = "", shown = "", file = "", name = ""]) => {
  return { term, shown, file, name };
});

it("has twenty terms", () => expect(terms).toHaveLength(20));

it.each(terms)("$term is decided in $file", ({ shown, file, name }) => {
  expect(file).toBe(shown);
  const path = join(REPOSITORY, "src", file);
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  expect(text).toMatch(
    new RegExp(`^export (?:const|function|async function|interface) ${name}\\b|^function ${name}\\b`, "m"),
  );
});

it.each(["README.md", "CONTRIBUTING.md", "docs/architecture.md"])("is linked from %s", (page) => {
  expect(readPage(page)).toMatch(/\]\((?:docs\/)?glossary\.md\)/);
});
