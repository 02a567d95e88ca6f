/** The number of replaced nodes over time at the earliest, as steps. */
import { scaleLinear } from "d3-scale";
import { area, curveStepAfter, line } from "d3-shape";
import type { Rollout } from "../../analyze/running/rollout.ts";
import { type TimeZone, UTC } from "../../analyze/simulate/zone.ts";
import { dayAndTime, lengthText } from "../simulate/time-text.ts";
import { html, type Markup } from "./markup.ts";

const SIZE = { width: 1000, height: 400 } as const;
const AREA = { x: 0.07, y: 0.06, width: 0.9, height: 0.76 } as const;
const percent = (share: number): string => `${Math.round(share * 1e4) / 100}%`;

interface Gone {
  readonly steps: Rollout["steps"];
  /** The number of all nodes. */
  readonly total: number;
  /** When the change is made: milliseconds since 1970. */
  readonly at: number;
}

/** Undefined if no node is replaced, or all at once. @param page the id of this picture */
export function goneOverTime(
  { steps, total, at }: Gone,
  {
    page,
    name,
    caption,
    zone = UTC,
  }: { readonly page: string; readonly name: string; readonly caption: string; readonly zone?: TimeZone },
): Markup | undefined {
  const last = steps.at(-1);
  if (last === undefined || last.at <= at) return undefined;
  const end = at + (last.at - at) * 1.04;
  const most = Math.max(total, last.gone);
  const x = scaleLinear().domain([at, end]).range([0, SIZE.width]);
  const y = scaleLinear().domain([0, most]).range([SIZE.height, 0]);
  const points: [number, number][] = [
    [at, 0],
    ...steps.map((step): [number, number] => [step.at, step.gone]),
    [end, last.gone],
  ];
  const place = (moment: number): number => Math.round(x(moment) * 10) / 10;
  const height = (gone: number): number => Math.round(y(gone) * 10) / 10;
  const stroke = line(
    ([moment]) => place(moment),
    ([, gone]) => height(gone),
  ).curve(curveStepAfter)(points);
  const fill = area(
    ([moment]) => place(moment),
    SIZE.height,
    ([, gone]) => height(gone),
  ).curve(curveStepAfter)(points);
  const bottom = percent(AREA.y + AREA.height);
  const marks = [0, 0.5, 1].map((share) => at + (last.at - at) * share);
  const counts = [...new Set([0, Math.round(most / 2), most])];
  const words = `${last.gone} of ${total} gone ${dayAndTime(last.at, zone, at)} at the earliest, ${lengthText(last.at - at)} from the change`;
  return html`<figure>
    <figcaption>${caption}</figcaption>
    <svg class="flow" role="img" aria-labelledby="${page}t ${page}d">
      <title id="${page}t">Nodes of ${name} gone over time</title>
      <desc id="${page}d">${words}</desc>
      ${counts.map((count) => {
        const top = percent(AREA.y + AREA.height * (1 - count / Math.max(1, most)));
        return html`<line
            class="grid"
            x1="${percent(AREA.x)}"
            x2="${percent(AREA.x + AREA.width)}"
            y1="${top}"
            y2="${top}"
          /><text class="axis" x="${percent(AREA.x)}" dx="-6" y="${top}" dy="4" text-anchor="end">${count}</text>`;
      })}${marks.map((moment, index) => html`<text class="axis${index === 1 && " wide"}" x="${percent(AREA.x + (AREA.width * x(moment)) / SIZE.width)}" y="${bottom}" dy="17" text-anchor="${["start", "middle", "end"][index]}">${dayAndTime(moment - (moment % 60_000), zone, at)}</text>`)}
      <svg
        x="${percent(AREA.x)}"
        y="${percent(AREA.y)}"
        width="${percent(AREA.width)}"
        height="${percent(AREA.height)}"
        viewBox="0 0 ${SIZE.width} ${SIZE.height}"
        preserveAspectRatio="none"
        overflow="visible"
      >
        <path class="area" d="${fill ?? ""}" />
        <path class="line" d="${stroke ?? ""}" />
      </svg>
    </svg>
    <p class="soft">${words} (${zone.name})</p>
  </figure>`;
}
