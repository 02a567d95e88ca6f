/** A calendar of allowed disruption: a row per day and a lane per reason, in a time zone. */
import { scaleLinear } from "d3-scale";
import type { Stretch } from "../../analyze/simulate/timeline.ts";
import { localTime, type TimeZone } from "../../analyze/simulate/zone.ts";
import { textOf } from "../blocks/blocks.ts";
import { counted } from "../../krm/values/counted.ts";
import { dayText } from "../simulate/time-text.ts";
import { closedWords } from "../simulate/timeline-blocks.ts";
import { html, type Markup } from "./markup.ts";
import { legend } from "./legend.ts";

const WIDTH = 1000;
const LEFT = 150;
const LANE = 19;
const HEAD = 24;
const MINUTES = 1440;
/** For a longer span only the first days are drawn. */
const DAYS = 31;

interface Block {
  readonly day: string;
  /** Minutes of local time. */
  readonly from: number;
  readonly to: number;
  readonly stretch: Stretch;
}

interface CalendarOptions {
  /** A limit that is as large allows all of them. */
  readonly nodes: number;
  /** The id of this picture. */
  readonly page: string;
  /** Of the pool. */
  readonly name: string;
  readonly zone: TimeZone;
}

export function calendar(
  stretches: readonly Stretch[],
  { nodes, page, name, zone }: CalendarOptions,
): Markup | undefined {
  const first = stretches[0];
  if (first === undefined) return undefined;
  if (isConstant(stretches)) return constantBudget(first);
  const days = [
    ...Map.groupBy(
      stretches.flatMap((stretch) => blocksOf(stretch, zone)),
      ({ day }) => day,
    ),
  ];
  const reasons = first.disruption.map(({ reason }) => reason);
  const x = scaleLinear()
    .domain([0, MINUTES])
    .range([LEFT, WIDTH - 6]);
  const height = LANE * reasons.length + 10;
  const hours = [0, 3, 6, 9, 12, 15, 18, 21, 24];
  const shown = days.slice(0, DAYS);
  const bottom = HEAD + shown.length * height;
  const lanes = shown.flatMap(([day, blocks], row) => {
    const top = HEAD + row * height;
    return [
      html`<text class="lane" x="0" y="${top + LANE}">${day}</text>`,
      ...reasons.map(
        (reason, lane) =>
          html`<text class="axis" x="${LEFT - 8}" y="${top + lane * LANE + 14}" text-anchor="end">${reason}</text>`,
      ),
      ...blocks.flatMap((block) => reasons.map((_, lane) => cell(block, lane, { x, top: top + lane * LANE, nodes }))),
    ];
  });
  const closed = closedWords(stretches, zone).map(textOf).join("; ");
  return html`<figure>
    <figcaption>What may be disrupted, ${zone.name}</figcaption>
    <div class="scroll" tabindex="0" role="group" aria-label="Calendar of ${name}">
      <svg class="week" viewBox="0 0 ${WIDTH} ${bottom + 4}" role="img" aria-labelledby="${page}t ${page}d">
        <title id="${page}t">Disruption of ${name} by day and reason</title>
        <desc id="${page}d">${closed}</desc>
        ${hours.map((hour) => html`<line class="grid" x1="${x(hour * 60)}" x2="${x(hour * 60)}" y1="${HEAD - 6}" y2="${bottom}" /><text class="axis" x="${x(hour * 60)}" y="12" text-anchor="${hour === 24 ? "end" : "middle"}">${String(hour).padStart(2, "0")}:00</text>`)}
        ${lanes}
      </svg>
    </div>
    ${legend([
      { look: "c-all", words: "all nodes may go" },
      { look: "c-some", words: "as many as the figure says" },
      { look: "c-none", words: "none" },
    ])}
  </figure>`;
}

function isConstant([first, ...others]: readonly Stretch[]): boolean {
  const allowed = ({ disruption }: Stretch): string => disruption.map((one) => String(one.allowed)).join(" ");
  return others.every((stretch) => allowed(stretch) === allowed(first!));
}

/** Budgets without a schedule need no calendar: each day would look the same. */
function constantBudget({ disruption }: Stretch): Markup {
  const words = disruption.map(({ reason, allowed }) => {
    const many = allowed === null ? "all nodes" : allowed === 0 ? "no node" : counted(allowed, "node");
    return `${many} as ${reason}`;
  });
  return html`<p>The same at any time: ${words.join(", ")} may go at once.</p>`;
}

interface CellLook {
  readonly x: (minutes: number) => number;
  readonly top: number;
  readonly nodes: number;
}

function cell({ from, to, stretch }: Block, lane: number, { x, top, nodes }: CellLook): Markup {
  const { allowed } = stretch.disruption[lane]!;
  const kind = allowed === 0 ? "none" : allowed === null || allowed >= Math.max(1, nodes) ? "all" : "some";
  const [left, right] = [round(x(from)), round(x(to))];
  const width = round(Math.max(1, right - left - 1));
  const figure = width > 26 && kind === "some" ? String(allowed) : "";
  return html`<rect
      class="c-${kind}"
      x="${left}"
      y="${top + 1}"
      width="${width}"
      height="${LANE - 3}"
      rx="2"
    />${figure !== "" && html`<text class="on" x="${round(left + width / 2)}" y="${top + 13}" text-anchor="middle">${figure}</text>`}`;
}

function round(number: number): number {
  return Math.round(number * 10) / 10;
}

/** In local time: on a day with a clock change, an hour is missing or occurs twice. */
function blocksOf(stretch: Stretch, zone: TimeZone): Block[] {
  const blocks: Block[] = [];
  for (let at = stretch.from; at < stretch.to;) {
    const { hour, minute, second } = localTime(at, zone);
    const from = hour * 60 + minute + second / 60;
    const day = dayText(at, zone);
    const end = Math.min(stretch.to, nextMidnight(at, zone));
    const last = localTime(end, zone);
    const to = dayText(end, zone) === day ? last.hour * 60 + last.minute + last.second / 60 : MINUTES;
    blocks.push({ day, from: Math.min(from, to), to: Math.max(from, to), stretch });
    at = end;
  }
  return blocks;
}

const QUARTER = 900_000;

/** The first moment of the next day. */
function nextMidnight(at: number, zone: TimeZone): number {
  const day = dayText(at, zone);
  const { hour, minute, second } = localTime(at, zone);
  // First as if no clock changed, then corrected to the local midnight.
  let next = at - (at % 1000) + ((MINUTES - hour * 60 - minute) * 60 - second) * 1000;
  while (dayText(next - 1, zone) !== day) next -= QUARTER;
  while (dayText(next, zone) === day) next += QUARTER;
  return next;
}
