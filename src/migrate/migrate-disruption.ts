/** Converts `spec.disruption` of a NodePool to the other version and keeps its meaning. */
import type { Finding, Outcome } from "../krm/findings/finding.ts";
import type { Resource } from "../krm/places/resource.ts";
import { type Fields, fieldsOf, isFields, listOf, withChanges } from "../krm/values/fields.ts";
import { noteOn } from "./migration.ts";

const AFTER = ["spec", "disruption", "consolidateAfter"];
const POLICY = ["spec", "disruption", "consolidationPolicy"];

/**
 * Undefined if v1's defaults are enough. Karpenter's webhook would turn on consolidation that is off. Findings report
 * what is lost or new (docs/upstream/karpenter.md#nodepools-of-v1beta1).
 */
export function wholeDisruptionToV1(pool: Resource): Outcome<Fields | undefined> {
  const findings: Finding[] = [];
  const { expireAfter, ...rest } = fieldsOf(fieldsOf(pool.value["spec"])["disruption"]);
  if (expireAfter !== "Never") findings.push(forcefulExpiry(pool, expireAfter));
  if (Object.keys(rest).length === 0) return { value: undefined, findings };
  const { consolidationPolicy, consolidateAfter } = rest;
  const underutilized = consolidationPolicy === undefined || consolidationPolicy === "WhenUnderutilized";
  if (underutilized && consolidateAfter === "Never") {
    const message =
      ": consolidateAfter: Never is kept, and consolidation stays off; Karpenter's own conversion writes 0s, which turns it on";
    findings.push(noteOn(pool, "migrate-behaves-differently", AFTER, message));
  } else if (underutilized && consolidateAfter !== undefined) {
    const message = `: consolidateAfter: ${String(consolidateAfter)} is kept, which v1 allows; v1beta1 refuses it with WhenUnderutilized, and Karpenter's own conversion writes 0s`;
    findings.push(noteOn(pool, "migrate-behaves-differently", AFTER, message));
  } else if (!underutilized && consolidateAfter === undefined) {
    const message =
      ": consolidateAfter is missing; Never is written, as in Karpenter's own conversion: empty nodes are kept";
    findings.push(noteOn(pool, "migrate-behaves-differently", POLICY, message, "set how long a node may be empty"));
  }
  const value = withChanges(rest, {
    consolidationPolicy: consolidationPolicy === "WhenUnderutilized" ? "WhenEmptyOrUnderutilized" : consolidationPolicy,
    consolidateAfter: consolidateAfter ?? (underutilized ? "0s" : "Never"),
  });
  return { value, findings };
}

function forcefulExpiry(pool: Resource, expireAfter: unknown): Finding {
  const given = expireAfter === undefined ? "720h, the default," : String(expireAfter);
  const message = `: expireAfter: ${given} is forceful in v1: nodes are drained at that age without waiting for a replacement or for a budget`;
  const hint = "set expireAfter: Never, or set terminationGracePeriod and PodDisruptionBudgets";
  return noteOn(pool, "migrate-expiry-forceful", ["spec", "disruption", "expireAfter"], message, hint);
}

/** @param expireAfter of the template, if set */
export function wholeDisruptionToV1beta1(pool: Resource, expireAfter: unknown): Outcome<Fields | undefined> {
  const findings: Finding[] = [];
  const { consolidationPolicy, consolidateAfter, ...rest } = fieldsOf(fieldsOf(pool.value["spec"])["disruption"]);
  const underutilized = consolidationPolicy === undefined || consolidationPolicy === "WhenEmptyOrUnderutilized";
  const dropped = underutilized && consolidateAfter !== undefined && consolidateAfter !== "Never";
  if (dropped && !/^(0[hms])+$/.test(String(consolidateAfter))) {
    const message = `: consolidateAfter: ${String(consolidateAfter)} is dropped: v1beta1 consolidates underutilized nodes immediately`;
    findings.push(
      noteOn(pool, "migrate-lossy", AFTER, message, "v1beta1 allows only Never, which turns consolidation off"),
    );
  }
  if (typeof consolidationPolicy === "string" && !POLICIES.includes(consolidationPolicy)) {
    const message = `: v1beta1 has no consolidationPolicy ${consolidationPolicy}`;
    findings.push(noteOn(pool, "migrate-refused", POLICY, message, "use WhenEmpty or WhenEmptyOrUnderutilized"));
  }
  const { budgets } = rest;
  listOf(budgets).forEach((budget, index) => {
    const { reasons } = fieldsOf(budget);
    if (reasons === undefined) return;
    const message = `: the budget for ${listOf(reasons).join(", ")} applies to every reason in v1beta1`;
    findings.push(noteOn(pool, "migrate-lossy", ["spec", "disruption", "budgets", index, "reasons"], message));
  });
  const value = fieldsOf({
    ...rest,
    budgets: Array.isArray(budgets) ? budgets.map(withoutReasons) : budgets,
    consolidationPolicy: consolidationPolicy === "WhenEmptyOrUnderutilized" ? "WhenUnderutilized" : consolidationPolicy,
    consolidateAfter: dropped ? undefined : consolidateAfter,
    expireAfter,
  });
  return { value: Object.keys(value).length === 0 ? undefined : value, findings };
}

const POLICIES = ["WhenEmpty", "WhenEmptyOrUnderutilized"];

function withoutReasons(budget: unknown): unknown {
  return isFields(budget) ? withChanges(budget, { reasons: undefined }) : budget;
}
