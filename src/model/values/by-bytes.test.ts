/** The order of Go's strings, which is that of code points. */
import { expect, test } from "vitest";
import { byBytes } from "./by-bytes.ts";

test("sorts as the bytes of UTF-8 do", () => {
  const texts = ["😀", "\uffee", "b", "", "ab", "\ue000", "a", "é", "😁", "\ud7ff", "B", "10", "9"];
  const bytes = texts.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  expect(texts.toSorted(byBytes)).toStrictEqual(bytes);
  expect(bytes).not.toStrictEqual(texts.toSorted());
});
