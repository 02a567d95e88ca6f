/** A table that scrolls within a page of any width, by the keyboard as well. */
import { html, type Markup } from "./markup.ts";

/** A column of figures, which are compared by their last digits. */
interface FigureHead {
  readonly figures: string;
}

interface ScrollTable {
  /** For those who do not see it. */
  readonly label: string;
  /** `stack` puts the cells of a row under each other where it is narrow. */
  readonly look?: "stack" | "matrix" | undefined;
  readonly id?: string;
  /** Undefined over a column that needs no words; false for one that is not there. */
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
