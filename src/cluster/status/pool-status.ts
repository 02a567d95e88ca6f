/** The status of a pool's wrapper: Karpenter's, but not Ready if the pool gets no nodes. */
import type { JudgedPool } from "../../analyze/explain/judge-pool.ts";
import type { LiveObject } from "../api/live-object.ts";
import { type Condition, withCondition } from "./condition.ts";

const REASON = "NoInstanceTypes";

/**
 * Karpenter sets a pool to Ready even if no instance type is left.
 *
 * @param mirrored the status of the live NodePool
 * @param judged undefined if this pass has no verdict: the condition stays as it was
 * @param now RFC 3339, to the second
 */
export function poolStatus(
  mirrored: Readonly<Record<string, unknown>>,
  { metadata: { generation }, status }: LiveObject,
  judged: JudgedPool | undefined,
  now: string,
): Readonly<Record<string, unknown>> {
  const said = conditionsOf(status?.["conditions"]);
  const ready = said.find(({ type }) => type === "Ready");
  const ofKarpenter = conditionsOf(mirrored["conditions"]);
  const put = (condition: Condition) => ({
    ...mirrored,
    conditions: [...ofKarpenter.filter(({ type }) => type !== "Ready"), condition],
  });
  if (judged === undefined) return ready?.reason === REASON ? put(ready) : mirrored;
  if (judged.verdict !== "unsatisfiable") return mirrored;
  const observed = generation === undefined ? {} : { observedGeneration: generation };
  const condition = { type: "Ready", status: "False", reason: REASON, message: judged.why, ...observed } as const;
  return put(withCondition(said, condition, now)?.at(-1) ?? ready!);
}

function conditionsOf(value: unknown): readonly Condition[] {
  return Array.isArray(value) ? (value as readonly Condition[]) : [];
}
