/** Names and values of the input in Markdown, where they show as they are. */
import { printable, shortened } from "./printable.ts";

/** As much of one name or message as a table or a comment has room for. */
const MOST = 1000;

/** No mark-up, no link, no formula, and nobody is called. For a cell of a table or a line of text. */
export function markdownText(text: string): string {
  return shortened(text, MOST)
    .split(/\r\n|\r|\n/)
    .map((line) => literal(printable(line)))
    .join("<br>");
}

/** In the letters of code, in Markdown and within HTML, where a backslash is one. */
export function markdownCode(text: string): string {
  const escaped = withoutMentions(withoutTags(printable(shortened(text, MOST)))).replaceAll(
    /[\\`*_[\]|~$]/g,
    (sign) => `&#${String(sign.charCodeAt(0))};`,
  );
  return `<code>${escaped}</code>`;
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

/** A comment, which nobody sees, stands in each name (`@name`, `#1`, `GH-1`) and address that GitHub would make a link of. */
function withoutMentions(line: string): string {
  return line.replaceAll(
    /[@#](?=[\w.-])|GH-(?=\d)|:(?=\/\/)|www(?=\.)|(?:mailto|xmpp):/gi,
    (sign) => `${sign}<!-- -->`,
  );
}

/** A block of code: no line of it ends the block, and none that is too long leaves no room for others. */
export function fenced(language: string, lines: readonly string[]): string {
  const code = lines.map((line) => shortened(printable(line), MOST)).join("\n");
  const longest = Math.max(...code.matchAll(/`+/g).map(([ticks]) => ticks.length), 2);
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${code}\n${fence}`;
}

/** As many as there is room for; one that is too long leaves its room to the others. */
export function asManyAsFit<T>(parts: readonly T[], limit: number, textOf: (part: T) => string): readonly T[] {
  let left = limit;
  return parts.filter((part) => {
    const length = textOf(part).length + 1;
    if (length > left) return false;
    left -= length;
    return true;
  });
}
