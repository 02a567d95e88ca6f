/** Blocks as lines of a terminal, wrapped to its width. */
import { printable, withoutCommands } from "../terminal/printable.ts";
import type { Style } from "../terminal/style.ts";
import { layOutTable } from "../terminal/table.ts";
import { padTo, shareBar, textWidth, widestOf } from "../terminal/text-width.ts";
import { hanging, indented, NARROWEST, wrapText, wrapWords } from "../terminal/wrap.ts";
import {
  type Bar,
  type Block,
  blocksOf,
  type Code,
  type CodeLine,
  columnsOf,
  type Entries,
  type EntryRow,
  type Facts,
  type Heading,
  type List,
  type Look,
  type Paragraph,
  type Section,
  spansOf,
  type Table,
  textOf,
  type Tone,
  valuesOf,
  verdictText,
  WHO,
  type Words,
} from "./blocks.ts";

/** Empty without lines. */
export function terminalText(blocks: readonly Block[], look: Look): string {
  const lines = terminalLines(blocks, look);
  return withoutCommands(lines.map((line) => `${line}\n`).join(""));
}

/** An empty line is before and after each section. */
export function terminalLines(blocks: readonly Block[], look: Look): string[] {
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
      return paragraphLines(block, look);
    case "facts":
      return factLines(block, look);
    case "list":
      return listLines(block, look);
    case "entries":
      return entryLines(block, look);
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
  { sign, hostedCluster = "", name, about = "", verdict, place = "", oneLine = false, indent = 0 }: Heading,
  { style, width }: Look,
): string[] {
  const pieces = [
    { text: sign?.text ?? "", paint: paintOf(sign?.tone, style) },
    { text: printable(hostedCluster), paint: style.faint },
    { text: printable(name), paint: style.strong },
    { text: printable(about), paint: style.faint },
  ].filter(({ text }) => text !== "");
  const text = pieces.map((piece) => piece.text).join(" ");
  const start = " ".repeat(indent) + pieces.map((piece) => piece.paint(piece.text)).join(" ");
  const end = place === "" ? "" : `  ${printable(place)}`;
  const paintedEnd = end === "" ? "" : style.faint(end);
  if (verdict === undefined) return [`${start}${paintedEnd}`];
  const paint = paintOf(verdict.tone, style);
  const words = printable(verdictText(verdict));
  const fits = oneLine || indent + textWidth(`${text}  ${words}${end}`) <= width;
  if (fits) return [`${start}  ${paint(words)}${paintedEnd}`];
  const { words: first, more = "" } = verdict;
  const room = Math.max(width - indent - 4, 20);
  const below = [first, more].filter((part) => part !== "").flatMap((part) => wrapText(printable(part), room));
  return [`${start}${paintedEnd}`, ...indented(below.map(paint), indent + 4)];
}

function paintOf(tone: Tone | undefined, style: Style): (text: string) => string {
  return tone === undefined ? String : style[tone];
}

function paragraphLines({ words, tone, aside = "", oneLine = false, indent = 0 }: Paragraph, look: Look): string[] {
  const { style, width } = look;
  const lines = wordLines(words, oneLine ? { style, width: Infinity } : look, { tone, indent });
  if (aside === "") return lines;
  const isOneLine = indent + textWidth(`${textOf(words)}  ${aside}`) <= width;
  if (isOneLine) return lines.map((line) => `${line}  ${style.faint(printable(aside))}`);
  return [...lines, ...wordLines(aside, look, { tone: "faint", indent })];
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
  const column = facts.nameWidth ?? widestOf(given.map(([{ text }]) => printable(text)));
  const start = indent + column + 2;
  const isNarrow = look.width - start < NARROWEST;
  return given.flatMap(([name, values]) => {
    const paint = look.style[name.tone ?? tone];
    const label = `${" ".repeat(indent)}${padTo(printable(name.text), column, { paint })}  `;
    if (isNarrow) {
      const below = values.flatMap((words) => wordLines(words, look, { indent: indent + 2 }));
      return name.text === "" ? below : [label.trimEnd(), ...below];
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

const WHO_WIDTH = 8;
const ENTRY_INDENT = "    ";
const GAP = "  ";
const WIDEST = 72;

/** In columns, or stacked on a narrow terminal. */
function entryLines({ groups }: Entries, look: Look): string[] {
  const { style, width } = look;
  const all = groups.flatMap(({ rows }) => rows);
  const start = ENTRY_INDENT.length + WHO_WIDTH;
  const widest = (textOfRow: (row: EntryRow) => string): number =>
    widestOf(all.map((row) => printable(textOfRow(row))));
  const place = widest((row) => row.place ?? "");
  const asked = widest((row) => row.requirement);
  const room = width - start - GAP.length - place - GAP.length - widest((row) => row.effect ?? "");
  const requirement = Math.min(room, WIDEST, asked);
  const inColumns = room >= Math.min(NARROWEST, asked);
  const linesOfRow = ({ who, place: where = "", effect = "", ...row }: EntryRow): string[] => {
    const at = printable(where);
    const lines = wrapText(printable(row.requirement), inColumns ? requirement : width - start);
    const label = ENTRY_INDENT + padTo(WHO[who], WHO_WIDTH, { paint: style.faint });
    if (at === "" && effect === "") return hanging(lines, label, start);
    if (!inColumns) {
      const parts = [style.faint(at), ...(effect === "" ? [] : [effect])];
      const fits = start + textWidth(at) + GAP.length + textWidth(effect) <= width;
      return [...hanging(lines, label, start), ...indented(fits ? [parts.join(GAP)] : parts, start)];
    }
    const [first = "", ...others] = lines;
    const cells = [padTo(first, requirement), padTo(at, place, { paint: style.faint }), effect];
    return hanging([cells.join(GAP).trimEnd(), ...others], label, start);
  };
  return groups.flatMap(({ head, rows }) => [
    ...wordLines(head, look, { indent: 2 }),
    ...rows.flatMap((row) => [
      ...linesOfRow(row),
      ...(row.note === undefined ? [] : wordLines(row.note, look, { indent: start, tone: "faint" })),
    ]),
  ]);
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
