/** The frame of a page: one file that loads no resources, with a strict security policy. */
import { version } from "../../version.ts";
import type { Drawings } from "./drawings.ts";
import { html, jsonText, Markup } from "./markup.ts";
import { SCRIPT } from "./script.ts";
import { STYLE } from "./style.ts";

export interface PageParts {
  readonly title: string;
  /** The subject, below the title. */
  readonly about: string;
  /** Counts at the top. */
  readonly tally: readonly (readonly [count: number | string, words: string])[];
  readonly drawings: Drawings;
  readonly parts: readonly (Markup | undefined | false)[];
  /** The sources of the numbers. */
  readonly sources: readonly string[];
  /** Data for the page's script, besides that of drawings. */
  readonly data?: object;
}

/** The same bytes for the same parts. */
export async function pageOf({ title, about, tally, drawings, parts, sources, data = {} }: PageParts): Promise<string> {
  const policy = [
    "default-src 'none'",
    `style-src '${await hashOf(STYLE)}'`,
    `script-src '${await hashOf(SCRIPT)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const facts = elementOf(
    'script type="application/json" id="data"',
    jsonText({ ...(drawings.data as object), ...data }).text,
  );
  // Our own script and style, unescaped: their hashes are in the policy.
  const [style, script] = [elementOf("style", STYLE), elementOf("script", SCRIPT)];
  const hasMaps = drawings.tables.some(({ types }) => types.length > 0);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <meta name="generator" content="anp ${version}" />
        <title>${title}</title>
        ${style}
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        <header>
          <h1>${title}</h1>
          <p class="soft">${about}</p>
          <ul class="tally">
            ${tally.map(([count, words]) => html`<li><b>${count}</b>${words}</li>`)}
          </ul>
          ${hasMaps && MEASURE_CHOICE}
        </header>
        <main id="main">${drawings.shared} ${parts}</main>
        <footer><p>${sources.map((line) => html`${line}<br />`)}Made by anp ${version}.</p></footer>
        ${facts} ${script}
      </body>
    </html> `.text;
}

const MEASURE_CHOICE = html`<div class="tools">
  <fieldset>
    <legend>Areas of instance types stand for</legend>
    <label><input type="radio" name="by" id="by-vcpu" checked /> vCPUs</label
    ><label><input type="radio" name="by" id="by-price" /> price an hour</label>
  </fieldset>
</div>`;

function elementOf(tag: string, text: string): Markup {
  return new Markup(`<${tag}>${text}</${tag.split(" ", 1)[0]!}>`);
}

async function hashOf(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return `sha256-${btoa(String.fromCharCode(...bytes))}`;
}
