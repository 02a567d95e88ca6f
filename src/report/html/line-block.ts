/** Lines of a file or of an answer, each right below the one before. */
import { html, type Markup } from "./markup.ts";

interface BlockLine {
  readonly text: string;
  /** A class of its own. */
  readonly look?: string | undefined;
}

/** @param label for those who do not see it */
export function lineBlock(lines: readonly BlockLine[], label?: string): Markup {
  const role = label !== undefined && html` role="group" aria-label="${label}"`;
  // Each is a block: a space between two would be a line of its own.
  const spans = lines.map(({ text, look }) =>
    look === undefined ? html`<span>${text}</span>` : html`<span class="${look}">${text}</span>`,
  );
  return html`<pre class="lines" ${role}>${spans}</pre>`;
}
