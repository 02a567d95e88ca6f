/** Compares the plain-style reader with the library, on every fixture and on fixtures with mistakes of all kinds. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type PlainDocument, readPlainStyle } from "../../../src/krm/yaml/plain-style.ts";
import { ROOT } from "../../support/process/built.ts";
import { byTheLibrary } from "../../support/property/by-the-library.ts";

/** Positions are found in the document's slice, so the slice alone must parse to the same value. */
function expectSame(text: string, documents: readonly PlainDocument[]): void {
  const saying = documents.filter(({ value }) => value !== null);
  expect(saying.map(({ value }) => value)).toStrictEqual(byTheLibrary(text));
  for (const { value, start, end } of saying) expect(byTheLibrary(text.slice(start, end))).toStrictEqual([value]);
  expect(documents.map(({ start }) => start)).toStrictEqual([0, ...documents.slice(0, -1).map(({ end }) => end)]);
  expect(documents.at(-1)?.end).toBe(text.length);
}

const FIXTURES = readdirSync(join(ROOT, "fixtures"), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name))
  .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));

describe("the plain style", () => {
  it("covers most manifests, with the same value as in the library", () => {
    const taken = FIXTURES.filter((text) => {
      const documents = readPlainStyle(text);
      if (documents !== undefined) expectSame(text, documents);
      return documents !== undefined;
    });
    expect(taken.length).toBeGreaterThan(FIXTURES.length * 0.7);
  });

  const piece = fc.constantFrom(
    ..." |  |- |-|:|: |#| #|'|\"|[|]|{|}|,|, |a|1|0x1|~|null|true|a: b|---|&a|*a|!t|%|?|? |@|`|...|1e3|-1|+1|.5|.inf|0o7|é|key:|- - |<<: |\\|>|'a'|[a]|[]|{}".split(
      "|",
    ),
    "|",
    "\t",
    "\r",
    "\n",
    "\n  ",
    "\n- ",
    "\n  - ",
    "\n---\n",
    "\n\n",
    "\u00a0",
    "\u2028",
    "\ufeff",
  );
  const mistake = fc.record({ at: fc.nat(), removed: fc.nat({ max: 5 }), piece });
  const lines = fc.record({ from: fc.nat(), count: fc.integer({ min: 1, max: 12 }) });
  const spoilt = fc
    .record({
      text: fc.constantFrom(...FIXTURES.filter((text) => text.length < 2000)),
      mistakes: fc.array(mistake, { maxLength: 4 }),
      lines: fc.option(lines),
    })
    .map(({ text, mistakes, lines: part }) => {
      const all = text.split("\n");
      const start = part === null ? 0 : part.from % all.length;
      const cut = part === null ? text : all.slice(start, start + part.count).join("\n");
      return mistakes.reduce((given, { at, removed, piece: more }) => {
        const place = at % (given.length + 1);
        return given.slice(0, place) + more + given.slice(place + removed);
      }, cut);
    });

  it("is never accepted if the library refuses it or reads another value", () => {
    let taken = 0;
    fc.assert(
      fc.property(spoilt, (text) => {
        const documents = readPlainStyle(text);
        if (documents === undefined) return;
        taken += 1;
        expectSame(text, documents);
      }),
      { numRuns: 20_000 },
    );
    expect(taken).toBeGreaterThan(3000);
  });

  it("accepts nothing in brackets and braces that the library reads differently", () => {
    const piece = fc.constantFrom(
      ..."[|]|{|}|,|, |: |:|a|b: |c: |\"d\": |'e':|[a, b]|{f: g}|-1|- |-|'h'|\"i\"|null|# j| #|a:b|a b|*a|&a |!t |? |<<: |\n| |\n  |\n |\n---\n| - |''|\t".split(
        "|",
      ),
    );
    const before = fc.constantFrom("a: ", "- ", "- a: ", "a:\n  ", "a:\n  - ", "- - a: ", "a:\n- b: ");
    const after = fc.constantFrom("\n", "", "\nz: 1\n", "\n- y\n", "\n  z: 1\n", " # x\n");
    const inner = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));
    const whole = fc.constantFrom(["[", "]"], ["{", "}"], ["[{b: c}, ", "]"], ["{x: [", "]}"], ["", ""]);
    let taken = 0;
    fc.assert(
      fc.property(before, whole, inner, after, (start, [opening, closing], text, end) => {
        const all = `${start}${opening}${text}${closing}${end}`;
        const documents = readPlainStyle(all);
        if (documents === undefined) return;
        taken += 1;
        expectSame(all, documents);
      }),
      { numRuns: 20_000 },
    );
    expect(taken).toBeGreaterThan(500);
  });
});
