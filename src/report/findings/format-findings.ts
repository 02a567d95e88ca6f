/** The formats of findings that `--report` and `-o` can name. */
import type { Finding } from "../../krm/finding.ts";
import { SEVERITIES, type Severity } from "../../krm/finding-codes.ts";
import { githubReport } from "./github.ts";
import { jsonReport } from "./json.ts";
import { junitReport } from "./junit.ts";
import { markdownReport } from "./markdown.ts";
import { sarifReport, type Tool } from "./sarif.ts";
import { type TextPage, textReport } from "./text.ts";

export const REPORT_FORMATS = ["text", "json", "sarif", "junit", "github", "markdown"] as const;

export type ReportFormat = (typeof REPORT_FORMATS)[number];

interface Run extends Tool {
  /** What makes a JUnit case red; pass what the exit code goes by. */
  readonly failOn: Severity | "never";
  /** What is less severe is not told. */
  readonly minSeverity: Severity;
}

/** @param page for text; the other formats are for programs, never coloured and never wrapped */
export function formatFindings(
  format: ReportFormat,
  all: readonly Finding[],
  page: Omit<TextPage, "untold">,
  run: Run,
): string {
  const findings = all.filter(({ severity }) => SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(run.minSeverity));
  switch (format) {
    case "text":
      return textReport(findings, { ...page, untold: all.length - findings.length });
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
