/** Escapes names and values of the input, so that Markdown shows them literally. */
import { printable, shortened } from "./printable.ts";

/** A longer name or message is cut. */
const MOST = 1000;

/** Without markup, links, formulas and mentions. For a table cell or a line of text. */
export function markdownText(text: string): string {
  return shortened(text, MOST)
    .split(/\r\n|\r|\n/)
    .map((line) => literal(printable(line)))
    .join("<br>");
}

/** As code, in Markdown and within HTML. */
export function markdownCode(text: string): string {
  return `<code>${textInHtml(text)}</code>`;
}

/** Within an HTML element, where a backslash is literal. */
export function textInHtml(text: string): string {
  return withoutMentions(withoutTags(printable(shortened(text, MOST)))).replaceAll(
    /[\\`*_[\]|~$]/g,
    (sign) => `&#${String(sign.charCodeAt(0))};`,
  );
}

function literal(line: string): string {
  const marks = withoutTags(line)
    .replaceAll(/[\\`*_[\]|~]/g, (sign) => `\\${sign}`)
    .replaceAll("$", () => "<span>$</span>");
  return withoutMentions(marks);
}

function withoutTags(line: string): string {
  return line.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** An invisible comment separates names (`@name`, `#1`, `GH-1`) and addresses that GitHub would turn into links. */
function withoutMentions(line: string): string {
  return line.replaceAll(
    /[@#](?=[\w.-])|GH-(?=\d)|:(?=\/\/)|www(?=\.)|(?:mailto|xmpp):/gi,
    (sign) => `${sign}<!-- -->`,
  );
}

/** A block of code that none of its lines can end, with long lines cut. */
export function fenced(language: string, lines: readonly string[]): string {
  const code = lines.map((line) => shortened(printable(line), MOST)).join("\n");
  const longest = Math.max(...code.matchAll(/`+/g).map(([ticks]) => ticks.length), 2);
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${code}\n${fence}`;
}

/** As many parts as fit; a part that is too long is left out, and its room goes to the others. */
export function asManyAsFit<T>(parts: readonly T[], limit: number, textOf: (part: T) => string): readonly T[] {
  let left = limit;
  return parts.filter((part) => {
    const length = textOf(part).length + 1;
    if (length > left) return false;
    left -= length;
    return true;
  });
}
