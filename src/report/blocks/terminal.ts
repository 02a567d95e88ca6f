/** Blocks as lines of a terminal, wrapped to its width. */
import { printable, withoutCommands } from "../terminal/printable.ts";
import { shareBar } from "../terminal/share-bar.ts";
import type { Style } from "../terminal/style.ts";
import { layOutTable } from "../terminal/table.ts";
import { padTo, textWidth, widestOf } from "../terminal/text-width.ts";
import { hanging, indented, NARROWEST, wrapText, wrapWords } from "../terminal/wrap.ts";
import {
  type Bar,
  type Block,
  blocksOf,
  type Code,
  type CodeLine,
  columnsOf,
  type Facts,
  type Heading,
  type List,
  type Look,
  type Section,
  spansOf,
  type Table,
  textOf,
  type Tone,
  valuesOf,
  verdictText,
  type Words,
} from "./blocks.ts";

/** Empty without lines. */
export function terminalText(blocks: readonly Block[], look: Look): string {
  const lines = terminalLines(blocks, look);
  return withoutCommands(lines.map((line) => `${line}\n`).join(""));
}

/** An empty line is before and after each section. */
function terminalLines(blocks: readonly Block[], look: Look): string[] {
  const shown = blocksOf(blocks, "terminal");
  return shown.flatMap((block, at) => {
    const isApart = at > 0 && (block.kind === "section" || shown[at - 1]!.kind === "section");
    return isApart ? ["", ...linesOf(block, look)] : linesOf(block, look);
  });
}

function linesOf(block: Block, look: Look): readonly string[] {
  switch (block.kind) {
    case "heading":
      return headingLines(block, look);
    case "paragraph":
      return wordLines(block.words, block.oneLine === true ? { ...look, width: Infinity } : look, block);
    case "facts":
      return factLines(block, look);
    case "list":
      return listLines(block, look);
    case "table":
      return tableLines(block, look);
    case "code":
      return codeLines(block, look);
    case "bar":
      return barLines(block, look);
    case "picture":
      return block.terminal?.(look) ?? [];
    case "gap":
      return [""];
    case "section":
      return sectionLines(block, look);
  }
}

function sectionLines({ heading, blocks }: Section, look: Look): string[] {
  return [...headingLines(heading, look), ...terminalLines(blocks, look)];
}

/** A verdict that does not fit is below the name. */
function headingLines(
  { sign, hostedCluster = "", name, verdict, place = "", indent = 0 }: Heading,
  { style, width }: Look,
): string[] {
  const pieces = [
    { text: sign?.text ?? "", paint: paintOf(sign?.tone, style) },
    { text: printable(hostedCluster), paint: style.faint },
    { text: printable(name), paint: style.strong },
  ].filter(({ text }) => text !== "");
  const text = pieces.map((piece) => piece.text).join(" ");
  const start = " ".repeat(indent) + pieces.map((piece) => piece.paint(piece.text)).join(" ");
  const end = place === "" ? "" : `  ${printable(place)}`;
  const paintedEnd = end === "" ? "" : style.faint(end);
  if (verdict === undefined) return [`${start}${paintedEnd}`];
  const paint = paintOf(verdict.tone, style);
  const words = printable(verdictText(verdict));
  if (indent + textWidth(`${text}  ${words}${end}`) <= width) return [`${start}  ${paint(words)}${paintedEnd}`];
  const { words: first, more = "" } = verdict;
  const room = Math.max(width - indent - 4, 20);
  const below = [first, more].filter((part) => part !== "").flatMap((part) => wrapText(printable(part), room));
  return [`${start}${paintedEnd}`, ...indented(below.map(paint), indent + 4)];
}

function paintOf(tone: Tone | undefined, style: Style): (text: string) => string {
  return tone === undefined ? String : style[tone];
}

/** Wraps and colours; the indent of the first line is for a label. */
function wordLines(
  words: Words,
  { style, width }: Look,
  { indent = 0, tone, label }: { readonly indent?: number; readonly tone?: Tone | undefined; readonly label?: string },
): string[] {
  const spans = spansOf(words).map((span) => ({
    text: printable(span.text),
    paint: paintOf(span.tone ?? tone, style),
  }));
  const text = spans.map((span) => span.text).join("");
  // A line of the text ends where a blank was, so positions in the text are known.
  let at = 0;
  const lines = wrapText(text, width - indent).map((line) => {
    const from = at;
    at += line.length + 1;
    return paintedPart(spans, from, from + line.length);
  });
  return hanging(lines, label ?? " ".repeat(indent), indent);
}

interface PaintedSpan {
  readonly text: string;
  readonly paint: (text: string) => string;
}

function paintedPart(spans: readonly PaintedSpan[], from: number, to: number): string {
  let start = 0;
  return spans
    .map(({ text, paint }) => {
      const part = text.slice(Math.max(from - start, 0), Math.max(to - start, 0));
      start += text.length;
      return part === "" ? "" : paint(part);
    })
    .join("");
}

/** On a narrow terminal, values are below their names. */
function factLines(facts: Facts, look: Look): string[] {
  const { indent = 0, tone = "faint" } = facts;
  const given = valuesOf(facts);
  const column = facts.nameWidth ?? widestOf(given.map(([name]) => printable(name)));
  const start = indent + column + 2;
  const isNarrow = look.width - start < NARROWEST;
  return given.flatMap(([name, values]) => {
    const label = `${" ".repeat(indent)}${padTo(printable(name), column, { paint: look.style[tone] })}  `;
    if (isNarrow) {
      const below = values.flatMap((words) => wordLines(words, look, { indent: indent + 2 }));
      return name === "" ? below : [label.trimEnd(), ...below];
    }
    return values.flatMap((words, at) => wordLines(words, look, { indent: start, ...(at === 0 ? { label } : {}) }));
  });
}

function listLines({ items, inline = false, hanging: later = 0, indent = 0 }: List, look: Look): string[] {
  const label = " ".repeat(indent);
  if (!inline) return items.flatMap((words) => wordLines(words, look, { indent: indent + later, label }));
  const names = items.map((words) => printable(textOf(words)));
  return indented(wrapWords(names, look.width - indent), indent);
}

function tableLines(table: Table, { style, width }: Look): string[] {
  const { rows, bare = false, below = Infinity, indent = 0 } = table;
  const columns = columnsOf(table, "terminal").map(({ column: { head, ...column }, at }) => ({
    ...column,
    ...(head === undefined || bare ? {} : { head }),
    at,
    cell: (row: (typeof rows)[number]) => textOf(row.cells[at] ?? ""),
    tone: (row: (typeof rows)[number]) => spansOf(row.cells[at] ?? "").find(({ tone }) => tone !== undefined)?.tone,
  }));
  const later = columns.filter(({ at }) => at >= below);
  if (later.length > 0 && layOutTable(columns, rows, style, { indent }).width > width) {
    const first = layOutTable(
      columns.filter(({ at }) => at < below),
      rows,
      style,
      { indent },
    );
    const start = indent + widestOf(rows.map(({ cells: [words = ""] }) => printable(textOf(words)))) + 2;
    return rows.flatMap((row) => [first.line(row), layOutTable(later, [row], style, { indent: start }).line(row)]);
  }
  const { head, line } = layOutTable(columns, rows, style, { width, indent });
  return [...(head === "" ? [] : [style.strong(head)]), ...rows.map(line)];
}

function codeLines({ lines, caption, indent = 0 }: Code, look: Look): string[] {
  const above = caption === undefined ? [] : wordLines(`${caption}:`, look, { indent });
  const inner = caption === undefined ? indent : indent + 2;
  return [...above, ...lines.flatMap((line) => codeLine(line, inner, look))];
}

const MARK_TONES = { "+": "good", "-": "error", " ": undefined } as const;

/** A comment that does not fit is above its line. */
function codeLine({ text, mark = " ", note = "" }: CodeLine, indent: number, { style, width }: Look): string[] {
  const line = printable(`${mark.padEnd(indent)}${text}`);
  const painted = paintOf(MARK_TONES[mark], style)(line);
  if (note === "") return [painted];
  const comment = `# ${printable(note)}`;
  if (textWidth(line + comment) + 2 <= width) return [`${painted}  ${style.faint(comment)}`];
  const inner = /^ */.exec(text)?.[0] ?? "";
  return [style.faint(`${" ".repeat(indent)}${inner}${comment}`), painted];
}

const BAR_WIDTH = 20;

function barLines({ share, words, tone, indent = 0 }: Bar, look: Look): string[] {
  const label = `${" ".repeat(indent)}${paintOf(tone, look.style)(shareBar(share, BAR_WIDTH))}  `;
  return wordLines(words, look, { indent: indent + BAR_WIDTH + 2, label });
}
