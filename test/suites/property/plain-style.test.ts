/** The reader of the plain style against the library: on every fixture, and on fixtures with slips of all kinds. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type PlainDocument, readPlainStyle } from "../../../src/krm/plain-style.ts";
import { ROOT } from "../../support/process/built.ts";
import { byTheLibrary } from "../../support/property/by-the-library.ts";

/** Positions are found in the slice of a document alone, so it must say by itself what it says in its place. */
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
  it("is what most manifests are written in, and means what the library says", () => {
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
  const slip = fc.record({ at: fc.nat(), removed: fc.nat({ max: 5 }), piece });
  const lines = fc.record({ from: fc.nat(), count: fc.integer({ min: 1, max: 12 }) });
  const spoilt = fc
    .record({
      text: fc.constantFrom(...FIXTURES.filter((text) => text.length < 2000)),
      slips: fc.array(slip, { maxLength: 4 }),
      lines: fc.option(lines),
    })
    .map(({ text, slips, lines: part }) => {
      const all = text.split("\n");
      const start = part === null ? 0 : part.from % all.length;
      const cut = part === null ? text : all.slice(start, start + part.count).join("\n");
      return slips.reduce((given, { at, removed, piece: more }) => {
        const place = at % (given.length + 1);
        return given.slice(0, place) + more + given.slice(place + removed);
      }, cut);
    });

  it("is taken for nothing that the library reads in another way, or refuses", () => {
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
});
