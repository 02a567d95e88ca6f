/** The formats of findings that `--report` and `-o` can name. */
import type { FindingsAnswer } from "../../analyze/check/check-answer.ts";
import { SEVERITIES, type Severity } from "../../krm/findings/finding-codes.ts";
import type { Finding } from "../../krm/findings/finding.ts";
import { printableJson } from "../terminal/printable.ts";
import { inOrder } from "./common.ts";
import { githubReport } from "./github.ts";
import { junitReport } from "./junit.ts";
import { markdownReport } from "./markdown.ts";
import { sarifReport, type Tool } from "./sarif.ts";
import { type TextPage, textReport } from "./text.ts";

export const REPORT_FORMATS = ["text", "json", "sarif", "junit", "github", "markdown"] as const;

export type ReportFormat = (typeof REPORT_FORMATS)[number];

interface Run extends Tool {
  /** Findings that fail a JUnit case; pass the value that decides the exit code. */
  readonly failOn: Severity | "never";
  /** Less severe findings are left out. */
  readonly minSeverity: Severity;
  /** For text: each finding by itself. */
  readonly all?: boolean;
}

/** @param page for text; other formats are for programs, never coloured and never wrapped */
export function formatFindings(
  format: ReportFormat,
  all: readonly Finding[],
  page: Omit<TextPage, "hidden" | "all">,
  run: Run,
): string {
  const findings = all.filter(({ severity }) => SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(run.minSeverity));
  switch (format) {
    case "text":
      return textReport(findings, { ...page, hidden: all.length - findings.length, all: run.all === true });
    case "json":
      return jsonReport(findings);
    case "sarif":
      return sarifReport(findings, run);
    case "junit":
      return junitReport(findings, run.failOn);
    case "github":
      return githubReport(findings);
    case "markdown":
      return markdownReport(findings);
  }
}

export function jsonReport(findings: readonly Finding[]): string {
  const list = inOrder(findings).map((finding) => {
    const { code, severity, message, resource, hostedCluster, field, file, line, column, hint } = finding;
    return { code, severity, message, resource, hostedCluster, field, file, line, column, hint };
  });
  const answer: FindingsAnswer = { schemaVersion: 1, findings: list };
  return printableJson(`${JSON.stringify(answer, undefined, 2)}\n`);
}
