/** Short texts and colours for the verdicts on one pool and on many. */
import { tally } from "../../krm/counted.ts";
import type { JudgedPool, PoolVerdict } from "../../analyze/explain/judge-pool.ts";
import type { Style } from "../terminal/style.ts";
import { BETWEEN } from "./bars.ts";
import { oneLine } from "../terminal/printable.ts";
import { cutTo, textWidth } from "../terminal/text-width.ts";

type Tone = keyof Style | undefined;

interface VerdictWords {
  /** Used if there is little room. */
  readonly short: string;
  readonly tone: Tone;
}

/** The worst first. */
const VERDICTS: Readonly<Record<PoolVerdict, VerdictWords>> = {
  unsatisfiable: { short: "no nodes", tone: "error" },
  bypassed: { short: "bypassed", tone: "error" },
  unknown: { short: "unknown", tone: "warning" },
  narrowed: { short: "narrowed", tone: "info" },
  paused: { short: "paused", tone: "info" },
  ok: { short: "ok", tone: undefined },
};

const ORDER = Object.keys(VERDICTS) as readonly PoolVerdict[];

export function verdictTone(verdict: PoolVerdict | undefined): Tone {
  return verdict && VERDICTS[verdict].tone;
}

type Verdicts = readonly Pick<JudgedPool, "pool" | "verdict">[];

export function worstVerdict(verdicts: Verdicts): PoolVerdict | undefined {
  return ORDER.find((wanted) => verdicts.some(({ verdict }) => verdict === wanted));
}

/** `1 no nodes`, `2 narrowed`, `5 ok`: how many pools have each verdict. */
export function verdictCounts(verdicts: Verdicts): string[] {
  const counts = tally(ORDER, verdicts, ({ verdict }) => verdict);
  return counts.map(([verdict, count]) => `${String(count)} ${VERDICTS[verdict].short}`);
}

/** `gpu no nodes · batch narrowed · 2 ok`: as many as fit, the worst first, in their colours. */
export function verdictLine(verdicts: Verdicts, room: number, style: Style): string {
  const named = ORDER.filter((verdict) => verdict !== "ok").flatMap((wanted) =>
    verdicts.filter(({ verdict }) => verdict === wanted),
  );
  const fine = verdicts.length - named.length;
  const parts = named.map(({ pool, verdict }) => {
    const { short, tone } = VERDICTS[verdict];
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
