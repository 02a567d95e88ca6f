/** Changes as Markdown for a comment on a pull request: a table of all of them, and each one's fields folded below. */
import type { Change } from "../analyze/compare-clusters.ts";
import { EFFECT_WORDS, nameOf, nodesWords, placeOf, summaryOf, worstFirst } from "./diff-words.ts";
import { diffYaml } from "./diff-yaml.ts";
import { printable } from "./printable.ts";

/** GitHub refuses a comment of more than 65,536 characters. */
const MAX_LENGTH = 60_000;

export function diffMarkdown(changes: readonly Change[]): string {
  if (changes.length === 0) return "**anp diff: no changes**\n";
  const rows = worstFirst(changes).map(rowOf);
  const head = `**anp diff: ${summaryOf(changes)}**\n\n${TABLE_HEAD}\n`;
  const table = asManyAsFit(rows, MAX_LENGTH / 2);
  const left = rows.length - table.length;
  const text = `${head}${table.join("\n")}\n${left === 0 ? "" : `\n… and ${left} more\n`}`;
  const details = worstFirst(changes).flatMap((change) => detailsOf(change));
  const shown = asManyAsFit(details, MAX_LENGTH - text.length);
  const hidden = details.length - shown.length;
  const rest = hidden === 0 ? "" : `\n… and ${hidden} more than fit a comment (\`anp diff -o json\` has all)\n`;
  return `${[text, ...shown].join("\n")}${rest}`;
}

const TABLE_HEAD = "| | object | what it does | nodes |\n| --- | --- | --- | --- |";

const MARKS = { added: "➕", removed: "➖", changed: "✏️" } as const;

function rowOf(change: Change): string {
  const nodes = nodesWords(change);
  return `| ${MARKS[change.action]} | ${code(nameOf(change))} | ${EFFECT_WORDS[change.effect]} | ${nodes} |`;
}

function detailsOf(change: Change): string[] {
  const lines = diffYaml(change).map(({ mark, text, field }) => {
    const place = field === undefined ? "" : placeOf(field);
    const note = place === "" ? "" : `  # ${place}`;
    return printable(`${mark} ${text}${note}`);
  });
  if (lines.length === 0) return [];
  const longest = Math.max(
    ...lines
      .join("\n")
      .matchAll(/`+/g)
      .map(([ticks]) => ticks.length),
    2,
  );
  const fence = "`".repeat(longest + 1);
  return [
    `<details><summary>${code(nameOf(change))}</summary>\n\n${fence}diff\n${lines.join("\n")}\n${fence}\n\n</details>\n`,
  ];
}

/** Names are shown as they are: they make no cell and no mark-up, and call nobody. */
function code(text: string): string {
  const escaped = printable(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("|", "&#124;");
  return `<code>${escaped}</code>`;
}

function asManyAsFit(parts: readonly string[], limit: number): readonly string[] {
  let length = 0;
  const end = parts.findIndex((part) => (length += part.length + 1) > limit);
  return end === -1 ? parts : parts.slice(0, end);
}
