/** Findings as annotations of GitHub Actions, and their count, because GitHub shows only some. */
import type { Finding } from "../../krm/findings/finding.ts";
import type { Severity } from "../../krm/findings/finding-codes.ts";
import { printable } from "../terminal/printable.ts";
import { inOrder, summary, withCluster } from "./common.ts";

const COMMANDS = { error: "error", warning: "warning", info: "notice" } as const satisfies Record<Severity, string>;

/** An empty text for no findings. A step shows ten annotations of each kind, so the worst come first. */
export function githubReport(findings: readonly Finding[]): string {
  if (findings.length === 0) return "";
  return `${[...inOrder(findings).map(command), summary(findings)].join("\n")}\n`;
}

function command(finding: Finding): string {
  const { code, severity, file, line, column, hint } = finding;
  const message = withCluster(finding);
  const data = hint === undefined ? message : `${message}\nhelp: ${hint}`;
  return annotation(COMMANDS[severity], { file, line, col: column, title: code }, data);
}

/** The workflow command that shows a message. Undefined properties are left out. */
export function annotation(
  command: "error" | "warning" | "notice",
  properties: Readonly<Record<string, string | number | undefined>>,
  message: string,
): string {
  const given = Object.entries(properties)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${escapeProperty(String(value))}`);
  return `::${command} ${given.join(",")}::${escapeData(message)}`;
}

function escapeProperty(value: string): string {
  return escapeData(value).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

function escapeData(value: string): string {
  return printable(value.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A"));
}
