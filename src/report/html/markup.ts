/** Builds HTML from templates: inserted values are escaped, unless they are markup already. */
import { printable, printableJson, withoutCommands } from "../terminal/printable.ts";

/** Escaped HTML. Only `html` makes it from input. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Piece = Markup | string | number | undefined | false | readonly Piece[];

/** Inserted values are escaped, also within quotes; `undefined` and `false` are left out. */
export function html(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Markup {
  return new Markup(strings.map((string, index) => withoutIndents(string) + textOf(pieces[index])).join(""));
}

/** The indent of templates means nothing to a browser. */
function withoutIndents(string: string): string {
  return string.replaceAll(/\n\s*/g, "\n").replaceAll(/\n+/g, "\n");
}

/** Everything but markup is escaped (docs/architecture.md#pages). */
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

/** The only way for input text into a page: no tags, attributes, control characters or runner commands. */
function escape(text: string): string {
  return withoutCommands(printable(text)).replaceAll(/[&<>"'`]/g, (sign) => ENTITIES[sign]!);
}

/** Data for the page's script, in an element that browsers do not run. */
export function jsonText(value: unknown): Markup {
  const text = JSON.stringify(value, (_key, one: unknown) => (typeof one === "string" ? printable(one) : one));
  return new Markup(printableJson(text).replaceAll(/[<>&]/g, codeOf));
}

function codeOf(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
