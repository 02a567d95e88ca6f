/** Plans as JSON for programs (docs/plan.md#for-programs). */
import type { PlanAnswer } from "../../analyze/plan/plan-answer.ts";
import { printableJson } from "../terminal/printable.ts";

export function planJson(answer: PlanAnswer): string {
  return printableJson(`${JSON.stringify(answer, undefined, 2)}\n`);
}
