/** Size and depth of a value when shared parts count each time. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { measureValue } from "./input-limits.ts";

describe("measureValue", () => {
  it.each<[value: unknown, size: number, depth: number]>([
    [null, 1, 0],
    ["text", 1, 0],
    [undefined, 1, 0],
    [[], 1, 1],
    [{}, 1, 1],
    [[1, 2], 3, 1],
    [{ a: 1, b: [2, { c: 3 }] }, 6, 3],
  ])("%j", (value, size, depth) => {
    expect(measureValue(value)).toStrictEqual({ size, depth });
  });

  it("counts what is shared as often as it is reached", () => {
    let value: unknown = [1];
    for (let level = 0; level < 50; level++) value = [value, value];
    // 2^50 lists of one, and the lists above them.
    expect(measureValue(value)).toStrictEqual({ size: 3 * 2 ** 50 - 1, depth: 51 });
  });

  it("treats a value that contains itself as endless", () => {
    const list: unknown[] = [1];
    list.push([list]);
    expect(measureValue({ list })).toStrictEqual({ size: Infinity, depth: Infinity });
  });

  it("counts what JSON writes, in any value that is a tree", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        let size = 0;
        JSON.stringify(value, (_key, part: unknown) => {
          size += 1;
          return part;
        });
        expect(measureValue(value).size).toBe(size);
      }),
    );
  });
});
