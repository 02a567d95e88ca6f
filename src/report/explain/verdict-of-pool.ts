/** The meaning and severity of the verdict on an explained pool, for people. */
import type { DescribedPool } from "../../analyze/explain/pool-answer.ts";
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
  return { words: outcomes.has("foreign") ? FOREIGN : IGNORED, tone };
}

/** Here no instance type is known, unlike for a pool that a pass judges. */
const UNKNOWN = "unknown: its entries do not contradict each other, and its instance types are unknown";

const DRIFTS = "narrowed: its nodes drift as soon as they are up";

const FOREIGN = "narrowed: asks for labels of another provider, which select nothing";

/** Other reasons why a part is left. */
const IGNORED = "narrowed: Karpenter ignores a part of what it asks for";
