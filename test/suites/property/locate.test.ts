/**
 * Compares positions of the plain-style reader with the library's tree, on all fixtures and on truncated and shifted
 * ones.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FieldPath } from "../../../src/krm/places/field-path.ts";
import { outlineLocator } from "../../../src/krm/places/locate-in-outline.ts";
import { treeLocator } from "../../../src/krm/places/locate.ts";
import { readPlainStyle } from "../../../src/krm/yaml/plain-style.ts";
import { ROOT } from "../../support/process/built.ts";

/** Each document, without empty ones. */
const DOCUMENTS = readdirSync(join(ROOT, "fixtures"), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name))
  .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
  .flatMap((text) => (readPlainStyle(text) ?? []).map(({ start, end }) => text.slice(start, end)));

/** Every path of a value, and for each list and mapping one that does not exist. */
function pathsOf(value: unknown, at: FieldPath = []): FieldPath[] {
  if (typeof value !== "object" || value === null) return [at, [...at, "below"]];
  const entries = Array.isArray(value) ? value.entries() : Object.entries(value);
  const absent = Array.isArray(value) ? value.length : "absent";
  return [at, [...at, absent], ...[...entries].flatMap(([segment, inner]) => pathsOf(inner, [...at, segment]))];
}

/** As in a stream: positions are relative to the document. */
const BEFORE = "other: [document]\n---\n";

/** How many positions the outline found. */
function compare(alone: string): number {
  const stream = BEFORE + alone;
  const document = readPlainStyle(stream)?.at(-1);
  const text = stream.slice(document?.start, document?.end);
  const plain = outlineLocator(text, document?.outline ?? []);
  if (plain === undefined) return 0;
  const tree = treeLocator(text);
  const value = document!.value;
  const asked = pathsOf(value).flatMap((path) => (["key", "value"] as const).map((part) => ({ path, part })));
  const told = asked.flatMap(({ path, part }) => {
    const at = plain(path, part);
    return at === undefined ? [] : [{ path, part, at }];
  });
  expect(told, text).toStrictEqual(told.map(({ path, part }) => ({ path, part, at: tree(path, part) })));
  return told.length / asked.length;
}

describe("the place of a field in plain style", () => {
  it("is the same for all fixtures, and found without a tree for nearly all of them", () => {
    const told = DOCUMENTS.map(compare).filter((share) => share > 0);
    expect(told.length).toBeGreaterThan(DOCUMENTS.length * 0.9);
    expect(told.filter((share) => share < 1).length).toBeLessThan(told.length / 20);
  });

  it("is the same in documents with lines missing, moved further in, or with comments and blanks in them", () => {
    const change = fc.record({
      line: fc.nat(),
      count: fc.integer({ min: 1, max: 4 }),
      how: fc.constantFrom("cut", "indent", "comment", "blank", "trail", "twice"),
    });
    let told = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(...DOCUMENTS.filter((text) => text.length < 1500)),
        fc.array(change, { minLength: 1, maxLength: 3 }),
        (text, changes) => {
          const changed = changes.reduce((lines, { line, count, how }) => {
            const at = line % lines.length;
            const some = lines.slice(at, at + count);
            const instead = {
              cut: [],
              indent: some.map((one) => `  ${one}`),
              comment: ["  # a: b", ...some],
              blank: ["", "   ", ...some],
              trail: some.map((one) => `${one}  # a: [b]`),
              twice: [...some, ...some],
            }[how];
            return lines.toSpliced(at, count, ...instead);
          }, text.split("\n"));
          if (compare(changed.join("\n")) > 0) told += 1;
        },
      ),
      { numRuns: 3000 },
    );
    expect(told).toBeGreaterThan(1000);
  });
});
