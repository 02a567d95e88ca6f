/** Maps keep every key, whatever its name. */
import { expect, it } from "vitest";
import * as z from "zod/mini";
import { keysAmong, mapOf } from "./map-of.ts";
import { withRules } from "./rule.ts";
import { check } from "./validate.ts";

const given = (json: string): unknown => JSON.parse(json);
const text = (value: unknown): string => JSON.stringify(value);

it.each([['{"a":"b"}'], ['{"__proto__":"x"}'], ['{"a":"b","__proto__":"x","constructor":"y","toString":"z"}'], ["{}"]])(
  "keeps all of %s",
  (json) => {
    const { value, violations } = check(z.strictObject({ tags: mapOf(z.string()) }), { tags: given(json) });
    expect(violations).toStrictEqual([]);
    expect(Object.entries(value!.tags)).toStrictEqual(Object.entries(given(json) as object));
  },
);

it("validates the value of every key, and every key", () => {
  const limits = withRules(mapOf(z.string()), [keysAmong(["cpu"], "resource")]);
  expect(check(limits, given('{"__proto__": 1}')).violations).toMatchObject([
    { path: ["__proto__"], message: "must be a string, not 1" },
  ]);
  expect(check(limits, given('{"__proto__": "1"}')).violations).toMatchObject([
    { path: ["__proto__"], message: "is wrong: no resource that can be set here" },
  ]);
  expect(text(check(limits, given('{"cpu": "1"}')).value)).toBe('{"cpu":"1"}');
});

it("is a map in the CRD", () => {
  expect(z.toJSONSchema(mapOf(z.string()))).toMatchObject({ type: "object", additionalProperties: { type: "string" } });
});
