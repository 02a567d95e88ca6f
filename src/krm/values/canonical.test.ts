/** Tests of the canonical text: hashes in clusters depend on it. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { canonical } from "./canonical.ts";

test("is what a replacer that sorts makes of any plain data", () => {
  const key = fc.oneof(fc.string(), fc.nat().map(String), fc.constantFrom("__proto__", "007", "4294967295"));
  const data = fc.anything({ withBigInt: true, key });
  fc.assert(
    fc.property(data, (value) => {
      expect(canonical(value)).toBe(byReplacer(value));
    }),
  );
});

test("has whole numbers first, then the other keys in their order, and no absent fields", () => {
  const value = { b: [undefined, null, 1n], a: undefined, "10": null, "9": 1, "2": { z: 1, y: "é" } };
  expect(canonical(value)).toBe('{"2":{"y":"é","z":1},"9":1,"b":[null,null,"1"]}');
  expect(canonical(undefined)).toBe("absent");
});

/** The text as it was when the first hashes were written. */
function byReplacer(value: unknown): string {
  return (
    JSON.stringify(value, (_key, part: unknown) => {
      if (typeof part === "bigint") return String(part);
      if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
      const entries = Object.entries(part).filter(([, item]) => item !== undefined && item !== null);
      return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
    }) ?? "absent"
  );
}
