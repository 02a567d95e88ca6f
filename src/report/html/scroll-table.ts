/** A table that scrolls within a page of any width, also by the keyboard. */
import { html, type Markup } from "./markup.ts";

/** A column of numbers, aligned to the right. */
interface FigureHead {
  readonly figures: string;
}

interface ScrollTable {
  /** For screen readers. */
  readonly label: string;
  /** `stack` puts the cells of a row below each other on narrow screens. */
  readonly look?: "stack" | "matrix" | undefined;
  readonly id?: string;
  /** Undefined over a column without a head; false for a column that is left out. */
  readonly heads: readonly (string | FigureHead | undefined | false)[];
  readonly rows: Markup | readonly Markup[];
}

export function scrollTable({ label, look, id, heads, rows }: ScrollTable): Markup {
  const className = look !== undefined && html` class="${look}"`;
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${label}">
    <table${className}${id !== undefined && html` id="${id}"`}>
      <thead>
        <tr>
          ${heads.filter((head) => head !== false).map(headCell)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

function headCell(head: string | FigureHead | undefined): Markup {
  if (head === undefined) return html`<td></td> `;
  if (typeof head === "string") return html`<th scope="col">${head}</th> `;
  return html`<th scope="col" class="n">${head.figures}</th> `;
}
