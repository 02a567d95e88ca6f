/** Reports raw pools beyond the bounds that a guard enforces. */
import { type Finding, findingAt } from "../../krm/finding.ts";
import { locationOf } from "../../krm/location.ts";
import { describeResource } from "../../krm/resource.ts";
import { sameValue } from "../../krm/canonical.ts";
import { DEFAULT_BUDGET_NODES, DEFAULT_BUDGETS } from "../../model/disruption-reasons.ts";
import { DEFAULT_EXPIRY } from "../../model/durations.ts";
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
    if (isUnset(bound, spec)) {
      const taken = name === "terminationGracePeriod" ? "waits without a time limit" : `uses ${DEFAULTS[name]}`;
      const what = name === "budgets" ? `a budget of ${value} for Drifted` : `${name} ${value}`;
      const message = `${subject}: a guard sets ${what} (${where}); without it, Karpenter ${taken}`;
      return findingAt("default-bounded", wrapper, field, { message });
    }
    if (name !== "budgets") {
      const message = `${subject}: ${name} ${given} is beyond the bound of ${value} (${where}): a guard refuses it in a new NodePool, and sets ${value} in a stored one`;
      return findingAt("outside-bounds", wrapper, field, { message, hint: `set ${name}: ${value}, or less` });
    }
    const why =
      unreadable === undefined
        ? "allows fewer Drifted nodes than"
        : `cannot be read (${unreadable}) and counts as less than`;
    const message = `${subject}: the budget of ${given} ${why} the floor of ${value} (${where}): a guard refuses it in a new NodePool, and allows ${value} for Drifted in a stored one`;
    const hint =
      unreadable === undefined ? `allow ${value} or more, or remove Drifted from its reasons` : "correct the schedule";
    return findingAt("outside-bounds", wrapper, field, { message, hint });
  });
}

const DEFAULTS: Readonly<Record<string, string>> = { expireAfter: DEFAULT_EXPIRY, budgets: DEFAULT_BUDGET_NODES };

/** The API server sets Karpenter's defaults before a guard sees a pool, so a written default counts as not set. */
function isUnset({ field, given }: AppliedBound, { disruption }: ResolvedPool["spec"]): boolean {
  if (given === undefined) return true;
  const budgets = disruption?.budgets?.map((budget) => ({ nodes: DEFAULT_BUDGET_NODES, ...budget }));
  return field.includes("budgets")
    ? sameValue(budgets, DEFAULT_BUDGETS)
    : field.at(-1) === "expireAfter" && given === DEFAULT_EXPIRY;
}
