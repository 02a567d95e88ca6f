/** Findings as text for people: place, words, source line with a caret, what to do. */
import { placeText } from "../../krm/location.ts";
import type { Finding } from "../../krm/finding.ts";
import { SEVERITIES } from "../../krm/finding-codes.ts";
import { printable, shortened, withoutCommands } from "../terminal/printable.ts";
import { summary } from "./summary.ts";
import type { Style } from "../terminal/style.ts";
import { withCluster } from "./with-cluster.ts";
import { textWidth } from "../terminal/text-width.ts";

/** As many findings of one info code are shown before the rest is only counted. */
const INFOS_SHOWN = 5;

/** The worst come first. An empty text for no findings. */
export function textReport(findings: readonly Finding[], style: Style): string {
  if (findings.length === 0) return "";
  const sorted = inOrder(findings);
  const lines: string[] = [];
  const infos = new Map<string, number>();
  for (const finding of sorted) {
    if (finding.severity === "info") {
      const count = (infos.get(finding.code) ?? 0) + 1;
      infos.set(finding.code, count);
      if (count > INFOS_SHOWN) continue;
    }
    lines.push(...describe(finding, style));
  }
  for (const [code, count] of infos) {
    if (count > INFOS_SHOWN)
      lines.push(style.faint(`… and ${count - INFOS_SHOWN} more of ${code} (--report json lists all)`));
  }
  lines.push(summary(findings, style));
  return withoutCommands(`${lines.join("\n")}\n`);
}

/** Errors first; within a severity by file, line and column, then as found. */
export function inOrder(findings: readonly Finding[]): Finding[] {
  return findings.toSorted(
    (a, b) =>
      SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
      compare(a.file ?? "", b.file ?? "") ||
      (a.line ?? 0) - (b.line ?? 0) ||
      (a.column ?? 0) - (b.column ?? 0),
  );
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function describe(finding: Finding, style: Style): string[] {
  const { file, line, column, severity, code, hint, excerpt } = finding;
  const place = file === undefined ? "" : `${printable(placeText(finding))}: `;
  const lines = [
    `${style.strong(place)}${style[severity](severity)}: ${printable(shortened(withCluster(finding), LONGEST))} ${style.faint(`[${code}]`)}`,
  ];
  if (excerpt !== undefined && line !== undefined && column !== undefined && excerpt.trim() !== "") {
    lines.push(...pointAt(excerpt, line, column, style));
  }
  if (hint !== undefined) lines.push(`  ${style.faint("help:")} ${printable(shortened(hint, LONGEST))}`);
  return lines;
}

/** A key or value of the input that is longer is no reading matter; `--report json` has all of it. */
const LONGEST = 2000;

/** As much of a line as fits a terminal, around the column. */
const EXCERPT_WIDTH = 100;

function pointAt(excerpt: string, line: number, column: number, style: Style): string[] {
  const characters = [...printable(excerpt)];
  const start = column <= EXCERPT_WIDTH - 20 ? 0 : column - 20;
  const shown = characters.slice(start, start + EXCERPT_WIDTH).join("");
  const cut = { left: start > 0 ? "…" : "", right: start + EXCERPT_WIDTH < characters.length ? "…" : "" };
  const before = cut.left.length + textWidth(characters.slice(start, column - 1).join(""));
  const gutter = String(line);
  return [
    style.faint(`  ${gutter} | `) + cut.left + shown + cut.right,
    `${style.faint(`  ${" ".repeat(gutter.length)} | `)}${" ".repeat(before)}${style.error("^")}`,
  ];
}
