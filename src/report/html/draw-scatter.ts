/** Price against vCPUs as SVG, both logarithmic: a dot for each point that types share. */
import { scaleLog } from "d3-scale";
import type { PictureType, TypeTable } from "../../analyze/pictures/type-table.ts";
import { moneyWords } from "../../model/values/money.ts";
import { memoizeByObject } from "../../model/schema/memoize.ts";
import { html, type Markup } from "./markup.ts";

/** The coordinates of dots, which pages stretch. */
const SIZE = { width: 1000, height: 700 } as const;

/** The part of the picture with dots, as shares of it. */
const AREA = { x: 0.13, y: 0.03, width: 0.84, height: 0.83 } as const;

export interface Axes {
  readonly vcpus: readonly [number, number];
  readonly price: readonly [number, number];
}

/** One scale for all pictures of a table, so that pools can be compared. */
export const axesOf = memoizeByObject(({ types }: TypeTable): Axes => {
  const span = (figures: readonly number[], least: number): [number, number] => {
    const known = figures.filter((figure) => figure > 0);
    return [known.reduce((a, b) => Math.min(a, b), least), known.reduce((a, b) => Math.max(a, b), least)];
  };
  const prices = types.flatMap(({ price, spot }) => [price ?? 0, spot ?? 0]);
  return {
    vcpus: span(
      types.map(({ vcpus }) => vcpus),
      1,
    ),
    price: span(prices, 1),
  };
});

/** The price of a type in a picture: the Spot price, if the pool takes only Spot and the price is known. */
export function priceOf({ price, spot }: PictureType, isSpot: boolean): number | null {
  return isSpot ? (spot ?? price) : price;
}

interface Dots {
  readonly isSpot: boolean;
  /** Undefined for a type that is not drawn. */
  readonly groupOf: (type: number) => string | undefined;
}

/** Dots by group; the style sheet has a colour for each. */
export function sharedDots(id: string, table: TypeTable, { isSpot, groupOf }: Dots): Markup {
  const { vcpus, price } = axesOf(table);
  const x = scaleLog().domain(vcpus).range([0, SIZE.width]);
  const y = scaleLog().domain(price).range([SIZE.height, 0]);
  const groups = new Map<string, Set<string>>();
  for (const [index, type] of table.types.entries()) {
    const group = groupOf(index);
    const cost = priceOf(type, isSpot);
    if (group === undefined || cost === null || type.vcpus === 0) continue;
    const dots = groups.get(group) ?? new Set();
    dots.add(`M${Math.round(x(type.vcpus))} ${Math.round(y(cost))}h0`);
    groups.set(group, dots);
  }
  return html`<symbol
    id="${id}"
    viewBox="0 0 ${SIZE.width} ${SIZE.height}"
    preserveAspectRatio="none"
    overflow="visible"
    >${[...groups]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([group, dots]) => html`<path class="dots d-${group}" d="${[...dots].join("")}" />`)}</symbol
  > `;
}

const VCPU_TICKS = [1, 4, 16, 64, 256, 1024];
const PRICE_TICKS = [0.001, 0.01, 0.1, 1, 10, 100, 1000];
const percent = (share: number): string => `${Math.round(share * 1e4) / 100}%`;

/** The lines and numbers behind the dots of a table. */
export function sharedAxes(table: TypeTable, at: number): Markup {
  const { vcpus, price } = axesOf(table);
  const x = scaleLog()
    .domain(vcpus)
    .range([AREA.x, AREA.x + AREA.width]);
  const y = scaleLog()
    .domain(price)
    .range([AREA.y + AREA.height, AREA.y]);
  const within = ([from, to]: readonly [number, number], ticks: readonly number[]): number[] =>
    ticks.filter((tick) => tick >= from && tick <= to);
  const unit = table.prices ?? "USD";
  const bottom = percent(AREA.y + AREA.height);
  return html`<symbol id="a${at}"
    >${within(vcpus, VCPU_TICKS).map((tick) => {
      const place = percent(x(tick));
      return html`<line class="grid" x1="${place}" x2="${place}" y1="${percent(AREA.y)}" y2="${bottom}" /><text
          class="axis"
          x="${place}"
          y="${bottom}"
          dy="17"
          text-anchor="middle"
          >${tick}</text
        >`;
    })}${within(price, PRICE_TICKS).map((tick) => {
      const place = percent(y(tick));
      return html`<line
          class="grid"
          x1="${percent(AREA.x)}"
          x2="${percent(AREA.x + AREA.width)}"
          y1="${place}"
          y2="${place}"
        /><text class="axis" x="${percent(AREA.x)}" dx="-6" y="${place}" dy="4" text-anchor="end"
          >${moneyWords(tick, unit)}</text
        >`;
    })}<text class="axis" x="${percent(AREA.x + AREA.width / 2)}" y="${bottom}" dy="38" text-anchor="middle"
      >vCPUs</text
    ></symbol
  > `;
}

/** @param id the id of the shared dots @param page the id of this picture */
export function scatterPicture(
  { id, table, page }: { readonly id: string; readonly table: number; readonly page: string },
  { title, description }: { readonly title: string; readonly description: string },
): Markup {
  return html`<svg class="plot" role="img" aria-labelledby="${page}t ${page}d">
    <title id="${page}t">${title}</title>
    <desc id="${page}d">${description}</desc>
    <use href="#a${table}" />
    <svg
      x="${percent(AREA.x)}"
      y="${percent(AREA.y)}"
      width="${percent(AREA.width)}"
      height="${percent(AREA.height)}"
      overflow="visible"
    >
      <use href="#${id}" />
    </svg>
  </svg>`;
}
