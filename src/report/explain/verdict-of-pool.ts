/** What the verdict on a pool of an explanation means, for people, and how bad it is. */
import type { DescribedPool } from "../../analyze/explain/describe-explanation.ts";
import type { Verdict } from "../../analyze/explain/explanation.ts";
import type { Style } from "../terminal/style.ts";
import { verdictWords } from "./verdict-meanings.ts";

/** From the worst. */
export const VERDICTS: readonly Verdict[] = ["unsatisfiable", "bypassed", "narrowed", "unknown", "ok"];

export const TONES: Readonly<Record<Verdict, Exclude<keyof Style, "strong" | "faint">>> = {
  ok: "good",
  unknown: "info",
  narrowed: "info",
  bypassed: "error",
  unsatisfiable: "error",
};

/** `narrowed: its nodes drift as soon as they are up`. */
export function verdictOfPool({ verdict, requirements }: Pick<DescribedPool, "verdict" | "requirements">): {
  readonly words: string;
  readonly tone: keyof Style;
} {
  const tone = TONES[verdict];
  if (verdict !== "narrowed") return { words: verdict === "unknown" ? UNKNOWN : verdictWords(verdict), tone };
  const outcomes = new Set(requirements.map(({ outcome }) => outcome));
  if (outcomes.has("drifts")) return { words: DRIFTS, tone: "warning" };
  if (outcomes.has("narrowed")) return { words: verdictWords(verdict), tone };
  return { words: outcomes.has("foreign") ? FOREIGN : PASSED_BY, tone };
}

/** Not of single types, as for a pool that a pass judges, but of all of them. */
const UNKNOWN = "unknown: what it asks for goes together, and nobody here knows for what instance types";

const DRIFTS = "narrowed: its nodes drift as soon as they are up";

const FOREIGN = "narrowed: asks for labels of another provider, which select nothing";

/** What else may leave a part. */
const PASSED_BY = "narrowed: Karpenter passes by a part of what it asks for";
