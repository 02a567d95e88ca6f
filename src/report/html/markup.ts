/** HTML made of pieces: what is put into a template is text, unless it is markup already. */
import { printable, printableJson, withoutCommands } from "../terminal/printable.ts";

/** Text that is HTML already. Only `html` makes it. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Piece = Markup | string | number | undefined | false | readonly Piece[];

/** What is put in is escaped, also within quotes; nothing is shown of `undefined` and `false`. */
export function html(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Markup {
  return new Markup(strings.map((string, index) => withoutIndents(string) + textOf(pieces[index])).join(""));
}

/** How the templates stand here says nothing to a browser. */
function withoutIndents(string: string): string {
  return string.replaceAll(/\n\s*/g, "\n").replaceAll(/\n+/g, "\n");
}

function textOf(piece: Piece): string {
  if (piece instanceof Markup) return piece.text;
  if (Array.isArray(piece)) return (piece as readonly Piece[]).map(textOf).join("");
  return piece === undefined || piece === false ? "" : escape(String(piece));
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "`": "&#96;",
};

/** The one way of the input's text into a page: no tag, no attribute, no sign that steers, and no command of a runner. */
function escape(text: string): string {
  return withoutCommands(printable(text)).replaceAll(/[&<>"'`]/g, (sign) => ENTITIES[sign]!);
}

/** Data for the page's script, within an element that no browser runs. */
export function jsonText(value: unknown): Markup {
  const text = JSON.stringify(value, (_key, one: unknown) => (typeof one === "string" ? printable(one) : one));
  return new Markup(printableJson(text).replaceAll(/[<>&]/g, codeOf));
}

function codeOf(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
