/** The words and tones of verdicts on pools and outcomes on their keys; the text of entries. */
import { counted, someOf } from "../../krm/values/counted.ts";
import type { Verdict } from "../../analyze/explain/explanation.ts";
import type { PoolVerdict } from "../../analyze/explain/judge-pool.ts";
import type { DescribedKey, DescribedPool, DescribedDemand } from "../../analyze/explain/pool-answer.ts";
import { isNotReady } from "../../analyze/explain/describe-clusters.ts";
import type { Tone, Verdict as Words } from "../blocks/blocks.ts";

/** The verdict, unless the entries leave nodes and the cluster says that the pool is not ready. */
type State = Verdict | "not ready";

/** From the worst. */
export const STATES: readonly State[] = ["unsatisfiable", "not ready", "bypassed", "narrowed", "unknown", "ok"];

export function stateOf({ verdict, ready }: Pick<DescribedPool, "verdict" | "ready">): State {
  return verdict !== "unsatisfiable" && isNotReady(ready) ? "not ready" : verdict;
}

export const TONES: Readonly<Record<State, Tone>> = {
  ok: "good",
  unknown: "info",
  narrowed: "info",
  bypassed: "error",
  unsatisfiable: "error",
  "not ready": "error",
};

const MEANINGS: Readonly<Record<PoolVerdict, string>> = {
  unsatisfiable: "gets no nodes",
  bypassed: "it would get nodes that the policy does not allow",
  unknown: "it asks for types that the catalogue does not know",
  narrowed: "the policy leaves a part of what it asks for",
  paused: "a limit of 0 keeps nodes away",
  ok: "gets what it asks for",
};

/** `unsatisfiable: gets no nodes`. */
export function verdictWords(verdict: PoolVerdict): string {
  return `${verdict}: ${MEANINGS[verdict]}`;
}

/** `narrowed: its nodes drift as soon as they are up`. */
export function verdictOfPool(
  pool: Pick<DescribedPool, "verdict" | "unknown" | "ready" | "requirements" | "instanceTypes" | "unread">,
): Words {
  const { verdict, unknown, ready, requirements, instanceTypes, unread = [] } = pool;
  const state = stateOf(pool);
  const tone = TONES[state];
  if (state === "not ready") return { words: state, tone, ...(ready!.reason === "" ? {} : { more: ready!.reason }) };
  if (unknown !== undefined) return { words: verdict, tone, more: placeholderWords(unknown) };
  if (verdict === "unknown" && unread.length > 0) return { words: verdict, tone, more: unreadWords(unread) };
  const outcomes = new Set(requirements.map(({ outcome }) => outcome));
  if (verdict === "unknown" && instanceTypes.total === 0)
    return {
      words: verdict,
      tone,
      more: `its entries ${outcomes.has("undecided") ? "" : "do not "}contradict each other, and its instance types are unknown`,
    };
  if (verdict !== "narrowed") return { words: verdict, tone, more: MEANINGS[verdict] };
  if (outcomes.has("drifts"))
    return { words: verdict, tone: "warning", more: "its nodes drift as soon as they are up" };
  if (outcomes.has("narrowed")) return { words: verdict, tone, more: MEANINGS[verdict] };
  const more = outcomes.has("foreign")
    ? "asks for labels of another provider, which select nothing"
    : "Karpenter ignores a part of what it asks for";
  return { words: verdict, tone, more };
}

/** `cannot say: the expression spec.kubelet.maxPods of EC2NodeClass default (class.yaml:9) is not read`. */
export function unreadWords([first = "", ...others]: readonly string[]): string {
  return `cannot say: ${first} is not read${others.length === 0 ? "" : `, nor ${counted(others.length, "other")}`}`;
}

/** `it depends on ${ZONE} and ${CPU}, which have no value`. */
export function placeholderWords(unknown: NonNullable<DescribedPool["unknown"]>): string {
  const names = [...new Set(unknown.map(({ placeholder }) => placeholder))];
  return `it depends on ${someOf(names, 3)}, which ${names.length === 1 ? "has" : "have"} no value`;
}

/** Undefined if the key means what its author asked for. */
export const OUTCOMES: Readonly<
  Record<DescribedKey["outcome"], { readonly text: string; readonly tone: Tone } | undefined>
> = {
  "empty-blocking": { text: "nothing in common: no node", tone: "error" },
  "empty-bypassed": { text: "the policy is bypassed", tone: "error" },
  widened: { text: "the policy is bypassed", tone: "error" },
  undecided: { text: "nothing in common: no node, if every instance type has the label", tone: "warning" },
  drifts: { text: "nodes get a label that the entries do not admit, and drift", tone: "warning" },
  ignored: { text: "ignored: nodes come without the label", tone: "warning" },
  foreign: { text: "a label of another provider: selects nothing", tone: "error" },
  narrowed: { text: "narrowed", tone: "info" },
  "policy-only": undefined,
  "user-only": undefined,
  same: undefined,
};

/** A bound keeps the author's operator, whatever Karpenter makes of it; the rest has Karpenter's print form. */
export function demandWords({ requirement, written }: Pick<DescribedDemand, "requirement" | "written">): string {
  if (written === undefined) return requirementWords(requirement);
  const [minValues = ""] = / minValues \d+$/.exec(requirement) ?? [];
  return `${written}${minValues}`;
}

/** For texts that Karpenter prints as `Exists >=16` and `DoesNotExist`. */
export function requirementWords(requirement: string): string {
  if (requirement === "DoesNotExist") return "DoesNotExist: without the label";
  return requirement.replace(/^Exists (?=[<>])/, "");
}

/** Whether two demands of an explanation are the same entry. */
export function isSame(a: DescribedDemand, b: DescribedDemand): boolean {
  return (
    a.key === b.key && a.from === b.from && a.file === b.file && a.line === b.line && a.requirement === b.requirement
  );
}
