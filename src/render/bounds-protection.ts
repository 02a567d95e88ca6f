/** Renders CEL rules that refuse a NodePool beyond the bounds of a RenderConfig. */
import { isBelowFloor } from "../karpenter/disruption/drifted-floor.ts";
import { DEFAULT_BUDGET_NODES } from "../model/pools/disruption-reasons.ts";
import { DEFAULT_EXPIRY } from "../model/values/durations.ts";
import type { RenderConfigSpec } from "../model/settings/render-config.ts";
import { NO_RESERVED_KEYS, type Validation } from "./reserved-key-rules.ts";

type Bounds = Pick<RenderConfigSpec, "maxExpireAfter" | "maxTerminationGracePeriod" | "minDriftedBudget">;

/**
 * The rules of docs/render-config.md#bounds, except schedules of budgets, which CEL cannot parse. An unchanged spec
 * passes, so that metadata of older pools stays writable.
 */
export function boundsProtection({
  maxExpireAfter,
  maxTerminationGracePeriod,
  minDriftedBudget,
}: Bounds): Validation[] {
  const found: Validation[] = [];
  const add = (expression: string, message: string): void =>
    void found.push({ expression: ofNew(expression), message });
  for (const { expression, message } of times("object.spec.template.spec", {
    maxExpireAfter,
    maxTerminationGracePeriod,
  }))
    add(expression, message);
  if (minDriftedBudget !== undefined) {
    const budgets = `object.spec.?disruption.?budgets.orValue([{'nodes': '${DEFAULT_BUDGET_NODES}'}])`;
    const forOthers = "has(b.reasons) && !('Drifted' in b.reasons)";
    add(
      `${budgets}.all(b, (${forOthers}) || ${keepsFloor(`b.?nodes.orValue('${DEFAULT_BUDGET_NODES}')`, minDriftedBudget)})`,
      `Budgets must let at least ${minDriftedBudget} of the drifted nodes go (minDriftedBudget).`,
    );
  }
  // Such a key overrides the bounded fields.
  if (found.length > 0) add(NO_RESERVED_KEYS.expression, NO_RESERVED_KEYS.message);
  return found;
}

/**
 * Rules on creation of a NodeClaim, which copies both times of its pool and keeps them. Older NodeClaims stay
 * writable.
 */
export function claimBoundsProtection(bounds: Bounds): Validation[] {
  return times("object.spec", bounds).map(({ expression, message }) => ({
    expression: `request.operation == 'UPDATE' || (${expression})`,
    message,
  }));
}

/** @param spec CEL expression of the parent of both fields */
function times(spec: string, { maxExpireAfter, maxTerminationGracePeriod }: Bounds): Validation[] {
  const found: Validation[] = [];
  if (maxExpireAfter !== undefined) {
    const time = `${spec}.?expireAfter.orValue('${DEFAULT_EXPIRY}')`;
    found.push({
      expression: `${time} != 'Never' && duration(${time}) <= duration('${maxExpireAfter}')`,
      message: `Nodes must expire after ${maxExpireAfter} at most (maxExpireAfter).`,
    });
  }
  if (maxTerminationGracePeriod !== undefined) {
    const time = `${spec}.?terminationGracePeriod`;
    found.push({
      expression: `${time}.hasValue() && duration(${time}.value()) <= duration('${maxTerminationGracePeriod}')`,
      message: `Nodes that go must be gone after ${maxTerminationGracePeriod} at most (maxTerminationGracePeriod).`,
    });
  }
  return found;
}

function ofNew(expression: string): string {
  const unchanged = "request.operation == 'UPDATE' && has(oldObject.spec) && object.spec == oldObject.spec";
  return `request.operation == 'DELETE' || (${unchanged}) || (${expression})`;
}

/** Also refuses numbers that wrap in Go. */
function keepsFloor(nodes: string, floor: string): string {
  const percent = Array.from({ length: 101 }, (_, share) => share).find((share) => !isBelowFloor(`${share}%`, floor));
  const isPercent = `${nodes}.endsWith('%')`;
  const share = `int(${nodes}.replace('%', '')) >= ${percent}`;
  if (floor.endsWith("%")) return `(${isPercent} && ${share})`;
  return `(${isPercent} ? ${share} : int(${nodes}) >= ${Number(floor)} && int(${nodes}) <= 2147483647)`;
}
