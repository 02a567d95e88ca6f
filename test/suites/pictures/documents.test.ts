/** The pictures of the documentation: shown with alternative texts, small, and current if that can be checked. */
import { readdirSync, readFileSync } from "node:fs";
import { hostname } from "node:os";
import { posix } from "node:path";
import { describe, expect, it } from "vitest";
import { dashboardPicture, terminalSvg } from "../../../scripts/pictures/dashboard.ts";
import { pages, readPage, REPOSITORY } from "../../support/docs/page.ts";

const FOLDER = "docs/pictures";
const MAX_BYTES = 150_000;

const files = readdirSync(`${REPOSITORY}${FOLDER}`).toSorted();
const bytesOf = (file: string): Buffer => readFileSync(`${REPOSITORY}${FOLDER}/${file}`);

interface Shown {
  readonly page: string;
  /** From the top of the repository. */
  readonly file: string;
  /** Undefined for the dark form, which has the words of the light one. */
  readonly words: string | undefined;
}

function shownOn(page: string): Shown[] {
  const text = readPage(page);
  const from = (path: string): string => posix.join(posix.dirname(page), path);
  const found = [
    ...text.matchAll(/!\[([^\]]*)\]\(([^)]+)\)/g),
    ...text.matchAll(/<img alt="([^"]*)" src="([^"]+)"/g),
  ].map(([, words = "", path = ""]) => ({ page, file: from(path), words }));
  const dark = [...text.matchAll(/<source media="\(prefers-color-scheme: dark\)" srcset="([^"]+)"/g)];
  return [...found, ...dark.map(([, path = ""]) => ({ page, file: from(path), words: undefined }))];
}

const shown = pages().flatMap(shownOn);

describe("each picture", () => {
  it("is shown, and each that is shown is there", () => {
    expect([...new Set(shown.map(({ file }) => file))].toSorted()).toStrictEqual(
      files.map((file) => `${FOLDER}/${file}`),
    );
    expect(new Set(shown.map(({ page }) => page))).toStrictEqual(
      new Set(["README.md", "docs/pictures.md", "docs/watch.md"]),
    );
  });

  it("has an alternative text", () => {
    const short = shown.filter(({ words }) => words !== undefined && words.split(" ").length < 8);
    expect(short).toStrictEqual([]);
    // No other Markdown shows one without a text.
    const tags = pages().flatMap((page) => readPage(page).match(/<(?:img|source)\b|!\[/g) ?? []);
    expect(tags).toHaveLength(shown.length);
  });

  it.each(files)("%s is small", (file) => {
    expect(bytesOf(file).length).toBeLessThanOrEqual(MAX_BYTES);
  });

  it.each(files.filter((file) => file.endsWith(".png")))(
    "%s holds a picture and no metadata about its author",
    (file) => {
      expect(chunksOf(bytesOf(file))).toStrictEqual(expect.arrayContaining(["IHDR", "PLTE", "IDAT", "IEND"]));
      const told = new Set(["IHDR", "PLTE", "tRNS", "IDAT", "IEND", "sRGB", "gAMA", "cHRM", "pHYs", "sBIT"]);
      expect(chunksOf(bytesOf(file)).filter((name) => !told.has(name))).toStrictEqual([]);
    },
  );

  it("of a page is there light and dark, of one size", () => {
    const sizes = files.flatMap((file) => {
      const [, name, scheme] = /^(.*)-(light|dark)\.png$/.exec(file) ?? [];
      return name === undefined ? [] : [`${name} ${scheme} ${bytesOf(file).subarray(16, 24).toString("hex")}`];
    });
    const light = sizes.filter((size) => size.includes(" light "));
    expect(light).toHaveLength(2);
    expect(sizes.filter((size) => size.includes(" dark "))).toStrictEqual(
      light.map((size) => size.replace(" light ", " dark ")),
    );
  });
});

/** The types of a PNG's parts, in order. */
function chunksOf(png: Buffer): string[] {
  expect(png.subarray(0, 8).toString("latin1")).toBe("\u0089PNG\r\n\u001a\n");
  const types: string[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) types.push(png.toString("latin1", at + 4, at + 8));
  return types;
}

describe("the dashboard's", () => {
  it("is what the dashboard draws now (npm run pictures)", () => {
    expect(readFileSync(`${REPOSITORY}${FOLDER}/dashboard.svg`, "utf8")).toBe(dashboardPicture());
  });

  it("names no machine, loads nothing and runs nothing", () => {
    const svg = dashboardPicture();
    expect(svg.replace("http://www.w3.org/2000/svg", "")).not.toMatch(
      /:\/\/|href|<script|<style|\/(?:home|root|tmp)\//,
    );
    expect(svg).not.toContain(hostname());
  });
});

describe("a frame as a picture", () => {
  it("has each word in its column, with its style, as text", () => {
    expect(
      terminalSvg(' ‹1›a‹22› b  ‹1›‹33›<&"›‹39›‹22›\n‹2›──‹22›   c\n\n', 'a "b"').split("\n").slice(1),
    ).toStrictEqual([
      "<title>a &quot;b&quot;</title>",
      '<rect width="100%" height="100%" rx="8" fill="#0d1117"/>',
      `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="#e6edf3">`,
      '<text x="22.4" y="27" textLength="8.4" lengthAdjust="spacingAndGlyphs" font-weight="bold">a</text>',
      '<text x="39.2" y="27" textLength="8.4" lengthAdjust="spacingAndGlyphs">b</text>',
      '<text x="64.4" y="27" textLength="33.6" lengthAdjust="spacingAndGlyphs" font-weight="bold" fill="#e3b341">&lt;&amp;&quot;›</text>',
      '<text x="14" y="45" textLength="16.8" lengthAdjust="spacingAndGlyphs" opacity="0.6">──</text>',
      '<text x="56" y="45" textLength="8.4" lengthAdjust="spacingAndGlyphs">c</text>',
      "</g>",
      "</svg>",
      "",
    ]);
  });

  it("is refused with a style that it does not know", () => {
    expect(() => terminalSvg("‹45›a", "a")).toThrow("the style ‹45›");
  });
});
