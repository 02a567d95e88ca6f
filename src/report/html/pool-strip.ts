/** All pools, a row each: verdict, types left as a bar, capacity, zones and lowest price. */
import type { DescribedPool } from "../../analyze/explain/pool-answer.ts";
import { placeText } from "../../krm/places/location.ts";
import { priceFrom } from "../explain/price-facts.ts";
import { capacityTypes } from "../explain/pool-facts.ts";
import { stateOf, verdictOfPool } from "../explain/verdict-words.ts";
import { knowsTypes } from "../explain/explain-blocks.ts";
import { bar, mark } from "./bar.ts";
import { html, type Markup } from "./markup.ts";
import { scrollTable } from "./scroll-table.ts";

interface StripLook {
  /** Whether the names of clusters are shown. */
  readonly several: boolean;
  /** Where the details of a pool are: in a part of the page, or drawn by the script on demand. */
  readonly opens: "part" | "button";
}

export function poolStrip(pools: readonly DescribedPool[], { several, opens }: StripLook): Markup {
  const rows = pools.map((pool, at) => {
    const { total, compatible } = pool.instanceTypes;
    const { tone = "" } = verdictOfPool(pool);
    const name =
      opens === "part"
        ? html`<a href="#p${at}">${pool.name}</a>`
        : html`<button type="button" data-open="${at}">${pool.name}</button>`;
    const types = knowsTypes(pool)
      ? html`${compatible} <span class="soft">of ${total}</span>`
      : html`<span class="soft">not known</span>`;
    const state = stateOf(pool);
    return html`<tr data-verdict="${state}">
      <th scope="row">${name}</th>
      ${several && html`<td data-of="cluster">${pool.hostedCluster ?? ""}</td>`}
      <td>${mark(tone, state)}</td>
      <td class="n" data-of="types left">${types}</td>
      <td class="w">${bar(compatible / Math.max(1, total))}</td>
      <td data-of="capacity">${capacityTypes(pool.requirements)}</td>
      <td class="n" data-of="zones">${zonesOf(pool)}</td>
      <td class="n" data-of="price from">${priceFrom(pool) ?? "–"}</td>
      <td class="soft" data-of="at">${placeText(pool)}</td>
    </tr> `;
  });
  return scrollTable({
    label: "All pools",
    look: "stack",
    id: "strip",
    heads: [
      "pool",
      several && "cluster",
      "verdict",
      { figures: "types left" },
      undefined,
      "capacity",
      { figures: "zones" },
      { figures: "price from" },
      "where",
    ],
    rows,
  });
}

function zonesOf({ zones: { allowed, excluded } }: DescribedPool): string {
  const all = allowed.length + excluded.length;
  return all === 0 ? "" : `${allowed.length} of ${all}`;
}
