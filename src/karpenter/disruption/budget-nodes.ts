/** How many nodes of a pool a budget's number or percentage stands for, as Go reckons it. */
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
