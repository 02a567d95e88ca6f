/** Findings as annotations of GitHub Actions, and their count for those that GitHub cuts off. */
import type { Finding } from "../../krm/finding.ts";
import type { Severity } from "../../krm/finding-codes.ts";
import { printable } from "../terminal/printable.ts";
import { summary } from "./summary.ts";
import { inOrder } from "./text.ts";

const COMMANDS = { error: "error", warning: "warning", info: "notice" } as const satisfies Record<Severity, string>;

/** An empty text for no findings. A step shows ten annotations of each kind, so the worst come first. */
export function githubReport(findings: readonly Finding[]): string {
  if (findings.length === 0) return "";
  return `${[...inOrder(findings).map(command), summary(findings)].join("\n")}\n`;
}

function command({ code, severity, message, file, line, column, hint }: Finding): string {
  const properties = Object.entries({ file, line, col: column, title: code })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${escapeProperty(String(value))}`);
  const data = hint === undefined ? message : `${message}\nhelp: ${hint}`;
  return `::${COMMANDS[severity]} ${properties.join(",")}::${escapeData(data)}`;
}

function escapeProperty(value: string): string {
  return escapeData(value).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

function escapeData(value: string): string {
  return printable(value.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A"));
}
