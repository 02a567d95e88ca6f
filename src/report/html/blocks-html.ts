/** Blocks as parts of a page. */
import {
  type Bar,
  type Block,
  blocksOf,
  type Code,
  columnsOf,
  type Entries,
  type Facts,
  type Heading,
  type List,
  type Paragraph,
  type Section,
  type Span,
  spansOf,
  type Table,
  textOf,
  type Tone,
  valuesOf,
  WHO,
  type Words,
} from "../blocks/blocks.ts";
import { bar, mark } from "./bar.ts";
import { html, type Markup } from "./markup.ts";
import { scrollTable } from "./scroll-table.ts";

/** Drawings by their ids; a picture without a drawing is left out. */
type Pictures = ReadonlyMap<string, Markup | undefined>;

/** The parts of a page: sections, and what is between them as sections without a name. */
export function pageParts(blocks: readonly Block[], pictures: Pictures = new Map()): Markup[] {
  const runs: Block[][] = [];
  for (const block of blocksOf(blocks, "html")) {
    const last = runs.at(-1);
    if (block.kind === "section" || last === undefined || last[0]?.kind === "section") runs.push([block]);
    else last.push(block);
  }
  return runs.map((run) => {
    const parts = blocksHtml(run, pictures);
    return run[0]?.kind === "section" ? parts : html`<section>${parts}</section> `;
  });
}

function blocksHtml(blocks: readonly Block[], pictures: Pictures): Markup {
  return html`${blocksOf(blocks, "html").map((block) => blockHtml(block, pictures))}`;
}

function blockHtml(block: Block, pictures: Pictures): Markup | undefined {
  switch (block.kind) {
    case "heading":
      return headingHtml(block);
    case "paragraph":
      return paragraphHtml(block);
    case "facts":
      return factsHtml(block);
    case "list":
      return listHtml(block);
    case "entries":
      return entriesHtml(block);
    case "table":
      return tableHtml(block);
    case "code":
      return codeHtml(block);
    case "bar":
      return barHtml(block);
    case "picture":
      return pictures.get(block.id);
    case "gap":
      return undefined;
    case "section":
      return sectionHtml(block, pictures);
  }
}

function sectionHtml({ id, heading, blocks }: Section, pictures: Pictures): Markup {
  return html`<section id="${id}" aria-labelledby="${id}h">
    ${headingHtml(heading, `${id}h`)}${blocksHtml(blocks, pictures)}
  </section> `;
}

/** @param id of the heading of a section; undefined for one within a section */
function headingHtml({ sign, hostedCluster, name, about, verdict, place = "" }: Heading, id?: string): Markup {
  const cluster = hostedCluster !== undefined && html`<span class="soft">${hostedCluster}</span> `;
  const says =
    verdict !== undefined &&
    html` ${mark(verdict.tone ?? "", verdict.words)} ${verdict.more !== undefined && html`<span>${verdict.more}</span>`}`;
  const does = sign !== undefined && html` <span>${sign.word}</span>`;
  const where = place !== "" && html` <span class="code soft">${place}</span>`;
  const behind = about !== undefined && html` <span class="soft">${about}</span>`;
  const title =
    id === undefined ? html`<h3>${cluster}${name}${behind}</h3>` : html`<h2 id="${id}">${cluster}${name}${behind}</h2>`;
  const isPlain = sign === undefined && verdict === undefined && place === "";
  return isPlain ? title : html`<div class="head">${title}${does}${says}${where}</div> `;
}

const TEXT_LOOKS: Readonly<Partial<Record<Tone, string>>> = { faint: "soft", error: "t-bad", warning: "t-warn" };

function paragraphHtml({ words, tone, aside }: Paragraph): Markup {
  const look = tone === undefined ? undefined : TEXT_LOOKS[tone];
  const behind = aside !== undefined && html` <span class="soft">${aside}</span>`;
  return html`<p${look !== undefined && html` class="${look}"`}>${wordsHtml(words)}${behind}</p> `;
}

function wordsHtml(words: Words): Markup {
  return html`${spansOf(words).map(spanHtml)}`;
}

function spanHtml({ text, tone, code = false, link }: Span): Markup {
  const written = code ? html`<code>${text}</code>` : html`${text}`;
  if (link !== undefined) return html`<a href="#${link}">${written}</a>`;
  switch (tone) {
    case undefined:
      return written;
    case "faint":
      return html`<span class="soft">${written}</span>`;
    case "strong":
      return html`<b>${written}</b>`;
    default:
      return mark(tone, text);
  }
}

function factsHtml(facts: Facts): Markup {
  return html`<dl>
    ${valuesOf(facts).map(
      ([name, values]) =>
        html`<dt>${wordsHtml([name])}</dt>
          ${values.map((words) => html`<dd>${wordsHtml(words)}</dd>`)}`,
    )}
  </dl> `;
}

function listHtml({ items, inline = false }: List): Markup | undefined {
  if (items.length === 0) return undefined;
  if (inline) return html`<p>${items.map((words) => html`${wordsHtml(words)} `)}</p> `;
  return html`<ul>
    ${items.map((words) => html`<li>${wordsHtml(words)}</li>`)}
  </ul> `;
}

function entriesHtml({ groups }: Entries): Markup {
  return html`${groups.map(
    ({ head, rows }) =>
      html`<p>${wordsHtml(head)}</p>
        <ul>
          ${rows.map(
            ({ who, requirement, place, effect, note }) =>
              html`<li>
                <span class="who who-${who}">${WHO[who]}</span> <code>${requirement}</code>
                <span class="soft">${place ?? ""}</span> ${effect ?? ""}
                ${note !== undefined && html`<br /><span class="soft">${note}</span>`}
              </li>`,
          )}
        </ul> `,
  )}`;
}

function tableHtml(table: Table): Markup | undefined {
  if (table.rows.length === 0) return undefined;
  const columns = columnsOf(table, "html");
  return scrollTable({
    label: table.label,
    look: "stack",
    ...(table.id === undefined ? {} : { id: table.id }),
    heads: columns.map(({ column: { head, right } }) =>
      head !== undefined && right === true ? { figures: head } : head,
    ),
    rows: table.rows.map(
      ({ cells }) =>
        html`<tr>
          ${columns.map(({ column: { head = "", right }, at }, index) => {
            const words = wordsHtml(cells[at] ?? "");
            if (index === 0) return html`<th scope="row">${words}</th> `;
            const of = textOf(cells[at] ?? "") !== "" && head !== "" && html` data-of="${head}"`;
            return html`<td${right === true && html` class="n"`}${of}>${words}</td> `;
          })}
        </tr> `,
    ),
  });
}

const LOOKS = { " ": undefined, "+": "add", "-": "del" } as const;

function codeHtml({ lines, caption, language }: Code): Markup | undefined {
  if (lines.length === 0) return undefined;
  const written = lines.map(({ text, mark: sign, note = "" }) => ({
    text: `${sign === undefined ? "" : `${sign} `}${text}${note === "" ? "" : `  # ${note}`}`,
    look: LOOKS[sign ?? " "],
  }));
  return html`<details>
    <summary>${caption ?? (language === "diff" ? "What changes, as YAML" : "As YAML")}</summary>
    ${lineBlock(written)}
  </details> `;
}

function barHtml({ share, words }: Bar): Markup {
  return html`<p>${wordsHtml(words)}</p>
    ${bar(share)}`;
}

interface BlockLine {
  readonly text: string;
  /** The class of the line. */
  readonly look?: string | undefined;
}

/** @param label for screen readers */
function lineBlock(lines: readonly BlockLine[], label?: string): Markup {
  const role = label !== undefined && html` role="group" aria-label="${label}"`;
  // Each span is a block: a space between two would be an empty line.
  const spans = lines.map(({ text, look }) =>
    look === undefined ? html`<span>${text}</span>` : html`<span class="${look}">${text}</span>`,
  );
  return html`<pre class="lines" ${role}>${spans}</pre>`;
}
