/** Findings in, how many there are of each severity out: `1 error, 2 warnings`. */
import type { Finding } from "../../krm/finding.ts";
import { SEVERITIES, type Severity } from "../../krm/finding-codes.ts";

export function summary(findings: readonly Finding[]): string {
  return SEVERITIES.flatMap((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length;
    return count === 0 ? [] : [counted(count, severity)];
  }).join(", ");
}

export function counted(count: number, severity: Severity): string {
  return `${count} ${severity}${count === 1 ? "" : "s"}`;
}
