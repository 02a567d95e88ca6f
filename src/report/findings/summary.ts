/** Counts findings by severity: `1 error, 2 warnings`. */
import type { Finding } from "../../krm/finding.ts";
import { SEVERITIES } from "../../krm/finding-codes.ts";
import { PLAIN, type Style } from "../terminal/style.ts";
import { counted, tally } from "../../krm/counted.ts";

export function summary(findings: readonly Finding[], style: Style = PLAIN): string {
  return tally(SEVERITIES, findings, ({ severity }) => severity)
    .map(([severity, count]) => style[severity](counted(count, severity)))
    .join(", ");
}
