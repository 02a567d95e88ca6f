/** Findings as Markdown for a comment on a pull request. */
import { placeText } from "../../krm/places/location.ts";
import type { Finding } from "../../krm/findings/finding.ts";
import { SEVERITIES } from "../../krm/findings/finding-codes.ts";
import { asManyAsFit, markdownText } from "../terminal/markdown-text.ts";
import { counted } from "../../krm/values/counted.ts";
import { inOrder, summary, withCluster } from "./common.ts";

/** A table shows at most this many rows, and folds the rest. */
const ROWS_OPEN = 10;

/** GitHub refuses a comment of more than 65,536 characters. */
const MAX_LENGTH = 60_000;

/** The count, and a table for each severity, folded if it is long. */
export function markdownReport(findings: readonly Finding[]): string {
  if (findings.length === 0) return "**anp: no findings**\n";
  const all = inOrder(findings).map((finding) => ({ severity: finding.severity, row: rowOf(finding) }));
  const shown = asManyAsFit(all, MAX_LENGTH, ({ row }) => row);
  const sections = SEVERITIES.flatMap((severity) => {
    const rows = shown.filter((one) => one.severity === severity).map(({ row }) => row);
    if (rows.length === 0) return [];
    const count = findings.filter((finding) => finding.severity === severity).length;
    return [`#### ${counted(count, severity)}`, table(rows.slice(0, ROWS_OPEN)), ...folded(rows.slice(ROWS_OPEN))];
  });
  const left = findings.length - shown.length;
  const rest = left === 0 ? [] : [`… and ${left} more than fit a comment (\`--report json\` lists all)`];
  return `${[`**anp: ${summary(findings)}**`, ...sections, ...rest].join("\n\n")}\n`;
}

function folded(rows: readonly string[]): string[] {
  if (rows.length === 0) return [];
  return ["<details>", `<summary>${rows.length} more</summary>`, table(rows), "</details>"];
}

function table(rows: readonly string[]): string {
  return ["| place | finding | code |", "| --- | --- | --- |", ...rows].join("\n");
}

function rowOf(finding: Finding): string {
  const { code, file, hint } = finding;
  const place = file === undefined ? "" : `<code>${markdownText(placeText(finding))}</code>`;
  const help = hint === undefined ? "" : `<br>*help:* ${markdownText(hint)}`;
  return `| ${place} | ${markdownText(withCluster(finding))}${help} | \`${code}\` |`;
}
