/** A schema looks at each value once: what it gave is in order, what looks the same is not yet. */
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { takesItsOwn } from "./takes-its-own.ts";

function counting() {
  let looked = 0;
  const schema = takesItsOwn(
    z.strictObject({ key: z.string() }).check(({ value, issues }) => {
      looked += 1;
      if (value.key === "wrong") issues.push({ code: "custom", input: value, message: "wrong" });
    }),
  );
  return { list: z.array(schema), looked: () => looked };
}

test("what it gave is taken as it is, also in another list", () => {
  const { list, looked } = counting();
  const given = list.parse([{ key: "a" }, { key: "b" }]);
  const again = list.parse([...given, { key: "a" }]);
  expect(again).toStrictEqual([{ key: "a" }, { key: "b" }, { key: "a" }]);
  expect(looked()).toBe(3);
});

test("what is wrong stays wrong, however often it is asked", () => {
  const { list } = counting();
  const wrong = { key: "wrong" };
  const unknown = { key: "a", other: 1 };
  for (const _ of [1, 2])
    expect(list.safeParse([wrong]).error?.issues).toMatchObject([{ path: [0], message: "wrong" }]);
  for (const _ of [1, 2]) expect(list.safeParse([unknown]).success).toBe(false);
});
