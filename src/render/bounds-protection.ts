/** CEL rules that refuse a NodePool beyond the bounds of a RenderConfig, whoever writes it. */
import { isBelowFloor } from "../karpenter/disruption/drifted-floor.ts";
import { DEFAULT_BUDGET_NODES } from "../model/disruption-reasons.ts";
import { DEFAULT_EXPIRY } from "../model/default-expiry.ts";
import type { RenderConfigSpec } from "../model/render-config.ts";

type Bounds = Pick<RenderConfigSpec, "maxExpireAfter" | "maxTerminationGracePeriod" | "minDriftedBudget">;

interface Validation {
  readonly expression: string;
  readonly message: string;
}

/**
 * As docs/render-config.md#bounds has them, but for budgets' schedules, which CEL cannot read. An unchanged spec
 * passes: who only writes metadata must not be locked out of a pool from before.
 */
export function boundsProtection({
  maxExpireAfter,
  maxTerminationGracePeriod,
  minDriftedBudget,
}: Bounds): Validation[] {
  const found: Validation[] = [];
  const add = (expression: string, message: string): void =>
    void found.push({ expression: ofNew(expression), message });
  if (maxExpireAfter !== undefined) {
    const time = `object.spec.template.spec.?expireAfter.orValue('${DEFAULT_EXPIRY}')`;
    add(
      `${time} != 'Never' && duration(${time}) <= duration('${maxExpireAfter}')`,
      `Nodes must expire after ${maxExpireAfter} at most (maxExpireAfter).`,
    );
  }
  if (maxTerminationGracePeriod !== undefined) {
    const time = "object.spec.template.spec.?terminationGracePeriod";
    add(
      `${time}.hasValue() && duration(${time}.value()) <= duration('${maxTerminationGracePeriod}')`,
      `Nodes that go must be gone after ${maxTerminationGracePeriod} at most (maxTerminationGracePeriod).`,
    );
  }
  if (minDriftedBudget !== undefined) {
    const budgets = `object.spec.?disruption.?budgets.orValue([{'nodes': '${DEFAULT_BUDGET_NODES}'}])`;
    const forOthers = "has(b.reasons) && !('Drifted' in b.reasons)";
    add(
      `${budgets}.all(b, (${forOthers}) || ${keepsFloor(`b.?nodes.orValue('${DEFAULT_BUDGET_NODES}')`, minDriftedBudget)})`,
      `Budgets must let at least ${minDriftedBudget} of the drifted nodes go (minDriftedBudget).`,
    );
  }
  return found;
}

function ofNew(expression: string): string {
  const unchanged = "request.operation == 'UPDATE' && has(oldObject.spec) && object.spec == oldObject.spec";
  return `request.operation == 'DELETE' || (${unchanged}) || (${expression})`;
}

/** Numbers that wrap, as Go has them, are refused as well. */
function keepsFloor(nodes: string, floor: string): string {
  const percent = Array.from({ length: 101 }, (_, share) => share).find((share) => !isBelowFloor(`${share}%`, floor));
  const isPercent = `${nodes}.endsWith('%')`;
  const share = `int(${nodes}.replace('%', '')) >= ${percent}`;
  if (floor.endsWith("%")) return `(${isPercent} && ${share})`;
  return `(${isPercent} ? ${share} : int(${nodes}) >= ${Number(floor)} && int(${nodes}) <= 2147483647)`;
}
