/** Blocks as Markdown for a comment on GitHub, within its limit. */
import { asManyAsFit, fenced, markdownCode, markdownText, textInHtml } from "../terminal/markdown-text.ts";
import { withoutCommands } from "../terminal/printable.ts";
import {
  type Block,
  blocksOf,
  byRank,
  type Code,
  columnsOf,
  type Heading,
  headingText,
  type Section,
  spansOf,
  type Table,
  valuesOf,
  verdictText,
  type Words,
} from "./blocks.ts";

/** GitHub refuses a comment of more than 65,536 characters. */
const MAX_LENGTH = 60_000;

/** @param complete the command whose answer has what does not fit */
export function blocksMarkdown(blocks: readonly Block[], complete: string): string {
  return withoutCommands(`${markdownOf(blocks, MAX_LENGTH, complete)}\n`);
}

/** Folded sections take the room that the other blocks leave. */
function markdownOf(blocks: readonly Block[], room: number, complete: string): string {
  const shown = blocksOf(blocks, "markdown");
  const folded = shown.filter(isFolded);
  const texts = shown.flatMap((block) => (isFolded(block) ? [] : textsOf(block, room, complete)));
  const left = room - texts.reduce((sum, text) => sum + text.length + 2, 0);
  const details = byRank(folded).flatMap((section) => detailsOf(section, complete));
  const { fitting, more } = whatFits(details, left, complete);
  return [...texts, ...fitting, ...more].join("\n\n");
}

function isFolded(block: Block): block is Section {
  return block.kind === "section" && block.folded === true;
}

function textsOf(block: Block, room: number, complete: string): string[] {
  switch (block.kind) {
    case "heading":
      return [headingOf(block)];
    case "paragraph":
      return [wordsOf(block.words)];
    case "facts":
      return [
        valuesOf(block)
          .map(([name, values]) => `- ${markdownText(name.text)}: ${values.map(wordsOf).join(", ")}`)
          .join("\n"),
      ];
    case "list":
      return [block.items.map((words) => `- ${wordsOf(words)}`).join("\n")];
    case "table":
      return tableOf(block, room / 2, complete);
    case "code":
      return codeOf(block);
    case "bar":
      return [wordsOf(block.words)];
    case "section":
      return [headingOf(block.heading), markdownOf(block.blocks, room, complete)];
    case "picture":
    case "entries":
    case "gap":
      return [];
  }
}

function headingOf(heading: Heading): string {
  const { place = "" } = heading;
  return `**${markdownText(headingText(heading))}**${place === "" ? "" : ` ${markdownCode(place)}`}`;
}

function wordsOf(words: Words): string {
  return spansOf(words)
    .map(({ text, code = false, tone }) => {
      const written = code ? markdownCode(text) : markdownText(text);
      return tone === "strong" && written !== "" ? `**${written}**` : written;
    })
    .join("");
}

/** The highest rank comes first, because the last rows may not fit. */
function tableOf(table: Table, room: number, complete: string): string[] {
  if (table.rows.length === 0) return [];
  const columns = columnsOf(table, "markdown");
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const heads = columns.map(({ column: { head = "" } }) => head);
  const rules = columns.map(({ column: { right = false } }) => (right ? "---:" : "---"));
  const rows = byRank(table.rows).map(({ cells }) => line(columns.map(({ at }) => wordsOf(cells[at] ?? ""))));
  const { fitting, more } = whatFits(rows, room, complete);
  return [[line(heads), line(rules), ...fitting].join("\n"), ...more];
}

function whatFits(parts: readonly string[], room: number, complete: string) {
  const fitting = asManyAsFit(parts, room, (text) => text);
  const left = parts.length - fitting.length;
  return { fitting, more: left === 0 ? [] : [`… and ${left} more than fit a comment (\`${complete}\` has all)`] };
}

function codeOf({ lines, caption, language }: Code): string[] {
  if (lines.length === 0) return caption === undefined ? [] : [markdownText(caption)];
  const written = lines.map(({ text, mark, note = "" }) => {
    const line = mark === undefined ? text : `${mark} ${text}`;
    return note === "" ? line : `${line}  # ${note}`;
  });
  return [...(caption === undefined ? [] : [`${markdownText(caption)}:`]), fenced(language, written)];
}

function detailsOf({ heading, blocks }: Section, complete: string): string[] {
  const body = markdownOf(blocks, MAX_LENGTH, complete);
  if (body === "") return [];
  const { sign, verdict, place = "" } = heading;
  const name = markdownCode(headingText({ ...heading, verdict: undefined }));
  const words = [verdict === undefined ? "" : verdictText(verdict), place].filter((part) => part !== "");
  const summary = [...(sign === undefined ? [] : [sign.text]), name, ...words.map(textInHtml)].join(" ");
  return [`<details><summary>${summary}</summary>\n\n${body}\n\n</details>`];
}
