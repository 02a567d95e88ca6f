/** The legend of a picture: its colours and patterns, with counts. */
import { html, type Markup } from "./markup.ts";

export interface LegendEntry {
  /** The class of the style sheet that fills the sign. */
  readonly look: string;
  readonly words: string;
  /** Whether the sign is a dot. */
  readonly isDot?: boolean;
}

export function legend(entries: readonly LegendEntry[]): Markup {
  return html`<ul class="legend">
    ${entries.map(
      ({ look, words, isDot }) =>
        html`<li>
          <svg viewBox="0 0 14 14" aria-hidden="true" focusable="false">
            ${isDot === true ? html`<path class="dots ${look}" d="M7 7h0" />` : html`<rect class="${look}" width="14" height="14" />`}</svg
          >${words}
        </li>`,
    )}
  </ul>`;
}
