/** Changes as Markdown for a comment on a pull request. */
import { placeText } from "../../krm/location.ts";
import type { Change } from "../../analyze/diff/compare-clusters.ts";
import { describeCost } from "../../analyze/diff/money/describe-cost.ts";
import type { PolicyChange } from "../../analyze/diff/policies/policy-changes.ts";
import { policiesMarkdown } from "./policies-markdown.ts";
import { costLines } from "./cost-words.ts";
import { offerWords, reasonWords } from "./offer-words.ts";
import { effectWords, nameOf, nodeNames, nodesWords, ownerOf, settlesWords, summaryOf, worstFirst } from "./words.ts";
import { diffYaml } from "./yaml.ts";
import { asManyAsFit, fenced, markdownCode, markdownText } from "../terminal/markdown-text.ts";

/** GitHub refuses a comment of more than 65,536 characters. */
const MAX_LENGTH = 60_000;

interface MarkdownOptions {
  /** The number of errors that keep objects from being compared. */
  readonly errors?: number | undefined;
  /** Policy changes come before all objects. */
  readonly policies: readonly PolicyChange[];
  /** The summary of all changes, as the first line. */
  readonly summary: string;
  /** How to keep nodes that would be replaced; empty if nothing helps. */
  readonly keeping: string;
}

/** A table of all changes, and the folded fields of each below. */
export function diffMarkdown(
  changes: readonly Change[],
  { errors = 0, policies, summary: sum, keeping }: MarkdownOptions,
): string {
  const keep = `${errors} error${errors === 1 ? " keeps" : "s keep"} the rest from being compared`;
  const none = errors === 0 && policies.length === 0 ? "no changes" : "the rendered objects are the same";
  const what = changes.length > 0 ? sum : none;
  const howToKeep = keeping === "" ? "" : `\n${markdownText(keeping)}\n`;
  const tally = changes.length > 0 ? `\n${summaryOf(changes)}\n${howToKeep}` : "";
  const ofPolicies = policiesMarkdown(policies, MAX_LENGTH / 4);
  const summary = `**anp diff: ${what}${errors === 0 ? "" : `; ${keep}`}**\n${tally}${ofPolicies}`;
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

const itself = (text: string): string => text;

const TABLE_HEAD = "| | object | what it does | nodes |\n| --- | --- | --- | --- |";

const MARKS = { added: "➕", removed: "➖", changed: "✏️" } as const;

function rowOf(change: Change): string {
  const nodes = [nodesWords(change), settlesWords(change)].filter((part) => part !== "").join("; ");
  const does = [effectWords(change), offerWords(change)].filter((part) => part !== "").map(markdownText);
  return `| ${MARKS[change.action]} | ${markdownCode(nameOf(change))} | ${does.join("<br>")} | ${nodes} |`;
}

function detailsOf(change: Change): string[] {
  const lines = diffYaml(change).map(({ mark, text, field }) => {
    const words = field === undefined ? [] : [ownerOf(field), placeText(field)].filter((part) => part !== "");
    const note = words.length === 0 ? "" : `  # ${words.join(", ")}`;
    return `${mark} ${text}${note}`;
  });
  const money = costLines(change.cost === undefined ? null : describeCost(change.cost));
  if (lines.length + money.length === 0) return [];
  const notes = [...(change.offer === undefined ? [] : reasonWords(change.offer)), nodeNames(change), ...money];
  const items = notes.filter((words) => words !== "").map((words) => `- ${markdownText(words)}\n`);
  const before = items.length === 0 ? "" : `${items.join("")}\n`;
  const head = `<details><summary>${markdownCode(nameOf(change))}</summary>\n\n`;
  const diff = lines.length === 0 ? "" : `${fenced("diff", lines)}\n\n`;
  return [`${head}${before}${diff}</details>\n`];
}
