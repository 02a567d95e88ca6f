/** Notes on Leases: read strictly, in bounded size, and counted once. */
import { describe, expect, test } from "vitest";
import { afterCrash, type Crash, crashesAtTake, crashesText, FORGOTTEN_MS, passesText } from "./crashes.ts";

const NOW = Date.parse("2026-11-25T12:00:00Z");
const crash = (cluster: string, count = 1, last = NOW): Crash => ({ cluster, count, last });

function take(crashes: string | undefined, passes: string | undefined) {
  const unread: string[] = [];
  const known = crashesAtTake({ crashes, passes, now: NOW, unreadable: (annotation) => void unread.push(annotation) });
  return { known, unread };
}

test("what was in a pass has crashed once more, and nothing else", () => {
  const crashes = crashesText([crash("a", 2, NOW - 1000), crash("b", 1, NOW - 2000)]);
  expect(take(crashes, passesText(["a", "c"]))).toEqual({
    known: [crash("a", 3), crash("b", 1, NOW - 2000), crash("c")],
    unread: [],
  });
  expect(take(undefined, undefined)).toEqual({ known: [], unread: [] });
});

test("what is an hour old is forgotten, and no crash is in the future", () => {
  const crashes = crashesText([crash("a", 7, NOW - FORGOTTEN_MS), crash("b", 7, NOW + FORGOTTEN_MS)]);
  expect(take(crashes, undefined).known).toEqual([crash("b", 7)]);
  expect(take(crashes, passesText(["a"])).known).toContainEqual(crash("a"));
});

describe("a text that anp does not write counts as none, and is told", () => {
  test.each([
    ["no JSON", "["],
    ["no list", "{}"],
    ["a number", "[1]"],
    ["no name of a cluster", '["a/b"]'],
    ["a long name", JSON.stringify(["a".repeat(64)])],
    ["too many names", JSON.stringify(Array.from({ length: 513 }, (_, index) => `c${index}`))],
    ["nested deeply", "[".repeat(90_000)],
    ["long", JSON.stringify(["a".repeat(200_000)])],
  ])("passes: %s", (_what, text) => {
    expect(take(undefined, text)).toEqual({ known: [], unread: ["anp.hypershift.openshift.io/clusters-in-a-pass"] });
  });

  const entry = { cluster: "a", count: 1, last: "2026-11-25T12:00:00.000Z" };
  test.each([
    ["no JSON", "a"],
    ["another field", JSON.stringify([{ ...entry, more: 1 }])],
    ["no count", JSON.stringify([{ cluster: "a", last: entry.last }])],
    ["a count below one", JSON.stringify([{ ...entry, count: 0 }])],
    ["a count without end", JSON.stringify([{ ...entry, count: 1e9 }])],
    ["no time", JSON.stringify([{ ...entry, last: "yesterday" }])],
    ["a prototype", '[{"__proto__": {"count": 1}, "cluster": "a"}]'],
  ])("crashes: %s", (_what, text) => {
    expect(take(text, passesText(["b"]))).toEqual({
      known: [crash("b")],
      unread: ["anp.hypershift.openshift.io/crashes"],
    });
  });
});

test("the largest notes are within what annotations may have, and can be read again", () => {
  const names = Array.from({ length: 4000 }, (_, index) => `c${String(index).padStart(62, "0")}`);
  const passes = passesText(names)!;
  const crashes = crashesText(names.map((name, index) => crash(name, 1000, NOW - index)))!;
  expect(passes.length + crashes.length).toBeLessThan(128 * 1024);
  const { known, unread } = take(crashes, passes);
  expect(unread).toEqual([]);
  // The latest passes, and the latest crashes.
  expect(known).toContainEqual(crash(names.at(-1)!));
  expect(known).toContainEqual(crash(names[0]!, 1000));
});

test("a count has a bound", () => {
  expect(afterCrash([crash("a", 1000)], ["a"], NOW)).toEqual([crash("a", 1000)]);
});
