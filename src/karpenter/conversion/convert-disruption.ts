/** Converts `spec.disruption` between v1beta1 and v1, as Karpenter's webhook does. */
import { DEFAULT_BUDGETS } from "../../model/disruption-reasons.ts";
import { DEFAULT_EXPIRY } from "../../model/default-expiry.ts";
import { type Fields, fieldsOf, listOf, withChanges } from "./plain-fields.ts";

const DEFAULTS = { consolidationPolicy: "WhenUnderutilized", expireAfter: DEFAULT_EXPIRY, budgets: DEFAULT_BUDGETS };
const V1_DEFAULTS = { consolidationPolicy: "WhenEmptyOrUnderutilized", budgets: DEFAULT_BUDGETS };

/** The API server sets these defaults before the webhook gets a v1beta1 pool. */
export function withV1beta1Defaults(disruption: unknown): Fields {
  return { ...DEFAULTS, ...fieldsOf(disruption) };
}

/** @param disruption with its defaults */
export function disruptionToV1(disruption: Fields): Fields {
  const { consolidationPolicy, consolidateAfter = "Never" } = disruption;
  const underutilized = consolidationPolicy === "WhenUnderutilized";
  return withChanges(disruption, {
    expireAfter: undefined,
    consolidationPolicy: underutilized ? "WhenEmptyOrUnderutilized" : consolidationPolicy,
    consolidateAfter: underutilized ? "0s" : consolidateAfter,
    budgets: notEmpty(disruption["budgets"]),
  });
}

export function disruptionToV1beta1(given: unknown, expireAfter: unknown): Fields {
  const disruption = { ...V1_DEFAULTS, ...(given === undefined ? { consolidateAfter: "0s" } : fieldsOf(given)) };
  const { consolidationPolicy, consolidateAfter = "Never" } = disruption as Fields;
  const underutilized = consolidationPolicy === "WhenEmptyOrUnderutilized";
  return withChanges(disruption, {
    consolidationPolicy: underutilized ? "WhenUnderutilized" : consolidationPolicy,
    consolidateAfter: underutilized ? undefined : consolidateAfter,
    expireAfter: expireAfter ?? DEFAULT_EXPIRY,
    budgets: notEmpty(disruption.budgets)?.map((budget) => withChanges(fieldsOf(budget), { reasons: undefined })),
  });
}

/** Karpenter omits an empty list, and the API server then sets the default. */
function notEmpty(budgets: unknown): readonly unknown[] {
  const list = listOf(budgets);
  return list.length === 0 ? DEFAULT_BUDGETS : list;
}
