/** Sets a Kubernetes condition, and keeps lastTransitionTime while its status stays. */
import { shortened } from "../api/api-answer.ts";

export interface Condition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string;
  readonly message: string;
  readonly observedGeneration?: number;
  readonly lastTransitionTime: string;
}

/** The maxLength of a condition's message in CRDs (src/model/schema/metadata.ts). */
const LONGEST = 32_768;

/**
 * Undefined if the condition is unchanged and need not be written. A message quotes texts of users, so it is shortened and
 * made well-formed: otherwise the API server would refuse or alter it, and each pass would write it again.
 */
export function withCondition(
  existing: readonly Condition[],
  { message, ...given }: Omit<Condition, "lastTransitionTime">,
  now: string,
): Condition[] | undefined {
  const condition = { ...given, message: shortened(message, LONGEST).toWellFormed() };
  const before = existing.find(({ type }) => type === condition.type);
  const same =
    before !== undefined &&
    before.status === condition.status &&
    before.reason === condition.reason &&
    before.message === condition.message &&
    before.observedGeneration === condition.observedGeneration;
  if (same) return undefined;
  const lastTransitionTime = before?.status === condition.status ? before.lastTransitionTime : now;
  const others = existing.filter(({ type }) => type !== condition.type);
  return [...others, { ...condition, lastTransitionTime }];
}
