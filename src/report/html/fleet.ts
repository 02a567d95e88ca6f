/** Pictures of many pools at once, and the data that the page draws an opened pool from. */
import type { DescribedPool } from "../../analyze/explain/pool-answer.ts";
import { whyNoNodes } from "../../analyze/explain/why-no-nodes.ts";
import { demandWords } from "../explain/verdict-words.ts";
import type { ExplainedPictures, FunnelStep } from "../../analyze/pictures/explained-pictures.ts";
import { placeText } from "../../krm/places/location.ts";
import { counted } from "../../krm/values/counted.ts";
import { type Kind, mapPicture } from "./draw-map.ts";
import { type Drawings, runsOf } from "./drawings.ts";
import { legend } from "./legend.ts";
import { html, type Markup } from "./markup.ts";
import { typesTable } from "./types-table.ts";

const HEAT: readonly Kind[] = ["heat-0", "heat-1", "heat-2", "heat-3", "heat-4"];
const SAYS = ["no pool", "up to a quarter of the pools", "up to half", "up to three quarters", "more"];

/** For each table: how many pools have each type left. */
export function fleetSection({ tables, pools }: ExplainedPictures, drawings: Drawings): Markup {
  return html`${tables.map((table, at) => {
    const own = pools.filter((pool) => pool.table === at);
    const counts = table.types.map(() => 0);
    // Pools of one policy have the same result for each type.
    for (const [fate, { length }] of Map.groupBy(own, (pool) => pool.fate))
      for (const [type, one] of fate.entries()) if (one === 0) counts[type]! += length;
    const heat = counts.map((count) => (count === 0 ? 0 : Math.min(4, Math.ceil((4 * count) / own.length))));
    const page = `fleet${at}`;
    const drawn = drawings.draw({ table: at, fates: heat, kinds: HEAT }, page);
    const set = drawings.describe(
      at,
      counts,
      Array.from({ length: own.length + 1 }, (_, count) => `left to ${counted(count, "pool")}`),
    );
    const any = counts.filter((count) => count > 0).length;
    const entries = HEAT.map((look, level) => ({
      look,
      words: `${SAYS[level]!} (${heat.filter((one) => one === level).length})`,
    }));
    return html`<section aria-labelledby="${page}h">
      <h2 id="${page}h">Which instance types ${counted(own.length, "pool")} may launch</h2>
      <figure>
        <figcaption>${any} of ${table.types.length} types are left to some pool</figcaption>
        ${mapPicture({ id: drawn.id, table: at, page, set }, { title: "Instance types by how many pools may launch them", description: entries.map(({ words }) => words).join(", ") })}
        ${legend(entries)}
        <p class="detail" id="${page}detail" aria-live="polite"></p>
      </figure>
      ${typesTable(table, (type) => counts[type]! > 0, { caption: `${any} types that some pool may launch` })}
    </section> `;
  })}`;
}

/** The data of each pool for the script: shared steps and results once, and the pool's references to them. */
export function fleetData(pools: readonly DescribedPool[], pictures: ExplainedPictures): object {
  const steps: unknown[] = [];
  const stepAt = new Map<string, number>();
  const place = (step: FunnelStep): number => {
    const { from, key } = step;
    const row = [from, `${key} ${demandWords(step)}`, placeText(step)];
    const identity = row.join("\n");
    const known = stepAt.get(identity) ?? steps.push(row) - 1;
    stepAt.set(identity, known);
    return known;
  };
  const fates: unknown[] = [];
  const fateAt = new Map<Uint16Array, number>();
  const fatePlace = (fate: Uint16Array): number => {
    const known = fateAt.get(fate) ?? fates.push(runsOf(fate.length, (type) => fate[type]!)) - 1;
    fateAt.set(fate, known);
    return known;
  };
  const rows = pictures.pools.map((picture, at) => [
    picture.table ?? null,
    picture.table === undefined ? null : fatePlace(picture.fate),
    picture.steps.map(place),
    picture.steps.map(({ left }) => left),
    picture.isSpot,
    pools[at]!.verdict === "unsatisfiable" ? whyNoNodes(pools[at]!) : "",
  ]);
  return { pools: rows, steps, fates };
}
