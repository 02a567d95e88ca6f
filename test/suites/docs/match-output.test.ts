/** Which parts of an output a page may leave out or wrap. */
import { describe, expect, it } from "vitest";
import { fillIn, isExcerpt } from "../../support/docs/match-output.ts";

const long = `error: ${"word ".repeat(30)}[code]`;
const printed = [long, "  help: a hint", "kind: NodePool", "1 error"];

describe("output as a page shows it", () => {
  it.each<[string, readonly string[]]>([
    ["whole", printed],
    ["cut at the end", [long, "…"]],
    ["cut in the middle, with the mark indented", [long, "  …", "1 error"]],
    ["wrapped", [long.slice(0, 61), `    ${long.slice(62)}`, ...printed.slice(1)]],
  ])("is right when %s", (_name, page) => {
    expect(fillIn(page, printed)).toStrictEqual(printed);
  });

  it.each<[string, readonly string[]]>([
    ["a line is missing", printed.slice(0, 3)],
    ["the start is left out without a mark", ["kind: NodePool", "1 error"]],
    ["a line differs", [long, "  help: another hint", "…"]],
    ["lines change places", ["kind: NodePool", "…", "  help: a hint", "…"]],
    ["a short line is wrapped", [long, "  help:", "    a hint", "…"]],
    ["a line is wrapped without indentation", [long.slice(0, 61), long.slice(62), "…"]],
    ["there is more than was printed", [...printed, "2 errors"]],
  ])("is wrong when %s", (_name, page) => {
    expect(fillIn(page, printed)).toStrictEqual(page);
    expect(page).not.toStrictEqual(printed);
  });
});

it("knows an excerpt", () => {
  const text = ["a:", "  b: 1", "  c: 2", "d: 3"];
  expect(isExcerpt(["  b: 1", "  c: 2"], text)).toBe(true);
  expect(isExcerpt(["a:", "…", "  c: 2"], text)).toBe(true);
  expect(isExcerpt(["b: 1"], text)).toBe(false);
  expect(isExcerpt(["  b: 1", "d: 3"], text)).toBe(false);
});
