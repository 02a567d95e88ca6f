/** How an inventory changes and is split, and that a ConfigMap loses none of it. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Change, changed, type Entry, entryId, knownOf, type Parts } from "./inventory.ts";
import { checkedObject, isMalformed } from "../api/check-object.ts";
import { OPENSHIFT_NODE_POOLS } from "../api/served-kind.ts";
import { earlierEntries, partData, readPart } from "./inventory-text.ts";

const SET = "f".repeat(40);
const entry = (name: string, more: Partial<Entry> = {}): Entry => ({ kind: "NodePool", name, ...more });
const change = (given: Partial<Change>): Change => ({ enter: [], set: [], drop: [], ...given });
const ids = (parts: Parts) => parts.map((part) => part.map(entryId));

describe("a change", () => {
  const made = [[entry("web", { uid: "u1", left: "p" })]];

  test.each<[string, Parts, Partial<Change>, Parts]>([
    ["adds an entry for an object to create", [[]], { enter: [entry("web")] }, [[entry("web")]]],
    ["keeps an entry that exists", made, { enter: [entry("web")] }, made],
    ["replaces an entry", made, { set: [entry("web", { uid: "u2" })] }, [[entry("web", { uid: "u2" })]]],
    ["removes the entry of a deleted object", made, { drop: [entry("web", { uid: "u1" })] }, [[]]],
    ["keeps the entry of another uid", made, { drop: [entry("web", { uid: "u0" })] }, made],
    ["keeps the entry of another kind", made, { drop: [entry("web", { kind: "EC2NodeClass", uid: "u1" })] }, made],
  ])("%s", (_, before, given, after) => {
    expect(changed(before, change(given))).toEqual(after);
  });

  test("keeps each entry in its part, and adds a part if none has room", () => {
    const bytes = 300;
    const full = changed([[]], change({ enter: ["a", "b", "c", "d", "e"].map((name) => entry(name)) }), bytes);
    expect(ids(full)).toEqual([["NodePool/a", "NodePool/b"], ["NodePool/c", "NodePool/d"], ["NodePool/e"]]);
    const grown = changed(full, change({ set: [entry("a", { uid: "u".repeat(36), left: "p".repeat(16) })] }), bytes);
    expect(ids(grown)).toEqual(ids(full));
    const next = changed(changed(grown, change({ drop: [entry("c")] }), bytes), change({ enter: [entry("f")] }), bytes);
    expect(ids(next)).toEqual([["NodePool/a", "NodePool/b"], ["NodePool/d", "NodePool/f"], ["NodePool/e"]]);
  });
});

test("no part of ten thousand objects with the longest names is larger than 480 KiB, however they grow", () => {
  const names = Array.from({ length: 10_000 }, (_, index) => `${index}`.padEnd(253, "x"));
  const parts = changed([[]], change({ enter: names.map((name) => entry(name)) }));
  const grown = names.map((name) =>
    entry(name, { uid: "u".repeat(36), left: "p".repeat(16), goes: true, repaired: true, released: true }),
  );
  const after = changed(parts, change({ set: grown }));
  expect(after.flat()).toHaveLength(10_000);
  const sizes = after.map((part) => Buffer.byteLength(partData(part, SET, after.length).objects));
  expect(Math.max(...sizes)).toBeLessThanOrEqual(480 * 1024);
  expect(Math.min(...sizes.slice(0, -1))).toBeGreaterThan(470 * 1024);
  // With its earlier copy it fits into a ConfigMap.
  const whole = after.map((part) => partData(part, SET, after.length, part));
  expect(whole.every(({ before }) => typeof before === "string")).toBe(true);
  const bytes = whole.map((data) => Buffer.byteLength(Object.values(data).join("")));
  expect(Math.max(...bytes)).toBeLessThan(1024 * 1024);
});

const anyEntry: fc.Arbitrary<Entry> = fc
  .record({
    kind: fc.constantFrom("NodePool", "EC2NodeClass"),
    name: fc.constantFrom("a", "b", "c", "d"),
    uid: fc.option(fc.constantFrom("1", "2"), { nil: undefined }),
    left: fc.option(fc.constant("p"), { nil: undefined }),
    goes: fc.option(fc.constant(true as const), { nil: undefined }),
    repaired: fc.option(fc.constant(true as const), { nil: undefined }),
    released: fc.option(fc.constant(true as const), { nil: undefined }),
  })
  .map((given) => JSON.parse(JSON.stringify(given)) as Entry);
const anyEntries = fc.uniqueArray(anyEntry, { selector: entryId });

const whole = { wrong: undefined, isNewer: false };

test("entries are read from a ConfigMap as they were written", () => {
  fc.assert(
    fc.property(anyEntries, anyEntries, fc.integer({ min: 1, max: 9 }), (entries, before, parts) => {
      const data = partData(entries, SET, parts, before);
      expect(readPart(data, SET)).toEqual({ entries, parts, ...whole });
      expect(earlierEntries(data, SET)).toEqual(before);
    }),
  );
});

const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 40 }),
  fc.constantFrom("__proto__", "a/b", "..", "a\nb", "\ud800", "x".repeat(1001), "web", "9b0c7e1e-6f1d"),
);
const anyValue = fc.oneof({ weight: 6, arbitrary: anyText }, fc.jsonValue(), fc.constant([[]]), fc.double());

test("for any answer of a server, the entry that anp writes can be read again", () => {
  let fit = 0;
  fc.assert(
    fc.property(anyValue, anyValue, anyValue, (name, uid, resourceVersion) => {
      const answer = JSON.parse(JSON.stringify({ metadata: { name, uid, resourceVersion } })) as unknown;
      const object = checkedObject(answer, OPENSHIFT_NODE_POOLS);
      if (isMalformed(object)) return;
      fit++;
      const entries = [entry(object.metadata.name, { uid: object.metadata.uid, left: "p" })];
      expect(readPart(partData(entries, SET, 1, entries), SET)).toEqual({ entries, parts: 1, ...whole });
    }),
    { numRuns: 2000 },
  );
  expect(fit).toBeGreaterThan(50);
});

test("a change is idempotent, and leaves other entries unchanged", () => {
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

test.each<[string, Record<string, unknown>, string, string[]]>([
  ["nothing", {}, "it belongs to another watch or hosted cluster", []],
  [
    "no number of parts",
    { set: SET, parts: "some", objects: '[{"kind":"A","name":"a"}]' },
    "it does not say how many parts it has",
    ["A/a"],
  ],
  [
    "too many parts",
    { set: SET, parts: "9007199254740991", objects: "[]" },
    "it does not say how many parts it has",
    [],
  ],
  ["no list", { set: SET, parts: "1", objects: "{}" }, "its objects are not a list", []],
  ["half a list", { set: SET, parts: "1", objects: '[{"kind":"A"' }, "its objects are not JSON", []],
  [
    "an empty uid",
    { set: SET, parts: "1", objects: '[{"kind":"A","name":"a","uid":""},{"kind":"A","name":"b"}]' },
    "its object 1 is invalid",
    ["A/b"],
  ],
  [
    "an invalid uid",
    { set: SET, parts: "1", objects: '[{"kind":"A","name":"a"},{"kind":"A","name":"b","uid":[[]]}]' },
    "its object 2 is invalid",
    ["A/a"],
  ],
])("with %s it is damaged, and the others are read", (_, data, words, others) => {
  const read = readPart(data, SET);
  expect([read.wrong, read.entries.map(entryId), read.isNewer]).toEqual([words, others, false]);
});

test("an inventory of a later version is not readable", () => {
  const data = { set: SET, parts: "1", objects: '[{"kind":"A","name":"a","x":1}]' };
  expect(readPart(data, SET)).toMatchObject({ wrong: "a later version wrote it", isNewer: true });
});

test("a copy that does not fit beside the list is omitted", () => {
  const many = (letter: string) => [entry(letter.repeat(600_000))];
  expect(partData(many("a"), SET, 1, many("b")).before).toBeNull();
});
