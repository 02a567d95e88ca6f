/** The address of the repository is stated once, in package.json, and is the same on every page. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  otherAddresses,
  pagesWithAddress,
  PLACEHOLDER,
  PLACEHOLDER_NOTE,
  statedAddress,
  whyNoAddress,
  withAddress,
} from "../../../scripts/release/address.ts";
import { readPage, REPOSITORY } from "../../support/docs/page.ts";
import { textFiles } from "../../support/docs/reference.ts";

const address = statedAddress();

it("is the only one on every page", () => {
  const others = pagesWithAddress().flatMap((page) =>
    otherAddresses(readPage(page), address ?? PLACEHOLDER).map((other) => `${page}: ${other}`),
  );
  expect(others).toStrictEqual([]);
});

it("is explained as long as it is a placeholder", () => {
  expect(readPage("docs/install.md").includes(PLACEHOLDER_NOTE)).toBe(address === undefined);
});

it("is one that a repository can have", () => {
  expect(whyNoAddress(address ?? PLACEHOLDER)).toBeUndefined();
});

it("is not one of a server that does not exist", () => {
  const made = textFiles().filter((file) =>
    readFileSync(`${REPOSITORY}${file}`, "utf8").includes(["git", "example.com"].join(".")),
  );
  expect(made).toStrictEqual([]);
});

const ACME = "https://github.com/acme/anp";

describe("a page gets another address", () => {
  it.each<[before: string, after: string]>([
    [`git clone ${PLACEHOLDER} && cd anp`, `git clone ${ACME} && cd anp`],
    ["- uses: OWNER/anp@COMMIT", "- uses: acme/anp@COMMIT"],
    [`${PLACEHOLDER}/blob/main/a.md`, `${ACME}/blob/main/a.md`],
    ["`OWNER/anp` is", "`acme/anp` is"],
    ["OWNER/REPOSITORY/.github", "OWNER/REPOSITORY/.github"],
    ["x/OWNER/anp OWNER/anp-cmp", "x/OWNER/anp OWNER/anp-cmp"],
    [`a\n${PLACEHOLDER_NOTE}\nb`, "a\n\nb"],
  ])("%j", (before, after) => {
    expect(withAddress(before, PLACEHOLDER, ACME)).toBe(after);
  });

  it.each(["https://git.acme.dev/acme/anp", "https://github.com/acme2/anp"])("%s, and back", (other) => {
    const text = `${ACME} acme/anp@COMMIT`;
    expect(withAddress(withAddress(text, ACME, other), other, ACME)).toBe(text);
  });
});

describe("another address", () => {
  it.each<[text: string, others: readonly string[]]>([
    [`${ACME}, ${ACME}/releases`, []],
    ["https://example.com/anp and https://a.b/c/d/anp/x", ["https://example.com/anp", "https://a.b/c/d/anp"]],
    ["uses: other/anp@COMMIT", ["other/anp"]],
    ["registry.example.com/anp https://a.b/anp-cmp https://a.b/anps", []],
  ])("in %j", (text, others) => {
    expect(otherAddresses(text, ACME)).toStrictEqual(others);
  });

  it.each([
    "",
    "github.com/acme/anp",
    "http://github.com/acme/anp",
    `${ACME}.git`,
    `${ACME}/`,
    "https://github.com/anp",
  ])("is refused: %j", (text) => {
    expect(whyNoAddress(text)).toMatch(/^write it as/);
  });
});
