/** Short texts for the verdicts, nodes and states of pools. */
import type { JudgedPool, PoolVerdict } from "../../analyze/explain/judge-pool.ts";
import { whyNoNodes } from "../../analyze/explain/why-no-nodes.ts";
import { tally } from "../../krm/values/counted.ts";
import { OUTCOMES } from "../explain/verdict-words.ts";
import { oneLine } from "../terminal/printable.ts";
import type { Style } from "../terminal/style.ts";
import { cutTo, textWidth } from "../terminal/text-width.ts";
import { ageWords } from "./cluster-words.ts";
import type { ConditionView, NodeClassView, PoolView } from "./fleet-view.ts";
import { BETWEEN } from "./screen-layout.ts";

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
  if (verdict === "unsatisfiable") return pool.judged?.why ?? whyOf(pool);
  const notReady = notReadyWords(pool);
  if (notReady !== "") return notReady;
  if (verdict === "narrowed" || verdict === "bypassed") {
    const keys = pool.explained()?.requirements.filter(({ outcome }) => OUTCOMES[outcome] !== undefined) ?? [];
    return `${verdict} on ${keys.map(({ key }) => key).join(", ")}`;
  }
  return state.why;
}

function whyOf({ explained }: PoolView): string {
  const pool = explained();
  return pool === undefined ? "" : whyNoNodes(pool);
}

export function notReadyWords(object: PoolView | NodeClassView): string {
  const ready = readyCondition(object);
  if (ready === undefined || ready.status === "True") return "";
  const detail = object.conditions.find(({ type, status }) => type !== "Ready" && status === "False");
  const words = [ready, detail].filter((one) => one !== undefined).map(({ message, reason }) => message || reason);
  return `not ready: ${[...new Set(words)].join("; ")}`;
}

/** From the worst, with their colours. */
const TONES: Readonly<Record<PoolVerdict, keyof Style | undefined>> = {
  unsatisfiable: "error",
  bypassed: "error",
  unknown: "warning",
  narrowed: "info",
  paused: "info",
  ok: undefined,
};

const ORDER = Object.keys(TONES) as readonly PoolVerdict[];

export function verdictTone(verdict: PoolVerdict | undefined): keyof Style | undefined {
  return verdict && TONES[verdict];
}

/** Used if there is little room. */
function shortVerdict(verdict: PoolVerdict): string {
  return verdict === "unsatisfiable" ? "no nodes" : verdict;
}

type Verdicts = readonly Pick<JudgedPool, "pool" | "verdict">[];

export function worstVerdict(verdicts: Verdicts): PoolVerdict | undefined {
  return ORDER.find((wanted) => verdicts.some(({ verdict }) => verdict === wanted));
}

/** `1 no nodes`, `2 narrowed`, `5 ok`: how many pools have each verdict. */
export function verdictCounts(verdicts: Verdicts): string[] {
  const counts = tally(ORDER, verdicts, ({ verdict }) => verdict);
  return counts.map(([verdict, count]) => `${String(count)} ${shortVerdict(verdict)}`);
}

/** `gpu no nodes · batch narrowed · 2 ok`: as many as fit, the worst first, in their colours. */
export function verdictLine(verdicts: Verdicts, room: number, style: Style): string {
  const named = ORDER.filter((verdict) => verdict !== "ok").flatMap((wanted) =>
    verdicts.filter(({ verdict }) => verdict === wanted),
  );
  const fine = verdicts.length - named.length;
  const parts = named.map(({ pool, verdict }) => {
    const short = shortVerdict(verdict);
    const tone = TONES[verdict];
    const name = cutTo(oneLine(pool), NAME_WIDTH);
    return { width: textWidth(`${name} ${short}`), text: `${name} ${tone === undefined ? short : style[tone](short)}` };
  });
  const end = (shown: number): string => {
    const more = named.length - shown;
    return [...(more > 0 ? [`${String(more)} more`] : []), ...(fine > 0 ? [`${String(fine)} ok`] : [])].join(BETWEEN);
  };
  const width = (shown: number): number =>
    parts.slice(0, shown).reduce((sum, one) => sum + one.width + BETWEEN.length, 0) + end(shown).length;
  let shown = parts.length;
  while (shown > 0 && width(shown) > room) shown--;
  const texts = [...parts.slice(0, shown).map(({ text }) => text), end(shown)];
  return texts.filter((text) => text !== "").join(BETWEEN);
}

const NAME_WIDTH = 30;
