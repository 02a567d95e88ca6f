/** Short texts for the verdict, nodes and state of a pool. */
import type { DescribedPool } from "../../analyze/explain/pool-answer.ts";
import type { PoolVerdict } from "../../analyze/explain/judge-pool.ts";
import { whyNoNodes } from "../../analyze/explain/why-no-nodes.ts";
import type { Style } from "../terminal/style.ts";
import type { ConditionView, NodeClassView, PoolView } from "./fleet-view.ts";
import { ageWords } from "./time-words.ts";

/** The verdict of the pass, or of the explanation if the pass has none. */
export function verdictOf({ judged, explained }: PoolView): PoolVerdict | undefined {
  return judged?.verdict ?? explained()?.verdict;
}

/** `3/10`; `3` for a pool without limit, and `?/10` before Karpenter has counted. */
export function nodesWords({ usage }: PoolView): string {
  const nodes = usage.find(({ resource }) => resource === "nodes");
  if (nodes?.limit === undefined) return nodes?.used ?? "–";
  return `${nodes.used ?? "?"}/${nodes.limit}`;
}

export function usageWords({ usage }: PoolView): string {
  return usage
    .map(({ resource, used, limit }) => `${resource} ${used ?? "?"}${limit === undefined ? "" : ` of ${limit}`}`)
    .join(", ");
}

const STATE_TONES = { calm: undefined, changed: "info", warning: "warning", error: "error" } as const;

export function stateTone({ state }: PoolView | NodeClassView): keyof Style | undefined {
  return STATE_TONES[state.tone];
}

/** `in sync, updated 2m ago`. */
export function stateWords({ state, lastChange }: PoolView | NodeClassView, now: number): string {
  if (lastChange === undefined) return state.words;
  const ago = `${ageWords(now - lastChange.at)} ago`;
  return state.words === lastChange.words ? `${state.words} ${ago}` : `${state.words}, ${lastChange.words} ${ago}`;
}

/** Karpenter's Ready condition; undefined before it is set. */
function readyCondition({ conditions }: PoolView | NodeClassView): ConditionView | undefined {
  return conditions.find(({ type }) => type === "Ready");
}

export function conditionWords(object: PoolView | NodeClassView): string {
  const ready = readyCondition(object);
  if (ready === undefined) return "–";
  return ready.status === "True" || ready.reason === "" ? ready.status : `${ready.status} ${ready.reason}`;
}

export function conditionTone(object: PoolView | NodeClassView): keyof Style | undefined {
  const ready = readyCondition(object);
  return ready === undefined || ready.status === "True" ? undefined : "warning";
}

/** The most important fact on the pool: why it gets no nodes, is not applied, or is not ready. */
export function poolNote(pool: PoolView): string {
  const { state } = pool;
  const verdict = verdictOf(pool);
  if (state.tone !== "calm" && state.why !== "") return state.why;
  if (verdict === "unsatisfiable") return pool.judged?.why ?? whyOf(pool.explained());
  const notReady = notReadyWords(pool);
  if (notReady !== "") return notReady;
  if (verdict === "narrowed" || verdict === "bypassed") {
    const keys = pool.explained()?.requirements.filter(({ outcome }) => NOT_AS_ASKED.includes(outcome)) ?? [];
    return `${verdict} on ${keys.map(({ key }) => key).join(", ")}`;
  }
  return state.why;
}

function whyOf(explained: DescribedPool | undefined): string {
  return explained === undefined ? "" : whyNoNodes(explained);
}

const NOT_AS_ASKED: readonly string[] = [
  "narrowed",
  "empty-blocking",
  "empty-bypassed",
  "widened",
  "drifts",
  "ignored",
  "foreign",
];

export function notReadyWords(object: PoolView | NodeClassView): string {
  const ready = readyCondition(object);
  if (ready === undefined || ready.status === "True") return "";
  const detail = object.conditions.find(({ type, status }) => type !== "Ready" && status === "False");
  const words = [ready, detail].filter((one) => one !== undefined).map(({ message, reason }) => message || reason);
  return `not ready: ${[...new Set(words)].join("; ")}`;
}
