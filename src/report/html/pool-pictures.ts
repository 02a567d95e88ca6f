/** The pictures of a pool: the funnel, the treemap and the prices of the types left. */
import type { DescribedPool } from "../../analyze/explain/pool-answer.ts";
import type { PoolPicture } from "../../analyze/pictures/explained-pictures.ts";
import { counted } from "../../krm/values/counted.ts";
import { placeText } from "../../krm/places/location.ts";
import { placeOfPrices } from "../../model/values/money.ts";
import { WHO } from "../blocks/blocks.ts";
import { demandWords } from "../explain/demand-words.ts";
import { type Kind, mapPicture } from "./draw-map.ts";
import { priceOf, scatterPicture } from "./draw-scatter.ts";
import type { Drawings } from "./drawings.ts";
import { funnel } from "./funnel.ts";
import { legend } from "./legend.ts";
import { html, type Markup } from "./markup.ts";
import { CATEGORIES, type Category, categoryOf } from "./type-map.ts";
import { typesTable } from "./types-table.ts";

/** Undefined if no instance types are known. @param page the id of the section of the pool */
export function poolPictures(
  pool: DescribedPool,
  picture: PoolPicture,
  drawings: Drawings,
  page: string,
): Markup | undefined {
  const { table: at, steps, fate, isSpot } = picture;
  const table = at === undefined ? undefined : drawings.tables[at];
  if (at === undefined || table === undefined || table.types.length === 0) return undefined;
  const kinds: Kind[] = ["left", ...steps.map(({ from }) => from)];
  const drawn = drawings.draw({ table: at, fates: fate, kinds, isSpot }, page);
  const words = [
    "left",
    ...steps.map((step) => `ruled out by ${WHO[step.from]}: ${step.key} ${demandWords(step)} (${placeText(step)})`),
  ];
  const set = drawings.describe(at, fate, words);
  const counts = countsOf(fate, kinds);
  const left = counts.get("left") ?? 0;
  const tally = KINDS.flatMap(([kind, says]) => {
    const count = counts.get(kind) ?? 0;
    return count === 0 ? [] : [{ look: `k-${kind}`, words: `${says} (${count})` }];
  });
  const isLeft = (type: number): boolean => fate[type] === 0;
  const categories = new Set(table.types.flatMap((type, index) => (isLeft(index) ? [categoryOf(type.category)] : [])));
  const priced = table.types.filter(
    (type, index) => isLeft(index) && priceOf(type, isSpot) !== null && type.vcpus > 0,
  ).length;
  const of =
    table.prices === null ? "" : placeOfPrices({ region: table.prices.region ?? undefined, date: table.prices.date });
  const how = isSpot && table.types.some(({ spot }) => spot !== null) ? "as Spot" : "on demand";
  const about = tally.map((one) => one.words).join(", ");
  return html`${funnel(picture, table.types.length, page)}
    <div class="two">
      <figure>
        <figcaption>Instance types: ${left} of ${table.types.length} left</figcaption>
        ${mapPicture({ id: drawn.id, table: at, page: `${page}m`, set }, { title: `Instance types of ${pool.name}`, description: about })}
        ${legend(tally)}
        <p class="detail" id="${page}mdetail" aria-live="polite"></p>
      </figure>
      <figure>
        <figcaption>Price an hour against vCPUs of what is left</figcaption>
        ${
          priced === 0
            ? html`<p class="soft">No price of what is left is known.</p>`
            : html`${scatterPicture({ id: `${drawn.id}s`, table: at, page: `${page}s` }, { title: `Price an hour ${how} against vCPUs of what is left to ${pool.name}`, description: `${priced} of ${left} types have a price` })}
                ${legend([...categories].toSorted().map((category: Category) => ({ look: `d-${category}`, words: CATEGORIES[category], isDot: true })))}
                <p class="soft">${how} (${of})${priced < left && `; ${left - priced} without a price`}</p>`
        }
      </figure>
    </div>
    ${
      drawn.sameAs === undefined
        ? typesTable(table, isLeft, { caption: `${counted(left, "instance type")} left`, isSpot })
        : html`<p class="soft">The same types as <a href="#${drawn.sameAs}">above</a>, which has them as a table.</p>`
    }`;
}

const KINDS: readonly (readonly [Kind, string])[] = [
  ["left", "left"],
  ["policy", "ruled out by the policy"],
  ["user", "ruled out by the pool"],
  ["label", "ruled out by a label"],
  ["class", "ruled out by the node class"],
];

function countsOf(fate: Uint16Array, kinds: readonly Kind[]): Map<Kind, number> {
  const counts = new Map<Kind, number>();
  for (const one of fate) counts.set(kinds[one]!, (counts.get(kinds[one]!) ?? 0) + 1);
  return counts;
}
