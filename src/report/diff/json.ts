/** Changes as JSON for programs. */
import type { DescribedDiff } from "../../analyze/diff/diff-answer.ts";
import { jsonText } from "../../krm/exact-integer.ts";
import { printableJson } from "../terminal/printable.ts";

export function diffJson(answer: DescribedDiff): string {
  return printableJson(`${jsonText(answer, 2)}\n`);
}
