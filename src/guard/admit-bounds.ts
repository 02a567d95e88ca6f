/** Predicts how a guard admits the fields that a RenderConfig bounds: what is stored or refused. */
import { withDriftedFloor } from "../karpenter/disruption/drifted-floor.ts";
import type { Budget } from "../karpenter/disruption/disruption-budget.ts";
import { sameValue } from "../krm/values/canonical.ts";
import { DEFAULT_BUDGETS } from "../model/pools/disruption-reasons.ts";
import { parseGoDuration } from "../model/values/go-duration.ts";
import { DEFAULT_EXPIRY } from "../model/values/durations.ts";
import type { Profile } from "../model/crds/profile.ts";
import { isPlainSchedule, PLAIN_DURATION } from "./budget-variables.ts";
import { type Bounds, PLAIN_TIME } from "./guard-bounds.ts";

export interface BoundedFields {
  readonly expireAfter?: string | undefined;
  readonly terminationGracePeriod?: string | undefined;
  readonly budgets?: readonly Budget[] | undefined;
}

type BoundedField = keyof BoundedFields;

export type BoundAdmission =
  | { readonly stored: BoundedFields; readonly set: readonly BoundedField[] }
  | { readonly refused: readonly BoundedField[] };

/**
 * Must match the CEL of the admission policies (guard-bounds.ts, budget-variables.ts): the suite `test/suites/guard`
 * compares the two on a real API server.
 *
 * @param before the stored fields, on update
 */
export function admitBounds(
  bounds: Bounds,
  asked: BoundedFields,
  profile: Profile,
  before?: BoundedFields,
): BoundAdmission {
  const refused: BoundedField[] = [];
  const set: BoundedField[] = [];
  const stored: Record<string, unknown> = { ...asked };
  for (const [field, { standard, bounded }] of Object.entries(fieldsOf(bounds, profile)) as [BoundedField, Field][]) {
    const value = asked[field] ?? standard;
    const wanted = bounded(value);
    if (sameValue(wanted, value)) continue;
    const mayBeSet =
      sameValue(value, standard) || (before !== undefined && sameValue(value, before[field] ?? standard));
    if (mayBeSet) {
      set.push(field);
      stored[field] = wanted;
    } else refused.push(field);
  }
  return refused.length > 0 ? { refused } : { stored, set };
}

/** The bounded fields of a stored NodePool. */
export function boundedFieldsOf({ spec }: { readonly spec?: unknown }): BoundedFields {
  const { template, disruption } = (spec ?? {}) as { template?: { spec?: BoundedFields }; disruption?: BoundedFields };
  const { expireAfter, terminationGracePeriod } = template?.spec ?? {};
  const ended = terminationGracePeriod === undefined ? {} : { terminationGracePeriod };
  return { expireAfter, ...ended, budgets: disruption?.budgets };
}

interface Field {
  /** Karpenter's default, which the API server sets before admission. */
  readonly standard: unknown;
  readonly bounded: (value: unknown) => unknown;
}

function fieldsOf({ maxExpireAfter, maxTerminationGracePeriod, minDriftedBudget }: Bounds, profile: Profile) {
  const fields: Partial<Record<BoundedField, Field>> = {};
  if (maxExpireAfter !== undefined) fields.expireAfter = timeOf(maxExpireAfter, DEFAULT_EXPIRY);
  if (maxTerminationGracePeriod !== undefined)
    fields.terminationGracePeriod = timeOf(maxTerminationGracePeriod, undefined);
  if (minDriftedBudget !== undefined)
    fields.budgets = {
      standard: DEFAULT_BUDGETS,
      bounded: (value) => floored(value as readonly Budget[], minDriftedBudget, profile),
    };
  return fields;
}

function timeOf(most: string, standard: string | undefined): Field {
  const isWithin = (value: unknown): boolean =>
    typeof value === "string" &&
    PLAIN_TIME.test(value) &&
    (parseGoDuration(value) ?? 0n) <= (parseGoDuration(most) ?? 0n);
  return { standard, bounded: (value) => (isWithin(value) ? value : most) };
}

/** Budgets that the guard's CEL cannot parse count as invalid. */
function floored(budgets: readonly Budget[], floor: string, profile: Profile): readonly Budget[] {
  const isTimed = ({ schedule, duration }: Budget): boolean =>
    (schedule === undefined && duration === undefined) ||
    (isPlainSchedule(schedule ?? "") && PLAIN_DURATION.test(duration ?? ""));
  const read = budgets.map((budget) => (isTimed(budget) ? budget : { ...budget, schedule: "", duration: "0s" }));
  const result = withDriftedFloor(read, floor, profile);
  return result === undefined ? budgets : result.budgets.map(({ budget }) => budget);
}
