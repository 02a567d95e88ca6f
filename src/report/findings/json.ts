/** Findings as JSON for programs (docs/reports.md#json). */
import type { Finding } from "../../krm/finding.ts";
import { printableJson } from "../terminal/printable.ts";
import { inOrder } from "./text.ts";

export function jsonReport(findings: readonly Finding[]): string {
  const list = inOrder(findings).map((finding) => {
    const { code, severity, message, resource, hostedCluster, field, file, line, column, hint } = finding;
    return { code, severity, message, resource, hostedCluster, field, file, line, column, hint };
  });
  return printableJson(`${JSON.stringify({ schemaVersion: 1, findings: list }, undefined, 2)}\n`);
}
