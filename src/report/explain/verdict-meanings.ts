/** What verdicts on pools mean, for people. */
import type { PoolVerdict } from "../../analyze/explain/judge-pool.ts";

const VERDICT_MEANINGS: Readonly<Record<PoolVerdict, string>> = {
  unsatisfiable: "gets no nodes",
  bypassed: "it would get nodes that the policy does not allow",
  unknown: "it asks for types that the catalogue does not know",
  narrowed: "the policy leaves a part of what it asks for",
  paused: "a limit of 0 keeps nodes away",
  ok: "gets what it asks for",
};

/** `unsatisfiable: gets no nodes`. */
export function verdictWords(verdict: PoolVerdict): string {
  return `${verdict}: ${VERDICT_MEANINGS[verdict]}`;
}
