/** Counts in sentences. */
import { expect, test } from "vitest";
import { counted, someOf, tally } from "./counted.ts";

test("one and many", () => {
  expect([0, 1, 2].map((count) => counted(count, "node"))).toStrictEqual(["0 nodes", "1 node", "2 nodes"]);
  expect(counted(2, "class", "classes")).toBe("2 classes");
});

test("each kind in its order, without kinds that have none", () => {
  expect(tally(["a", "b", "c"], ["C", "A", "C"], (text) => text.toLowerCase())).toStrictEqual([
    ["a", 1],
    ["c", 2],
  ]);
});

test("some names, and how many others", () => {
  expect(someOf(["a", "b"], 2)).toBe("a, b");
  expect(someOf(["a", "b", "c"], 2)).toBe("a, b and 1 other");
  expect(someOf(["a", "b", "c", "d"], 2)).toBe("a, b and 2 others");
});
