/** One picture of a pool for a chat: the treemap of its instance types, as an SVG file. */
import type { DescribedPool } from "../../analyze/explain/pool-answer.ts";
import type { ExplainedPictures } from "../../analyze/pictures/explained-pictures.ts";
import { counted } from "../../krm/values/counted.ts";
import { shortened } from "../terminal/printable.ts";
import { placeOfPrices } from "../../model/values/money.ts";
import { knowsTypes } from "../explain/explain-blocks.ts";
import { priceFrom, zonesLeft } from "../explain/pool-facts.ts";
import { stateOf } from "../explain/verdict-words.ts";
import { type Kind, PATTERNS, sharedMap, sharedOutlines } from "./draw-map.ts";
import { html, Markup } from "./markup.ts";
import { countsOf, KINDS } from "./pool-pictures.ts";
import { STYLE } from "./style.ts";

const [WIDTH, MAP, MARGIN, HEAD] = [960, 480, 24, 92];
/** Characters of a line of text, and of one that is set larger. */
const [LINE, TITLE] = [130, 70];

/** Fonts of the page, which an image does not inherit, and texts that keep their size. */
const OWN_STYLE = "svg{font:13px system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif;background:var(--card)}";

/** Our own text, unescaped; an image has no other. */
const SHEET = new Markup(STYLE + OWN_STYLE);

/** Undefined if no instance types of the pool are known. */
export function poolImage(pool: DescribedPool, { tables, pools: [picture] }: ExplainedPictures): string | undefined {
  const at = picture?.table;
  const table = at === undefined ? undefined : tables[at];
  if (picture === undefined || at === undefined || table === undefined || !knowsTypes(pool)) return undefined;
  const { fate, steps } = picture;
  const kinds: Kind[] = ["left", ...steps.map(({ from }) => from)];
  const counts = countsOf(fate, kinds);
  const { compatible, total } = pool.instanceTypes;
  const title = `${shortened(pool.name, TITLE)}: ${compatible} of ${counted(total, "instance type")} left`;
  const legend = KINDS.flatMap(([kind, says]): [Kind, string][] => {
    const count = counts.get(kind) ?? 0;
    return count === 0 ? [] : [[kind, `${says} (${count})`]];
  });
  const price = priceFrom(pool);
  const facts = [
    stateOf(pool),
    `zones ${zonesLeft(pool)}`,
    ...(price === undefined ? [] : [`from ${price} an hour (${placeOfPrices(pool.prices!)})`]),
  ].join(" · ");
  const bottom = HEAD + MAP;
  return html`<svg
    xmlns="http://www.w3.org/2000/svg"
    viewBox="0 0 ${WIDTH} ${bottom + 68}"
    width="${WIDTH}"
    height="${bottom + 68}"
    role="img"
    aria-labelledby="t d"
  >
    <title id="t">${title}</title>
    <desc id="d">${facts}; ${legend.map(([, words]) => words).join(", ")}</desc>
    <style>
      ${SHEET}
    </style>
    <defs>${PATTERNS} ${sharedOutlines(table, 0)}${sharedMap("m", table, (type) => kinds[fate[type]!]!)}</defs>
    <text x="${MARGIN}" y="40" style="font-size:20px;font-weight:600">${title}</text>
    <text x="${MARGIN}" y="66" class="axis" style="font-size:13px">${shortened(facts, LINE)}</text>
    <svg x="${MARGIN}" y="${HEAD}" width="${WIDTH - 2 * MARGIN}" height="${MAP}">
      <use href="#mvcpu" width="100%" height="100%" />
      <use href="#c0vcpu" width="100%" height="100%" />
      <use href="#n0vcpu" width="100%" height="100%" />
    </svg>
    ${legendOf(legend, bottom + 26)}
    <text x="${MARGIN}" y="${bottom + 52}" class="axis">
      Areas stand for vCPUs. Instance types: ${shortened(`${table.source}, ${table.date}`, LINE - 40)}
    </text>
  </svg> `.text;
}

/** Signs and words from left to right: some eight pixels a character. */
function legendOf(entries: readonly (readonly [Kind, string])[], y: number): Markup {
  let x = MARGIN;
  return html`${entries.map(([kind, words]) => {
    const left = x;
    x += 38 + 7 * words.length;
    return html`<rect class="k-${kind}" x="${left}" y="${y - 11}" width="13" height="13" /><text
        x="${left + 20}"
        y="${y}"
        >${words}</text
      >`;
  })}`;
}
