/** How many nodes a budget stands for: a number or a percentage and the nodes of the pool in, Go's number or its error out. */
import { atoi } from "../../model/int64.ts";

/**
 * Numbers wrap as Go's int32; percentages are rounded up, so that a small pool can move at all
 * (docs/upstream/karpenter.md#budgets).
 */
export function budgetNodes(text: string, total: number): number | string {
  const whole = atoi(text);
  if (whole.valid) return Number(BigInt.asIntN(32, whole.value));
  const percent = text.endsWith("%") ? atoi(text.slice(0, -1)) : undefined;
  if (percent === undefined) return "invalid value for IntOrString: invalid type: string is not a percentage";
  if (!percent.valid) return `invalid value for IntOrString: invalid value ${JSON.stringify(text)}`;
  return Math.ceil((Number(percent.value) * total) / 100);
}
