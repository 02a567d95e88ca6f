/** The types of a picture as a table: families with counts, sizes and prices. */
import type { PictureType, TypeTable } from "../../analyze/pictures/type-table.ts";
import { moneyWords } from "../../model/values/money.ts";
import { priceOf } from "./draw-scatter.ts";
import { html, type Markup } from "./markup.ts";
import { scrollTable } from "./scroll-table.ts";

/** A row for each family. @param isMeant which types are counted */
export function typesTable(
  table: TypeTable,
  isMeant: (type: number) => boolean,
  { caption, isSpot = false }: { readonly caption: string; readonly isSpot?: boolean },
): Markup {
  const families = Map.groupBy(table.types.entries(), ([, { family }]) => family);
  const unit = table.prices ?? "";
  const rows = [...families].flatMap(([family, all]): Markup[] => {
    const meant = all.filter(([type]) => isMeant(type)).map(([, type]) => type);
    if (meant.length === 0) return [];
    const prices = meant.flatMap((type) => priceOf(type, isSpot) ?? []);
    const money = (amount: number): string => moneyWords(amount, unit);
    const figures = meant.map(({ vcpus }) => vcpus);
    return [
      html`<tr>
        <th scope="row">${family}</th>
        <td class="n" data-of="types">${meant.length} of ${all.length}</td>
        <td class="n" data-of="vCPUs">${range(figures, String)}</td>
        <td class="n" data-of="an hour">${prices.length === 0 ? "–" : range(prices, money)}</td>
        <td>${sizesOf(meant, family)}</td>
      </tr> `,
    ];
  });
  if (rows.length === 0) return html`<p class="soft">${caption}: none</p>`;
  return html`<details>
    <summary>${caption}, as a table</summary>
    ${scrollTable({
      label: caption,
      look: "stack",
      heads: ["family", { figures: "types" }, { figures: "vCPUs" }, { figures: "price an hour" }, "sizes"],
      rows,
    })}
  </details>`;
}

function range(figures: readonly number[], words: (figure: number) => string): string {
  const [least, most] = [Math.min(...figures), Math.max(...figures)];
  return least === most ? words(least) : `${words(least)} – ${words(most)}`;
}

function sizesOf(types: readonly PictureType[], family: string): string {
  return types
    .toSorted((a, b) => a.vcpus - b.vcpus || (a.name < b.name ? -1 : 1))
    .map(({ name }) => (name.startsWith(`${family}.`) ? name.slice(family.length + 1) : name))
    .join(" ");
}
