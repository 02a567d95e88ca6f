/** Treemaps as SVG: a path for each kind of types, over outlines that maps share. */
import type { TypeTable } from "../../analyze/pictures/type-table.ts";
import { html, type Markup } from "./markup.ts";
import { type Box, type Family, MAP_SIZE, mapsOf, type Measure, MEASURES } from "./type-map.ts";

/** Kinds of types; the style sheet has a colour for each. */
export type Kind =
  | "left"
  | "policy"
  | "user"
  | "label"
  | "class"
  | "kept"
  | "gained"
  | "lost"
  | "never"
  | `heat-${0 | 1 | 2 | 3 | 4}`;

const { width, height } = MAP_SIZE;
const VIEW = `0 0 ${width} ${height}`;

/** Types that an entry rules out are striped, with a pattern for each kind of author. */
export const PATTERNS: Markup = html`${(
  [
    ["policy", 45],
    ["user", -45],
    ["label", 90],
    ["class", 0],
  ] as const
).map(
  ([kind, angle]) =>
    html`<pattern
      id="h-${kind}"
      width="14"
      height="14"
      patternUnits="userSpaceOnUse"
      patternTransform="rotate(${angle})"
      ><rect class="p-${kind} p-ground" width="14" height="14" /><rect class="p-${kind}" width="5" height="14"
    /></pattern>`,
)}`;

/** Shared by all maps of a table: outlines of types in the order of the table, which the page's script also reads. */
export function sharedOutlines(table: TypeTable, at: number): Markup {
  return html`${MEASURES.map((measure) => {
    const { cells, families } = mapsOf(table)[measure];
    return html`<symbol id="c${at}${measure}" viewBox="${VIEW}" preserveAspectRatio="none"
        ><path class="cells" d="${cells.map(pathOf).join("")}" /><path
          class="families"
          d="${families.map(pathOf).join("")}" /></symbol
      ><symbol id="n${at}${measure}">${families.map(nameOf)}</symbol> `;
  })}`;
}

function pathOf({ x, y, width: w, height: h }: Box): string {
  return `M${x} ${y}h${w}v${h}h${-w}z`;
}

const percent = (share: number): string => `${Math.round(share * 1e4) / 100}%`;

/** Undefined without room for the name; hidden on narrow screens if there is little room. */
function nameOf({ name, x, y, width: w, height: h }: Family): Markup | undefined {
  const room = w / width;
  if (room < 0.0165 * name.length || h < 30) return undefined;
  const look = room < 0.024 * name.length ? "name wide" : "name";
  return html`<text
    class="${look}"
    x="${percent((x + w / 2) / width)}"
    y="${percent((y + h / 2) / height)}"
    dy="4"
    text-anchor="middle"
    >${name}</text
  >`;
}

/** The areas of each kind, for both measures: `m0vcpu`, `m0price`. */
export function sharedMap(id: string, table: TypeTable, kindOf: (type: number) => Kind): Markup {
  return html`${MEASURES.map(
    (measure) =>
      html`<symbol id="${id}${measure}" viewBox="${VIEW}" preserveAspectRatio="none"
        >${areas(table, measure, kindOf)}</symbol
      > `,
  )}`;
}

function areas(table: TypeTable, measure: Measure, kindOf: (type: number) => Kind): Markup[] {
  const { cells, families } = mapsOf(table)[measure];
  const paths = new Map<Kind, string>();
  const add = (kind: Kind, box: Box): void => void paths.set(kind, (paths.get(kind) ?? "") + pathOf(box));
  for (const family of families) {
    const [first, ...others] = new Set(family.types.map(kindOf));
    if (others.length === 0) add(first!, family);
    else for (const type of family.types) add(kindOf(type), cells[type]!);
  }
  return [...paths]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([kind, d]) => html`<path class="k-${kind}" d="${d}" />`);
}

interface MapText {
  readonly title: string;
  readonly description: string;
}

interface MapPlace {
  /** The id of the shared areas. */
  readonly id: string;
  readonly table: number;
  /** The id of this picture. */
  readonly page: string;
  /** Texts of the page's script on each type. */
  readonly set: number;
}

/** One picture for each measure; the page shows one of them. */
export function mapPicture({ id, table, page, set }: MapPlace, { title, description }: MapText): Markup {
  return html`${MEASURES.map(
    (measure) =>
      html`<svg
        class="map by-${measure}"
        role="img"
        aria-labelledby="${page}${measure}t ${page}${measure}d"
        data-set="${set}"
        data-table="${table}"
        data-measure="${measure}"
        data-page="${page}"
      >
        <title id="${page}${measure}t">${title}</title>
        <desc id="${page}${measure}d">${description}</desc>
        <use href="#${id}${measure}" />
        <use href="#c${table}${measure}" />
        <use href="#n${table}${measure}" />
      </svg>`,
  )}`;
}
