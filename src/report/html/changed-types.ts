/** The types that a change gains and loses: as a treemap, by price, and as text. */
import { type ChangePicture, FATES } from "../../analyze/pictures/diff-pictures.ts";
import { counted } from "../../krm/values/counted.ts";
import { placeOfPrices } from "../../model/values/money.ts";
import { mapPicture } from "./draw-map.ts";
import { scatterPicture } from "./draw-scatter.ts";
import type { Drawings } from "./drawings.ts";
import { legend } from "./legend.ts";
import { html, type Markup } from "./markup.ts";
import { typesTable } from "./types-table.ts";

const WORDS = { kept: "as before", gained: "gained", lost: "lost", never: "on neither side" } as const;

/** @param page the id of the part */
export function changedTypes(
  { table: at, fate }: NonNullable<ChangePicture["types"]>,
  name: string,
  { drawings, page }: { readonly drawings: Drawings; readonly page: string },
): Markup | undefined {
  const table = drawings.tables[at]!;
  if (table.types.length === 0) return undefined;
  const drawn = drawings.draw(
    { table: at, fates: fate, kinds: FATES, dots: { kept: "kept", gained: "gained", lost: "lost" } },
    page,
  );
  const set = drawings.describe(
    at,
    fate,
    FATES.map((one) => WORDS[one]),
  );
  const count = (one: number): number => fate.filter((other) => other === one).length;
  const entries = FATES.map((one, index) => ({ look: `k-${one}`, words: `${WORDS[one]} (${count(index)})` }));
  const about = entries.map(({ words }) => words).join(", ");
  const { prices } = table;
  return html`<div class="two">
      <figure>
        <figcaption>Instance types: ${count(1)} gained, ${count(2)} lost</figcaption>
        ${mapPicture({ id: drawn.id, table: at, page: `${page}m`, set }, { title: `Instance types of ${name}: gained and lost`, description: about })}
        ${legend(entries)}
        <p class="detail" id="${page}mdetail" aria-live="polite"></p>
      </figure>
      <figure>
        <figcaption>Price an hour against vCPUs</figcaption>
        ${
          prices === null
            ? html`<p class="soft">No prices are known.</p>`
            : html`${scatterPicture({ id: `${drawn.id}s`, table: at, page: `${page}s` }, { title: `Price an hour against vCPUs of ${name}: gained and lost`, description: about })}
                ${legend((["kept", "gained", "lost"] as const).map((one) => ({ look: `d-${one}`, words: WORDS[one], isDot: true })))}
                <p class="soft">
                  on demand (${placeOfPrices({ region: prices.region ?? undefined, date: prices.date })})
                </p>`
        }
      </figure>
    </div>
    ${count(1) > 0 && typesTable(table, (type) => fate[type] === 1, { caption: `${counted(count(1), "type")} gained` })}${count(2) > 0 && typesTable(table, (type) => fate[type] === 2, { caption: `${counted(count(2), "type")} lost` })}`;
}
