/** Draws the dashboard as SVG, from a frame of its tests with colours marked as ‹31›: the same bytes each time. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../build-folder.ts";

/** The frame of test/suites/dashboard/frames.test.ts. */
const FRAME = "test/suites/dashboard/frames/colours.txt";

export function dashboardPicture(): string {
  const frame = readFileSync(join(ROOT, FRAME), "utf8");
  return terminalSvg(
    frame,
    "anp watch: a table of seven hosted clusters, and below it what is wrong with the chosen one",
  );
}

/** The size of one character in the browser's own monospace font; each run is stretched to its columns. */
const COLUMN = 8.4;
const ROW = 18;
const EDGE = 14;

const COLOURS: Readonly<Record<string, string>> = { 31: "#ff7b72", 33: "#e3b341", 36: "#76d9e6" };
const BACKGROUND = "#0d1117";
const TEXT = "#e6edf3";

interface Look {
  readonly bold: boolean;
  readonly dim: boolean;
  readonly colour: string | undefined;
}

interface Stretch extends Look {
  readonly text: string;
  readonly column: number;
}

const PLAIN: Look = { bold: false, dim: false, colour: undefined };

/** @param title the alternative text */
export function terminalSvg(frame: string, title: string): string {
  const rows = stretchesOf(frame.replace(/\n+$/, "").split("\n"));
  const columns = Math.max(...rows.flat().map(({ column, text }) => column + lengthOf(text)));
  const width = Math.ceil(columns * COLUMN + 2 * EDGE);
  const height = rows.length * ROW + 2 * EDGE;
  const label = escaped(title);
  const head = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">`;
  const font = `font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="${TEXT}"`;
  return [
    head,
    `<title>${label}</title>`,
    `<rect width="100%" height="100%" rx="8" fill="${BACKGROUND}"/>`,
    `<g ${font}>`,
    ...rows.flatMap((row, index) => row.map((stretch) => textOf(stretch, index))),
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

/** Row by row; a style lasts until it is reset, as on a terminal. */
function stretchesOf(lines: readonly string[]): Stretch[][] {
  let look = PLAIN;
  return lines.map((line) => {
    let column = 0;
    return line.split(/(‹\d+›)/).flatMap((part) => {
      const [, code] = /^‹(\d+)›$/.exec(part) ?? [];
      if (code !== undefined) {
        look = lookAfter(look, code);
        return [];
      }
      const before = column;
      column += lengthOf(part);
      return wordsOf(part, before, look);
    });
  });
}

/** Blanks are not drawn: text after two of them begins at its own column. */
function wordsOf(text: string, column: number, look: Look): Stretch[] {
  return [...text.matchAll(/\S+(?: \S+)*/g)].map(({ 0: words, index }) => ({
    ...look,
    text: words,
    column: column + lengthOf(text.slice(0, index)),
  }));
}

function lookAfter(look: Look, code: string): Look {
  if (code === "1") return { ...look, bold: true };
  if (code === "2") return { ...look, dim: true };
  if (code === "22") return { ...look, bold: false, dim: false };
  if (code === "39") return { ...look, colour: undefined };
  const colour = COLOURS[code];
  if (colour === undefined) throw new Error(`the style ‹${code}› is unknown`);
  return { ...look, colour };
}

function textOf({ text, column, bold, dim, colour }: Stretch, row: number): string {
  const attributes = [
    `x="${number(EDGE + column * COLUMN)}"`,
    `y="${EDGE + (row + 1) * ROW - 5}"`,
    `textLength="${number(lengthOf(text) * COLUMN)}"`,
    'lengthAdjust="spacingAndGlyphs"',
    ...(bold ? ['font-weight="bold"'] : []),
    ...(dim ? ['opacity="0.6"'] : []),
    ...(colour === undefined ? [] : [`fill="${colour}"`]),
  ];
  return `<text ${attributes.join(" ")}>${escaped(text)}</text>`;
}

/** In characters, each of which takes one column here. */
function lengthOf(text: string): number {
  return [...text].length;
}

function number(value: number): string {
  return String(Math.round(value * 100) / 100);
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
