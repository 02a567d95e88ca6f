/** An inventory as a value: how it changes and is split, and that a ConfigMap loses none of it. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Change, changed, type Entry, entryId, knownOf, type Parts } from "./inventory.ts";
import { partData, readPart } from "./inventory-text.ts";

const SET = "f".repeat(40);
const entry = (name: string, more: Partial<Entry> = {}): Entry => ({ kind: "NodePool", name, ...more });
const change = (given: Partial<Change>): Change => ({ enter: [], set: [], drop: [], ...given });
const ids = (parts: Parts) => parts.map((part) => part.map(entryId));

describe("a change", () => {
  const made = [[entry("web", { uid: "u1", left: "p" })]];

  test.each<[string, Parts, Partial<Change>, Parts]>([
    ["enters what is to be made", [[]], { enter: [entry("web")] }, [[entry("web")]]],
    ["leaves what is known of it already", made, { enter: [entry("web")] }, made],
    ["says what it is now", made, { set: [entry("web", { uid: "u2" })] }, [[entry("web", { uid: "u2" })]]],
    ["takes away what is gone", made, { drop: [entry("web", { uid: "u1" })] }, [[]]],
    ["but no other of its name", made, { drop: [entry("web", { uid: "u0" })] }, made],
    ["knows kinds apart", made, { drop: [entry("web", { kind: "EC2NodeClass", uid: "u1" })] }, made],
  ])("%s", (_, before, given, after) => {
    expect(changed(before, change(given))).toEqual(after);
  });

  test("keeps each entry in its part, and begins another one where none has room", () => {
    const bytes = 300;
    const full = changed([[]], change({ enter: ["a", "b", "c", "d", "e"].map((name) => entry(name)) }), bytes);
    expect(ids(full)).toEqual([["NodePool/a", "NodePool/b"], ["NodePool/c", "NodePool/d"], ["NodePool/e"]]);
    const grown = changed(full, change({ set: [entry("a", { uid: "u".repeat(36), left: "p".repeat(16) })] }), bytes);
    expect(ids(grown)).toEqual(ids(full));
    const next = changed(changed(grown, change({ drop: [entry("c")] }), bytes), change({ enter: [entry("f")] }), bytes);
    expect(ids(next)).toEqual([["NodePool/a", "NodePool/b"], ["NodePool/d", "NodePool/f"], ["NodePool/e"]]);
  });
});

test("no part of ten thousand objects with the longest names is larger than 512 KiB, however they grow", () => {
  const names = Array.from({ length: 10_000 }, (_, index) => `${index}`.padEnd(253, "x"));
  const parts = changed([[]], change({ enter: names.map((name) => entry(name)) }));
  const grown = names.map((name) => entry(name, { uid: "u".repeat(36), left: "p".repeat(16), goes: true }));
  const after = changed(parts, change({ set: grown }));
  expect(after.flat()).toHaveLength(10_000);
  const sizes = after.map((part) => Buffer.byteLength(partData(part, SET, after.length).objects));
  expect(Math.max(...sizes)).toBeLessThanOrEqual(512 * 1024);
  expect(Math.min(...sizes.slice(0, -1))).toBeGreaterThan(500 * 1024);
});

const anyEntry: fc.Arbitrary<Entry> = fc
  .record({
    kind: fc.constantFrom("NodePool", "EC2NodeClass"),
    name: fc.constantFrom("a", "b", "c", "d"),
    uid: fc.option(fc.constantFrom("1", "2"), { nil: undefined }),
    left: fc.option(fc.constant("p"), { nil: undefined }),
    goes: fc.option(fc.constant(true as const), { nil: undefined }),
  })
  .map((given) => JSON.parse(JSON.stringify(given)) as Entry);
const anyEntries = fc.uniqueArray(anyEntry, { selector: entryId });

test("what comes out of a ConfigMap is what went in", () => {
  fc.assert(
    fc.property(anyEntries, fc.integer({ min: 1, max: 9 }), (entries, parts) => {
      expect(readPart(partData(entries, SET, parts), SET)).toEqual({ entries, parts });
    }),
  );
});

test("a change that is made twice is the same as made once, and touches nothing that it does not name", () => {
  fc.assert(
    fc.property(anyEntries, anyEntries, anyEntries, (before, enter, set) => {
      const given = change({ enter, set });
      const once = changed([before], given);
      expect(changed(once, given)).toEqual(once);
      const named = new Set([...enter, ...set].map(entryId));
      const untouched = (parts: Parts) => [...knownOf(parts).values()].filter((one) => !named.has(entryId(one)));
      expect(untouched(once)).toEqual(untouched([before]));
    }),
  );
});

test.each<[string, Record<string, string>, string]>([
  ["nothing", {}, "it is not of this watch and hosted cluster"],
  ["no number of parts", { set: SET, parts: "some", objects: "[]" }, "it does not say how many parts it has"],
  ["no list", { set: SET, parts: "1", objects: "{}" }, "its objects are no list"],
  ["an empty uid", { set: SET, parts: "1", objects: '[{"kind":"A","name":"a","uid":""}]' }, "its object 1 is none"],
  [
    "a field of a later version",
    { set: SET, parts: "1", objects: '[{"kind":"A","name":"a","x":1}]' },
    "its object 1 is none",
  ],
])("with %s it is no inventory", (_, data, words) => {
  expect(readPart(data, SET)).toBe(words);
});
