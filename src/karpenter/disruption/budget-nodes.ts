/** Computes how many nodes a budget's number or percentage allows, as Go does. */
import { atoi } from "../../model/int64.ts";

/**
 * Numbers wrap as Go's int32. Percentages are rounded up, so that small pools can be disrupted
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
