/** Changes as Markdown for a comment on a pull request. */
import { placeText } from "../../krm/location.ts";
import type { Change } from "../../analyze/diff/compare-clusters.ts";
import { effectWords, nameOf, nodesWords, ownerOf, summaryOf, worstFirst } from "./words.ts";
import { diffYaml } from "./yaml.ts";
import { asManyAsFit, markdownCode } from "../terminal/markdown-text.ts";
import { printable, shortened } from "../terminal/printable.ts";

/** GitHub refuses a comment of more than 65,536 characters. */
const MAX_LENGTH = 60_000;

/**
 * A table of all of them, and each one's fields folded below.
 *
 * @param errors how many keep something from being compared
 */
export function diffMarkdown(changes: readonly Change[], errors = 0): string {
  const keep = `${errors} error${errors === 1 ? " keeps" : "s keep"} the rest from being compared`;
  const what = changes.length > 0 ? summaryOf(changes) : errors === 0 ? "no changes" : "what renders is the same";
  const summary = `**anp diff: ${what}${errors === 0 ? "" : `; ${keep}`}**\n`;
  if (changes.length === 0) return summary;
  const rows = worstFirst(changes).map(rowOf);
  const head = `${summary}\n${TABLE_HEAD}\n`;
  const table = asManyAsFit(rows, MAX_LENGTH / 2, itself);
  const left = rows.length - table.length;
  const text = `${head}${table.join("\n")}\n${left === 0 ? "" : `\n… and ${left} more\n`}`;
  const details = worstFirst(changes).flatMap((change) => detailsOf(change));
  const shown = asManyAsFit(details, MAX_LENGTH - text.length, itself);
  const hidden = details.length - shown.length;
  const rest = hidden === 0 ? "" : `\n… and ${hidden} more than fit a comment (\`anp diff -o json\` has all)\n`;
  return `${[text, ...shown].join("\n")}${rest}`;
}

/** Of a field: one that is longer would leave no room for the others. */
const LONGEST_LINE = 1000;

const itself = (text: string): string => text;

const TABLE_HEAD = "| | object | what it does | nodes |\n| --- | --- | --- | --- |";

const MARKS = { added: "➕", removed: "➖", changed: "✏️" } as const;

function rowOf(change: Change): string {
  const nodes = nodesWords(change);
  return `| ${MARKS[change.action]} | ${markdownCode(nameOf(change))} | ${effectWords(change)} | ${nodes} |`;
}

function detailsOf(change: Change): string[] {
  const lines = diffYaml(change).map(({ mark, text, field }) => {
    const words = field === undefined ? [] : [ownerOf(field), placeText(field)].filter((part) => part !== "");
    const note = words.length === 0 ? "" : `  # ${words.join(", ")}`;
    return shortened(printable(`${mark} ${text}${note}`), LONGEST_LINE);
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
    `<details><summary>${markdownCode(nameOf(change))}</summary>\n\n${fence}diff\n${lines.join("\n")}\n${fence}\n\n</details>\n`,
  ];
}
