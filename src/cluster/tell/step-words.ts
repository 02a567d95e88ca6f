/** What came of an object in a pass in, how it stands in words out: those of the log. */
import type { FieldDifference } from "../plan/compare-live.ts";
import type { StepResult } from "../apply/execute.ts";

/** What was done, and what would be in a dry run. */
export const DONE_WORDS: Readonly<Record<string, readonly [done: string, would: string]>> = {
  create: ["created", "would be created"],
  update: ["updated", "would be updated"],
  prune: ["deleted", "would be deleted"],
};

/** How what is left as it is stands. */
export const STATE_WORDS: Readonly<Record<string, string>> = {
  hold: "held",
  keep: "not pruned",
  "foreign-object": "foreign object",
  unclaimed: "not in the inventory",
};

export const RIVALRY_WORDS = "double writer";

export interface StepState {
  readonly words: string;
  /** Empty where there is nothing to say. */
  readonly why: string;
  readonly tone: "calm" | "changed" | "warning" | "error";
}

export function stepState({ step, outcome, error }: StepResult, dryRun: boolean): StepState {
  const { action, reason, differences, drift } = step;
  if (outcome === "failed") return { words: `${action} failed`, why: error?.message ?? "", tone: "error" };
  if (outcome === "skipped")
    return { words: "not reached", why: "something else failed first, or the end came", tone: "warning" };
  if (step.rivalry !== "") return { words: RIVALRY_WORDS, why: step.rivalry, tone: "warning" };
  const done = DONE_WORDS[action];
  if (done !== undefined && outcome === "done") {
    const fields = drift.length > 0 ? `set right ${ownedFields(drift)}` : ownedFields(differences);
    return { words: done[dryRun ? 1 : 0], why: reason === "" ? fields : reason, tone: "changed" };
  }
  const held = STATE_WORDS[action];
  if (held !== undefined) return { words: held, why: reason, tone: "warning" };
  if (action !== "managed-by-operator") return { words: "in sync", why: "", tone: "calm" };
  const differs = differences.length > 0;
  const why = differs ? `${reason}; it differs in ${ownedFields(differences)}` : reason;
  return { words: "managed by operator", why, tone: differs ? "warning" : "calm" };
}

/** `spec.weight (kubectl-edit), spec.limits`. */
function ownedFields(differences: readonly FieldDifference[]): string {
  return differences.map(({ field, owner }) => (owner === undefined ? field : `${field} (${owner})`)).join(", ");
}
