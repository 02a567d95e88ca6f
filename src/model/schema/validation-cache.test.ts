/** A schema checks one of several equal values, and checks wrong values each time. */
import { describe, expect, it, test } from "vitest";
import * as z from "zod/mini";
import { cacheValidation } from "./validation-cache.ts";

function counting() {
  let looked = 0;
  const schema = cacheValidation(
    z
      .strictObject({
        key: z.string(),
        values: z.optional(z.array(z.string())),
        minValues: z.optional(z.union([z.number(), z.bigint()])),
      })
      .check(({ value, issues }) => {
        looked += 1;
        if (value.key === "wrong") issues.push({ code: "custom", input: value, message: "wrong" });
      }),
  );
  return { list: z.array(schema), looked: () => looked };
}

test("a value that it returned is accepted again, also in another list", () => {
  const { list, looked } = counting();
  const given = list.parse([{ key: "a", values: ["x".repeat(1100)] }, { key: "b" }]);
  expect(list.parse([...given, { key: "c" }])).toStrictEqual([...given, { key: "c" }]);
  expect(looked()).toBe(3);
});

test("an equal value is accepted, and returned as given", () => {
  const { list, looked } = counting();
  const [first] = list.parse([{ key: "a", values: ["x"] }]);
  const [second] = list.parse([{ key: "a", values: ["x"] }]);
  expect(second).toStrictEqual(first);
  expect(second).not.toBe(first);
  expect(looked()).toBe(1);
});

describe("a different value is checked, and so is", () => {
  it.each<[string, object, object, number]>([
    ["another value", { key: "a", values: ["x"] }, { key: "a", values: ["y"] }, 2],
    ["a number in quotes", { key: "a", minValues: 1 }, { key: "1", minValues: 1 }, 2],
    ["a number that JSON does not know", { key: "a", minValues: 2n ** 60n }, { key: "a", minValues: 2n ** 60n }, 2],
    ["a long one", { key: "x".repeat(1000) }, { key: "x".repeat(1000) }, 2],
    ["what the schema puts in another order", { values: ["x"], key: "a" }, { values: ["x"], key: "a" }, 2],
  ])("%s", (_what, one, other, times) => {
    const { list, looked } = counting();
    const taken = [...list.parse([one]), ...list.parse([other])];
    expect(looked()).toBe(times);
    expect(taken).toStrictEqual([one, other]);
    expect(Object.keys(taken[1]!)[0]).toBe("key");
  });
});

test("a wrong value stays wrong, however often it is checked", () => {
  const { list } = counting();
  const wrong = { key: "wrong" };
  const unknown = { key: "a", other: 1 };
  const notText = { key: "a", values: [1] };
  list.parse([{ key: "a" }, { key: "a", values: ["1"] }]);
  for (const _ of [1, 2])
    expect(list.safeParse([wrong]).error?.issues).toMatchObject([{ path: [0], message: "wrong" }]);
  for (const _ of [1, 2]) expect(list.safeParse([unknown, notText]).error?.issues).toHaveLength(2);
});

test("a value that aliases make long is not serialised", () => {
  const long = "x".repeat(2 ** 20);
  const { list } = counting();
  const taken: unknown[] = [];
  const write = JSON.stringify;
  JSON.stringify = (value: unknown) => (taken.push(value), write(value));
  try {
    list.parse([{ key: "a", values: Array<string>(400).fill(long) }]);
  } finally {
    JSON.stringify = write;
  }
  expect(taken).toStrictEqual([]);
});

test("only a limited number of texts is kept", () => {
  const { list, looked } = counting();
  const many = Array.from({ length: 3000 }, (_, index) => ({ key: `k-${index}` }));
  list.parse(many);
  list.parse(structuredClone(many));
  expect(looked()).toBeGreaterThan(5000);
  list.parse(structuredClone(many.slice(-1)));
  expect(looked()).toBe(6000);
});
