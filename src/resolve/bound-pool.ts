/** Limits a pool's node lifetime and budgets to the bounds of a RenderConfig. */
import { type FlooredBudgets, type RaisedBudget, withDriftedFloor } from "../karpenter/disruption/drifted-floor.ts";
import type { FieldPath } from "../krm/places/field-path.ts";
import { type Finding, findingAt } from "../krm/findings/finding.ts";
import { locationOf } from "../krm/places/location.ts";
import { describeResource, type Resource } from "../krm/places/resource.ts";
import { DISRUPTION_DEFAULT } from "../model/pools/disruption.ts";
import { DEFAULT_BUDGET_NODES } from "../model/pools/disruption-reasons.ts";
import { parseGoDuration } from "../model/values/go-duration.ts";
import { DEFAULT_EXPIRY } from "../model/values/durations.ts";
import type { OpenshiftNodePool } from "../model/pools/openshift-node-pool.ts";
import type { Origin, Place } from "./origin.ts";
import type { Settings } from "./settings.ts";

type Spec = OpenshiftNodePool["spec"];
type Budgets = NonNullable<NonNullable<Spec["disruption"]>["budgets"]>;

/** One field that a bound has changed. */
export interface AppliedBound {
  /** Field of the wrapper. */
  readonly field: FieldPath;
  /** Undefined if the wrapper does not set it. */
  readonly given: string | undefined;
  readonly value: string;
  /** The bound in the RenderConfig. */
  readonly by: Place;
  /** For a budget: the reasons that it still applies to. */
  readonly keeps?: readonly string[];
  /** For a budget: Karpenter's error, if it is invalid. */
  readonly unreadable?: string;
}

export interface BoundPool {
  readonly spec: Spec;
  readonly bounds: readonly AppliedBound[];
  /** Origins of the changed fields. */
  readonly boundOrigins: readonly Origin[];
  readonly findings: readonly Finding[];
}

const TEMPLATE: FieldPath = ["spec", "template", "spec"];
export const BUDGETS: FieldPath = ["spec", "disruption", "budgets"];

/** The rules are those of docs/render-config.md#bounds. */
export function boundPool(wrapper: Resource, given: Spec, { config, resource, profile }: Settings): BoundPool {
  const { maxExpireAfter, maxTerminationGracePeriod, minDriftedBudget } = config;
  let pool: BoundPool = { spec: given, bounds: [], boundOrigins: [], findings: [] };
  if (resource === undefined) return pool;
  if (maxExpireAfter !== undefined) {
    const by = { resource, path: ["spec", "maxExpireAfter"] };
    pool = boundTime(wrapper, pool, { ...EXPIRY, most: maxExpireAfter, by });
  }
  if (maxTerminationGracePeriod !== undefined) {
    const by = { resource, path: ["spec", "maxTerminationGracePeriod"] };
    pool = boundTime(wrapper, pool, { ...GRACE, most: maxTerminationGracePeriod, by });
  }
  if (minDriftedBudget === undefined) return pool;
  const floored = withDriftedFloor(given.disruption?.budgets, minDriftedBudget, profile);
  if (floored === undefined) return pool;
  return floorBudgets(wrapper, pool, floored, {
    floor: minDriftedBudget,
    by: { resource, path: ["spec", "minDriftedBudget"] },
  });
}

interface TimeBound {
  readonly field: "expireAfter" | "terminationGracePeriod";
  /** Karpenter's default; undefined: unbounded. */
  readonly standard: string | undefined;
  readonly code: "expire-after-bounded" | "grace-period-bounded";
  /** The effect on nodes, before the time. */
  readonly words: string;
  readonly otherwise: string;
  readonly most: string;
  readonly by: Place;
}

const EXPIRY = {
  field: "expireAfter",
  standard: DEFAULT_EXPIRY,
  code: "expire-after-bounded",
  words: "nodes expire after",
  otherwise: `instead of Karpenter's default of ${DEFAULT_EXPIRY}`,
} as const;

const GRACE = {
  field: "terminationGracePeriod",
  standard: undefined,
  code: "grace-period-bounded",
  words: "deleted nodes are terminated after",
  otherwise: "because without terminationGracePeriod their pods could block that forever",
} as const;

function boundTime(wrapper: Resource, pool: BoundPool, bound: TimeBound): BoundPool {
  const { field, standard, code, words, otherwise, most, by } = bound;
  const { template } = pool.spec;
  const given = template.spec[field];
  const path = [...TEMPLATE, field];
  if (!isLonger(given ?? standard, most)) return pool;
  const head = `${describeResource(wrapper)}: ${words} ${most} (${locationOf(by.resource, by.path)})`;
  const finding =
    given === undefined
      ? findingAt("default-bounded", wrapper, path, { message: `${head}, ${otherwise}` })
      : findingAt(code, wrapper, path, {
          message: `${head}, not ${given === "Never" ? given : `after ${given}`}`,
          hint: `write ${field}: ${most}, or less`,
        });
  return {
    spec: { ...pool.spec, template: { ...template, spec: { ...template.spec, [field]: most } } },
    bounds: [...pool.bounds, { field: path, given, value: most, by }],
    boundOrigins: [...pool.boundOrigins, { output: path, input: by, whole: true }],
    findings: [...pool.findings, finding],
  };
}

/** An invalid duration is refused when it is rendered. */
function isLonger(given: string | undefined, most: string): boolean {
  if (given === undefined || given === "Never") return true;
  const time = parseGoDuration(given);
  return time !== undefined && time > (parseGoDuration(most) ?? 0n);
}

interface Floor {
  readonly floor: string;
  readonly by: Place;
}

function floorBudgets(wrapper: Resource, pool: BoundPool, floored: FlooredBudgets, { floor, by }: Floor): BoundPool {
  const { disruption } = pool.spec;
  const given = disruption?.budgets;
  const budgets = floored.budgets.map(({ budget }) => budget) as Budgets;
  const bounds = floored.raised.map(({ index, keeps, unreadable }): AppliedBound => {
    const own = given?.[index];
    const field = given === undefined ? BUDGETS : [...BUDGETS, index];
    return {
      field,
      given: own && (own.nodes ?? DEFAULT_BUDGET_NODES),
      value: floor,
      by,
      keeps,
      ...(unreadable === undefined ? {} : { unreadable }),
    };
  });
  return {
    // Karpenter 1.14 requires consolidateAfter beside budgets (docs/upstream/karpenter.md#versions).
    spec: { ...pool.spec, disruption: { ...(disruption ?? DISRUPTION_DEFAULT), budgets } },
    bounds: [...pool.bounds, ...bounds],
    boundOrigins: [...pool.boundOrigins, ...budgetOrigins(wrapper, pool.spec, floored, by)],
    findings: [
      ...pool.findings,
      ...floored.raised.map((raised) => raisedBudget(wrapper, given, raised, floored, { floor, by })),
    ],
  };
}

function budgetOrigins(
  wrapper: Resource,
  { disruption }: Spec,
  { budgets, raised }: FlooredBudgets,
  by: Place,
): Origin[] {
  if (disruption === undefined) return [{ output: ["spec", "disruption"], input: by, whole: true }];
  if (disruption.budgets === undefined) return [{ output: BUDGETS, input: by, whole: true }];
  const raisedAt = new Map(raised.map((one) => [one.index, one]));
  return budgets.flatMap(({ from }, index): Origin[] => {
    const output = [...BUDGETS, index];
    if (from === undefined) return [{ output, input: by, whole: true }];
    const input = { resource: wrapper, path: [...BUDGETS, from] };
    const one = raisedAt.get(from);
    if (one === undefined) return [{ output, input }];
    if (one.unreadable !== undefined) return [{ output, input, whole: true }];
    return [
      { output, input },
      { output: [...output, "reasons"], input: by, whole: true },
    ];
  });
}

function raisedBudget(
  wrapper: Resource,
  given: Budgets | undefined,
  { index, keeps, unreadable }: RaisedBudget,
  { full }: FlooredBudgets,
  { floor, by }: Floor,
): Finding {
  const where = `the floor of ${floor} (${locationOf(by.resource, by.path)})`;
  const stays = keeps.length === 0 ? "" : `it still applies to ${keeps.join(" and ")}, and `;
  const gets = full
    ? "no budget restricts Drifted any more, because the list has no room for another budget"
    : `Drifted gets ${floor}`;
  const subject = describeResource(wrapper);
  const budget = given?.[index];
  if (budget === undefined) {
    const message = `${subject}: Karpenter's default budget of ${DEFAULT_BUDGET_NODES} restricts Drifted to less than ${where}: ${stays}${gets}`;
    return findingAt("default-bounded", wrapper, BUDGETS, { message });
  }
  const nodes = budget.nodes ?? DEFAULT_BUDGET_NODES;
  const message =
    unreadable === undefined
      ? `${subject}: the budget of ${nodes} restricts Drifted to less than ${where}: ${stays}${gets}`
      : `${subject}: Karpenter cannot read the budget (${unreadable}) and would block all disruption: it blocks ${keeps.join(" and ")}, and ${gets}, by ${where}`;
  const hint =
    unreadable !== undefined
      ? "correct the budget"
      : keeps.length === 0
        ? `allow ${floor} or more`
        : `write reasons: [${keeps.join(", ")}], or allow ${floor} or more`;
  return findingAt("drifted-budget-raised", wrapper, [...BUDGETS, index], { message, hint });
}
