/** Raw pools beyond the bounds of a RenderConfig that a guard holds. */
import { type Finding, findingAt } from "../../krm/finding.ts";
import { locationOf } from "../../krm/location.ts";
import { describeResource } from "../../krm/resource.ts";
import { sameValue } from "../../krm/same-value.ts";
import { DEFAULT_BUDGET_NODES, DEFAULT_BUDGETS } from "../../model/disruption-reasons.ts";
import { DEFAULT_EXPIRY } from "../../model/default-expiry.ts";
import { type AppliedBound, boundPool } from "../../resolve/bound-pool.ts";
import type { ResolvedPool } from "../../resolve/resolve-pool.ts";
import type { Settings } from "../../resolve/settings.ts";

/** See docs/decisions/0024-bounds-by-admission.md. */
export function outsideBounds({ wrapper, spec }: ResolvedPool, settings: Settings): Finding[] {
  return boundPool(wrapper, spec, settings).bounds.map((bound): Finding => {
    const { field, value, by, unreadable } = bound;
    const given = bound.given ?? "nothing";
    const subject = describeResource(wrapper);
    const where = locationOf(by.resource, by.path);
    const name = field.includes("budgets") ? "budgets" : String(field.at(-1));
    if (isUnsaid(bound, spec)) {
      const taken = name === "terminationGracePeriod" ? "waits for ever" : `takes ${STANDARD[name]}`;
      const what = name === "budgets" ? `a budget of ${value} for Drifted` : `${name} ${value}`;
      const message = `${subject}: a guard puts in ${what} (${where}), where Karpenter ${taken}`;
      return findingAt("default-bounded", wrapper, field, { message });
    }
    if (name !== "budgets") {
      const message = `${subject}: ${name} ${given} is beyond the bound of ${value} (${where}): a guard refuses it, and of a NodePool that is stored already it makes ${value}`;
      return findingAt("outside-bounds", wrapper, field, { message, hint: `write ${name}: ${value}, or less` });
    }
    const why = unreadable === undefined ? "holds Drifted below" : `cannot be read (${unreadable}), and so is below`;
    const message = `${subject}: the budget of ${given} ${why} the floor of ${value} (${where}): a guard refuses it, and of a NodePool that is stored already it lets ${value} go for Drifted`;
    const hint =
      unreadable === undefined
        ? `let ${value} or more go, or leave Drifted out of its reasons`
        : "correct the schedule";
    return findingAt("outside-bounds", wrapper, field, { message, hint });
  });
}

const STANDARD: Readonly<Record<string, string>> = { expireAfter: DEFAULT_EXPIRY, budgets: DEFAULT_BUDGET_NODES };

/** The API server puts Karpenter's defaults in before a guard sees them: who writes them says nothing. */
function isUnsaid({ field, given }: AppliedBound, { disruption }: ResolvedPool["spec"]): boolean {
  if (given === undefined) return true;
  const budgets = disruption?.budgets?.map((budget) => ({ nodes: DEFAULT_BUDGET_NODES, ...budget }));
  return field.includes("budgets")
    ? sameValue(budgets, DEFAULT_BUDGETS)
    : field.at(-1) === "expireAfter" && given === DEFAULT_EXPIRY;
}
