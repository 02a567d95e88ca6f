/** When nodes may be disrupted: a drawing, the closed times, and what each stretch allows. */
import { isClosed, type Stretch } from "../../analyze/simulate/timeline.ts";
import type { TimeZone } from "../../analyze/simulate/zone.ts";
import type { Block, TableRow, Words } from "../blocks/blocks.ts";
import { howMany, lengthText, spanText } from "./time-text.ts";
import { timelineText } from "./timeline-text.ts";

interface TimelineOptions {
  /** A limit that is as large allows all of them. */
  readonly nodes: number;
  /** The id of its drawing. */
  readonly picture: string;
  readonly zone: TimeZone;
}

export function timelineBlocks(stretches: readonly Stretch[], { nodes, picture, zone }: TimelineOptions): Block[] {
  if (stretches.length === 0) return [];
  return [
    { kind: "picture", id: picture, terminal: (look) => timelineText(stretches, { nodes, zone, ...look }) },
    { kind: "gap" },
    { kind: "list", indent: 2, hanging: 2, items: closedWords(stretches, zone) },
    { kind: "gap" },
    ...stretchBlocks(stretches, zone),
  ];
}

/** First the times when nothing may be disrupted at all, then those of each reason: their sum, and the longest. */
export function closedWords(stretches: readonly Stretch[], zone: TimeZone): Words[] {
  const nothing = closedOf("nothing may be disrupted", stretches, isClosed, zone);
  const reasons = stretches[0]!.disruption.flatMap(({ reason }, index) => {
    const closed = ({ disruption }: Stretch): boolean => disruption[index]!.allowed === 0;
    const more = stretches.some((stretch) => closed(stretch) && !isClosed(stretch));
    return more ? closedOf(`no ${reason} node may go`, stretches, closed, zone) : [];
  });
  const never: Words[] = [[{ text: "something may be disrupted at any time", tone: "good" }]];
  return [...(nothing.length > 0 ? nothing : never), ...reasons];
}

function closedOf(
  what: string,
  stretches: readonly Stretch[],
  closes: (stretch: Stretch) => boolean,
  zone: TimeZone,
): Words[] {
  const spans = joinedSpans(stretches.filter(closes));
  const [first, ...more] = spans;
  if (first === undefined) return [];
  const sum = spans.reduce((total, { from, to }) => total + to - from, 0);
  const all = stretches.at(-1)!.to - stretches[0]!.from;
  const lead = { text: what, tone: "error" } as const;
  if (sum === all) return [[lead, " at any time"]];
  const longest = spans.reduce((a, b) => (b.to - b.from > a.to - a.from ? b : a));
  const times = more.length === 0 ? "once, " : `${spans.length} times, the longest `;
  const span = spanText(longest.from, longest.to, zone);
  return [[lead, ` for ${lengthText(sum)} of ${lengthText(all)}, ${times}${span}`]];
}

function joinedSpans(stretches: readonly Stretch[]): { from: number; to: number }[] {
  const joined: { from: number; to: number }[] = [];
  for (const { from, to } of stretches) {
    const last = joined.at(-1);
    if (last?.to === from) last.to = to;
    else joined.push({ from, to });
  }
  return joined;
}

const ROWS_SHOWN = 14;

/** A column for each reason; the length of a stretch only if there is room. */
function stretchBlocks(stretches: readonly Stretch[], zone: TimeZone): Block[] {
  const rows = stretches.slice(0, ROWS_SHOWN).map(({ from, to, disruption }): TableRow => {
    const allowed = disruption.map((one) => [
      { text: howMany(one.allowed), tone: one.allowed === 0 ? "error" : undefined } as const,
    ]);
    return { cells: [spanText(from, to, zone), [{ text: lengthText(to - from), tone: "faint" }], ...allowed] };
  });
  const reasons = stretches[0]!.disruption.map(({ reason }) => ({ head: reason }));
  const columns = [{}, { right: true, spare: true }, ...reasons];
  const more = stretches.length - rows.length;
  const words = `and ${more} more: -o json has them all`;
  return [
    { kind: "table", label: "Times", indent: 2, columns, rows },
    ...(more > 0 ? [{ kind: "paragraph", tone: "faint", indent: 2, words } as const] : []),
  ];
}
