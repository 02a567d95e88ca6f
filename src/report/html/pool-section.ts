/** One pool: verdict and reasons, its facts, the funnel, the treemap and prices of types left. */
import type { DescribedPool } from "../../analyze/explain/pool-answer.ts";
import { demandWords } from "../explain/demand-words.ts";
import { missedWords } from "../../analyze/explain/why-no-nodes.ts";
import type { PoolPicture } from "../../analyze/pictures/explained-pictures.ts";
import { counted } from "../../krm/counted.ts";
import { placeText } from "../../krm/location.ts";
import { placeOfPrices } from "../../model/money.ts";
import { conflictHead, knowsTypes, unknownTypes } from "../explain/explain-text.ts";
import { factsOf } from "../explain/pool-facts.ts";
import { verdictOfPool } from "../explain/verdict-of-pool.ts";
import { mark } from "./bar.ts";
import { type Kind, mapPicture } from "./draw-map.ts";
import { priceOf, scatterPicture } from "./draw-scatter.ts";
import type { Drawings } from "./drawings.ts";
import { funnel, WHO } from "./funnel.ts";
import { legend } from "./legend.ts";
import { html, type Markup } from "./markup.ts";
import { CATEGORIES, type Category, categoryOf } from "./type-map.ts";
import { typesTable } from "./types-table.ts";

/** @param page the id of the part */
export function poolSection(
  pool: DescribedPool,
  picture: PoolPicture | undefined,
  { drawings, page, several }: { readonly drawings: Drawings; readonly page: string; readonly several: boolean },
): Markup {
  const { words, tone } = verdictOfPool(pool);
  const [verdict = "", ...rest] = words.split(": ");
  const cluster = several && pool.hostedCluster !== undefined && html`<span class="soft">${pool.hostedCluster}</span> `;
  return html`<section id="${page}" aria-labelledby="${page}h">
    <div class="head">
      <h2 id="${page}h">${cluster}${pool.name}</h2>
      ${mark(tone, verdict)} <span>${rest.join(": ")}</span> <span class="code soft">${placeText(pool)}</span>
    </div>
    ${reasons(pool)}
    <dl>
      ${factsOf(pool).map(
        ([name, text]) =>
          html`<dt>${name}</dt>
            <dd>${text}</dd>`,
      )}
    </dl>
    ${beyond(pool)}${knowsTypes(pool) ? picture !== undefined && pictures(pool, picture, drawings, page) : html`<p class="soft">${unknownTypes(pool)}</p>`}
  </section> `;
}

/** As text: `It asks for at least 3 instance families (minValues of …), and 2 are left`. */
export function reasonsOf({ verdict, minValuesMissed, noNodes }: DescribedPool): string[] {
  if (verdict !== "unsatisfiable") return [];
  return [...minValuesMissed.map((one) => `It ${missedWords(one)}`), ...noNodes];
}

function reasons(pool: DescribedPool): Markup | undefined {
  if (pool.verdict !== "unsatisfiable") return undefined;
  const { conflict } = pool;
  const head = conflictHead(pool, conflict.length);
  return html`<div class="why">
    ${reasonsOf(pool).map((words) => html`<p>${words}</p>`)}${
      conflict.length > 0 &&
      html`<p>${head}</p>
        <ul>
          ${conflict.map(
            (demand) =>
              html`<li>
                <span class="who who-${demand.from}">${WHO[demand.from]}</span>
                <code>${demand.key} ${demandWords(demand)}</code> <span class="soft">${placeText(demand)}</span>
              </li>`,
          )}
        </ul>`
    }
  </div>`;
}

/** What a raw pool admits beyond the policy that it is compared with. */
function beyond({ underPolicy }: DescribedPool): Markup | undefined {
  if (underPolicy === undefined || underPolicy.beyond.length === 0) return undefined;
  return html`<h3>Admits what the policy does not</h3>
    <ul>
      ${underPolicy.beyond.map(
        ({ key, policy, user }) =>
          html`<li>
            <code>${key}</code>
            <ul>
              ${[...policy, ...user].map(
                (demand) =>
                  html`<li>
                    <span class="who who-${demand.from}">${WHO[demand.from]}</span> <code>${demandWords(demand)}</code>
                    <span class="soft">${placeText(demand)}</span>
                  </li>`,
              )}
            </ul>
          </li>`,
      )}
    </ul>`;
}

function pictures(pool: DescribedPool, picture: PoolPicture, drawings: Drawings, page: string): Markup | undefined {
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
