/** Findings as text for people: place, message, source line with a caret, and help. */
import { placeText } from "../../krm/places/location.ts";
import type { Finding } from "../../krm/findings/finding.ts";
import { SEVERITIES } from "../../krm/findings/finding-codes.ts";
import { printable, shortened, withoutCommands } from "../terminal/printable.ts";
import { inOrder, summary, withCluster } from "./common.ts";
import type { Style } from "../terminal/style.ts";
import { textWidth } from "../terminal/text-width.ts";
import { NARROWEST, wrapPainted } from "../terminal/wrap.ts";

/** At most this many findings of one info code are shown, and the rest counted. */
const INFOS_SHOWN = 5;

export interface TextPage {
  readonly style: Style;
  /** The width of a terminal, for wrapping and for having the worst last, next to the summary; undefined otherwise. */
  readonly columns?: number | undefined;
  /** The number of findings below the reported severity. */
  readonly hidden?: number;
}

/** The worst come first, except on a terminal. Empty without findings. */
export function textReport(findings: readonly Finding[], page: TextPage): string {
  if (findings.length === 0) return "";
  const { style, columns, hidden = 0 } = page;
  const bySeverity = Map.groupBy(inOrder(findings), ({ severity }) => severity);
  const severities = columns === undefined ? SEVERITIES : SEVERITIES.toReversed();
  const lines = severities.flatMap((severity) => {
    const found = bySeverity.get(severity) ?? [];
    return severity === "info" ? describeInfos(found, page) : found.flatMap((finding) => describe(finding, page));
  });
  const rest = hidden === 0 ? "" : style.faint(`, and ${hidden} less severe`);
  lines.push(`${summary(findings, style)}${rest}`);
  return withoutCommands(`${lines.join("\n")}\n`);
}

/** Of many infos with one code, the rest is only counted. */
function describeInfos(infos: readonly Finding[], page: TextPage): string[] {
  const counts = new Map<string, number>();
  const lines = infos.flatMap((finding) => {
    const count = (counts.get(finding.code) ?? 0) + 1;
    counts.set(finding.code, count);
    return count > INFOS_SHOWN ? [] : describe(finding, page);
  });
  const more = [...counts].filter(([, count]) => count > INFOS_SHOWN);
  return [
    ...lines,
    ...more.map(([code, count]) =>
      page.style.faint(`… and ${count - INFOS_SHOWN} more of ${code} (--report json lists all)`),
    ),
  ];
}

function describe(finding: Finding, { style, columns }: TextPage): string[] {
  const { file, line, column, severity, code, hint, excerpt } = finding;
  const place = file === undefined ? "" : `${printable(placeText(finding))}:`;
  const lines = wrapPainted(
    [
      { text: place, paint: style.strong },
      { text: severity, paint: style[severity], end: ":" },
      { text: printable(shortened(withCluster(finding), LONGEST)) },
      { text: `[${code}]`, paint: style.faint },
    ],
    { columns, indent: 4 },
  );
  if (excerpt !== undefined && line !== undefined && column !== undefined && excerpt.trim() !== "") {
    lines.push(...pointAt(excerpt, { line, column, width: (columns ?? Infinity) - GUTTER }, style));
  }
  if (hint !== undefined) {
    const parts = [{ text: `  ${style.faint("help:")}` }, { text: printable(shortened(hint, LONGEST)) }];
    lines.push(...wrapPainted(parts, { columns, indent: 4 }));
  }
  return lines;
}

/** Longer keys and values of the input are cut; `--report json` has them whole. */
const LONGEST = 2000;

/** A longer line is cut. */
const EXCERPT_WIDTH = 100;

/** The width before and behind an excerpt: line number, bar and ellipses. */
const GUTTER = 12;

interface Spot {
  readonly line: number;
  readonly column: number;
  /** The available columns. */
  readonly width: number;
}

function pointAt(excerpt: string, { line, column, width }: Spot, style: Style): string[] {
  const room = Math.max(NARROWEST, Math.min(EXCERPT_WIDTH, width));
  const characters = [...printable(excerpt)];
  const start = column <= room - 20 ? 0 : Math.max(0, column - 20);
  const shown = characters.slice(start, start + room).join("");
  const cut = { left: start > 0 ? "…" : "", right: start + room < characters.length ? "…" : "" };
  const before = cut.left.length + textWidth(characters.slice(start, column - 1).join(""));
  const gutter = String(line);
  return [
    style.faint(`  ${gutter} | `) + cut.left + shown + cut.right,
    `${style.faint(`  ${" ".repeat(gutter.length)} | `)}${" ".repeat(before)}${style.error("^")}`,
  ];
}
