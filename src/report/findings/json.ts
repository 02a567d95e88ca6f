/** Findings as JSON for programs (docs/reports.md#json). */
import type { FindingsAnswer } from "../../analyze/check/check-answer.ts";
import type { Finding } from "../../krm/findings/finding.ts";
import { printableJson } from "../terminal/printable.ts";
import { inOrder } from "./common.ts";

export function jsonReport(findings: readonly Finding[]): string {
  const list = inOrder(findings).map((finding) => {
    const { code, severity, message, resource, hostedCluster, field, file, line, column, hint } = finding;
    return { code, severity, message, resource, hostedCluster, field, file, line, column, hint };
  });
  const answer: FindingsAnswer = { schemaVersion: 1, findings: list };
  return printableJson(`${JSON.stringify(answer, undefined, 2)}\n`);
}
