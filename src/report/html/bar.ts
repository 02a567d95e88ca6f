/** A share as a bar; any share above 0 is visible. */
import { html, type Markup } from "./markup.ts";

/** Hidden from screen readers, because the number is beside it. @param was a lighter bar behind it */
export function bar(share: number, was?: number): Markup {
  const width = (part: number): string =>
    `${part <= 0 ? 0 : Math.max(0.6, Math.min(100, Math.round(part * 1000) / 10))}%`;
  return html`<svg class="bar" aria-hidden="true" focusable="false">
    ${was !== undefined && html`<rect class="was" width="${width(was)}" height="100%" />`}
    <rect width="${width(share)}" height="100%" />
  </svg>`;
}

const SIGNS = { good: "✓", info: "i", warning: "!", error: "✗" } as const;
const CLASSES = { good: "t-good", info: "t-info", warning: "t-warn", error: "t-bad" } as const;

type Tone = keyof typeof SIGNS;

/** A word with a sign and a colour, so that neither is the only signal. */
export function mark(tone: string, word: string): Markup {
  const known = tone in SIGNS ? (tone as Tone) : undefined;
  if (known === undefined) return html`<span class="mark">${word}</span>`;
  return html`<span class="mark ${CLASSES[known]}"><span aria-hidden="true">${SIGNS[known]} </span>${word}</span>`;
}
