/** Input with more findings than a call takes arguments. */
import { expect, it } from "vitest";
import { parseSources } from "./parse.ts";
import { printFinding, testSource } from "../../../test/support/source.ts";

it("reports each of a hundred and fifty thousand broken documents", () => {
  const { value, findings } = parseSources([testSource("--- a\n".repeat(150_000))]);
  expect([value.length, findings.length]).toStrictEqual([0, 150_000]);
  expect(printFinding(findings.at(-1)!)).toBe(
    "error not-krm f.yaml:150000:5 is not a mapping, so it is not a Kubernetes object | --- a",
  );
});

it("reports each of fifty thousand broken items on one line", () => {
  const { findings } = parseSources([
    testSource(`{"apiVersion":"v1","kind":"List","items":[${"{},".repeat(49_999)}{}]}`),
  ]);
  expect(findings.length).toBe(50_000);
  expect(printFinding(findings.at(-1)!)).toBe(
    "error not-krm f.yaml:1:150040 items[49999] has no apiVersion and kind, so it is not a Kubernetes object",
  );
});
