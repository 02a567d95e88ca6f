/** Kubernetes conditions: one set among others, the time of its last change kept while it stays. */

export interface Condition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string;
  readonly message: string;
  readonly observedGeneration?: number;
  readonly lastTransitionTime: string;
}

/** Undefined when it says so already: then nothing needs to be written. */
export function withCondition(
  existing: readonly Condition[],
  condition: Omit<Condition, "lastTransitionTime">,
  now: string,
): Condition[] | undefined {
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
