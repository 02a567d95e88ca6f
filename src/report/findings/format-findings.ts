/** The formats of findings that `--report` and `-o` can name. */
import type { Finding } from "../../krm/finding.ts";
import type { Severity } from "../../krm/finding-codes.ts";
import { githubReport } from "./github.ts";
import { jsonReport } from "./json.ts";
import { junitReport } from "./junit.ts";
import { markdownReport } from "./markdown.ts";
import { sarifReport } from "./sarif.ts";
import type { Style } from "../terminal/style.ts";
import { textReport } from "./text.ts";

export const REPORT_FORMATS = ["text", "json", "sarif", "junit", "github", "markdown"] as const;

export type ReportFormat = (typeof REPORT_FORMATS)[number];

interface Run {
  /** What makes a JUnit case red; pass what the exit code goes by. */
  readonly failOn: Severity | "never";
  /** The version of anp. */
  readonly version: string;
}

/** @param style for text; the other formats are for programs and never coloured */
export function formatFindings(format: ReportFormat, findings: readonly Finding[], style: Style, run: Run): string {
  switch (format) {
    case "text":
      return textReport(findings, style);
    case "json":
      return jsonReport(findings);
    case "sarif":
      return sarifReport(findings, run.version);
    case "junit":
      return junitReport(findings, run.failOn);
    case "github":
      return githubReport(findings);
    case "markdown":
      return markdownReport(findings);
  }
}
