/** The pictures of a pool: the funnel, the treemap and the prices of the types left. */
import type { DescribedPool } from "../../analyze/explain/pool-answer.ts";
import type { PoolPicture } from "../../analyze/pictures/explained-pictures.ts";
import { placeText } from "../../krm/places/location.ts";
import { counted } from "../../krm/values/counted.ts";
import { placeOfPrices } from "../../model/values/money.ts";
import { WHO } from "../blocks/blocks.ts";
import { demandWords } from "../explain/verdict-words.ts";
import { bar } from "./bar.ts";
import { type Kind, mapPicture } from "./draw-map.ts";
import { priceOf, scatterPicture } from "./draw-scatter.ts";
import type { Drawings } from "./drawings.ts";
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
  const of = table.prices === null ? "" : placeOfPrices(table.prices);
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

/** What is left of the types, and by whom the others are ruled out. */
export const KINDS: readonly (readonly [Kind, string])[] = [
  ["left", "left"],
  ["policy", "ruled out by the policy"],
  ["user", "ruled out by the pool"],
  ["label", "ruled out by a label"],
  ["class", "ruled out by the node class"],
];

/** @param kinds by the numbers in `fate` */
export function countsOf(fate: Uint16Array, kinds: readonly Kind[]): Map<Kind, number> {
  const counts = new Map<Kind, number>();
  for (const one of fate) counts.set(kinds[one]!, (counts.get(kinds[one]!) ?? 0) + 1);
  return counts;
}

/** @param total the number of all types @param page the id of this table */
function funnel({ steps }: Pick<PoolPicture, "steps">, total: number, page: string): Markup {
  const share = (count: number): number => count / Math.max(1, total);
  const rows = steps.map((step, index) => {
    const before = index === 0 ? total : steps[index - 1]!.left;
    return html`<tr>
      <th scope="row"><span class="who who-${step.from}">${WHO[step.from]}</span></th>
      <td><code>${step.key} ${demandWords(step)}</code></td>
      <td class="soft" data-of="at">${placeText(step)}</td>
      <td class="n" data-of="rules out">${goneWords(before - step.left)}</td>
      <td class="n" data-of="left">${step.left}</td>
      <td class="w">${bar(share(step.left), share(before))}</td>
    </tr> `;
  });
  return html`<figure>
    <figcaption id="${page}f">From ${total} instance types to ${steps.at(-1)?.left ?? total}</figcaption>
    <div class="scroll" tabindex="0" role="group" aria-label="Entries and what they leave">
      <table class="stack" aria-labelledby="${page}f">
        <thead>
          <tr>
            <th scope="col">who</th>
            <th scope="col">asks for</th>
            <th scope="col">where</th>
            <th scope="col" class="n">rules out</th>
            <th scope="col" class="n">left</th>
            <td></td>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row" colspan="2" class="soft">all instance types</th>
            <td></td>
            <td class="n"></td>
            <td class="n">${total}</td>
            <td class="w">${bar(1)}</td>
          </tr>
          ${rows}
        </tbody>
      </table>
    </div>
  </figure>`;
}

/** Types come back after a contradiction that Karpenter ignores. */
function goneWords(gone: number): string {
  if (gone < 0) return `lets ${-gone} in again`;
  return gone === 0 ? "0" : `−${gone}`;
}
