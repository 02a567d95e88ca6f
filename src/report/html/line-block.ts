/** Lines of a file or an answer as a block of code. */
import { html, type Markup } from "./markup.ts";

interface BlockLine {
  readonly text: string;
  /** The class of the line. */
  readonly look?: string | undefined;
}

/** @param label for screen readers */
export function lineBlock(lines: readonly BlockLine[], label?: string): Markup {
  const role = label !== undefined && html` role="group" aria-label="${label}"`;
  // Each span is a block: a space between two would be an empty line.
  const spans = lines.map(({ text, look }) =>
    look === undefined ? html`<span>${text}</span>` : html`<span class="${look}">${text}</span>`,
  );
  return html`<pre class="lines" ${role}>${spans}</pre>`;
}
