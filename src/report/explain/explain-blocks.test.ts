/** Live NodePools beside their wrappers: differing values are short texts. */
import type { DescribedOutput } from "../../analyze/check/explain-answer.ts";
import { expect, it } from "vitest";
import { PLAIN } from "../terminal/style.ts";
import { terminalLines } from "../blocks/terminal.ts";
import { outputBlocks } from "./explain-blocks.ts";

const output = (differences: DescribedOutput["differences"], more: Partial<DescribedOutput> = {}): DescribedOutput =>
  ({ name: "web", madeBy: "hypershift", policy: { file: "p.yaml", line: 1 }, differences, ...more }) as DescribedOutput;

const lines = (differences: DescribedOutput["differences"], more: Partial<DescribedOutput> = {}): string[] =>
  terminalLines(outputBlocks(output(differences, more)), { style: PLAIN, width: 100 });

it("says what rendered it, and that nothing differs, or that there is nothing to compare with", () => {
  expect(lines([])).toStrictEqual([
    "  made by        HyperShift's operator, of OpenshiftNodePool web",
    "  rendered now   the same",
  ]);
  expect(lines(null, { madeBy: "anp" })).toStrictEqual([
    "  made by        anp, of OpenshiftNodePool web",
    "  rendered now   nothing of this name",
  ]);
});

it.each<[value: unknown, word: string]>([
  ["72h", "72h"],
  [7, "7"],
  [2n ** 70n, "1180591620717411303424"],
  [true, "true"],
  [["m5.large", "m5.xlarge"], "[m5.large m5.xlarge]"],
  [[], "[]"],
  [{ key: "a" }, '{"key":"a"}'],
  ["a\u001b[31m", "a\ufffd[31m"],
  ["x".repeat(200), `${"x".repeat(79)}…`],
])("shortens %s", (value, word) => {
  const [, , ...rows] = lines([{ field: "spec.a", here: value, rendered: null }]);
  expect(rows.map((row) => row.trim()).join(" ")).toBe(`spec.a: ${word} here, nothing rendered`);
});

it("says that the policy is missing", () => {
  expect(lines([{ field: "spec.weight", here: 1, rendered: 2 }], { policy: null })).toStrictEqual([
    "  made by        HyperShift's operator, of OpenshiftNodePool web",
    "  differs from what OpenshiftNodePool web renders to now (no policy was read, so its additions are",
    "  listed):",
    "    spec.weight: 1 here, 2 rendered",
  ]);
});
