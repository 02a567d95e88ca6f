/** The funnel from all instance types to those left: a row per entry, with author and place. */
import { WHO } from "../blocks/blocks.ts";
import { demandWords } from "../explain/demand-words.ts";
import type { PoolPicture } from "../../analyze/pictures/explained-pictures.ts";
import { placeText } from "../../krm/places/location.ts";
import { bar } from "./bar.ts";
import { html, type Markup } from "./markup.ts";

/** @param total the number of all types @param page the id of this table */
export function funnel({ steps }: Pick<PoolPicture, "steps">, total: number, page: string): Markup {
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
