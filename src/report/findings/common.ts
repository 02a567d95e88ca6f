/** What the formats of findings share: the order, the message, the counts, and identities. */
import { counted, tally } from "../../krm/values/counted.ts";
import { SEVERITIES } from "../../krm/findings/finding-codes.ts";
import type { Finding } from "../../krm/findings/finding.ts";
import { PLAIN, type Style } from "../terminal/style.ts";

/** Errors first; within a severity by file, line and column, then as found. */
export function inOrder(findings: readonly Finding[]): Finding[] {
  return findings.toSorted(
    (a, b) =>
      SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
      compare(a.file ?? "", b.file ?? "") ||
      (a.line ?? 0) - (b.line ?? 0) ||
      (a.column ?? 0) - (b.column ?? 0),
  );
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The message of a finding, with its hosted cluster if there are several. */
export function withCluster({ hostedCluster, message }: Finding): string {
  return hostedCluster === undefined ? message : `${hostedCluster}: ${message}`;
}

/** Counts findings by severity: `1 error, 2 warnings`. */
export function summary(findings: readonly Finding[], style: Style = PLAIN): string {
  return tally(SEVERITIES, findings, ({ severity }) => severity)
    .map(([severity, count]) => style[severity](counted(count, severity)))
    .join(", ");
}

/**
 * Identities that stay the same when lines move: code, object and field, with a counter for equal ones. Unique within a file. The message is not part of the identity,
 * because another version of anp may change it.
 */
export function identitiesOf(findings: readonly Finding[]): string[] {
  const counts = new Map<string, number>();
  return findings.map((finding) => {
    const identity = [finding.code, objectOf(finding), finding.field].filter((part) => part !== undefined).join(" ");
    const key = JSON.stringify([finding.file, identity]);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count === 1 ? identity : `${identity} #${count}`;
  });
}

function objectOf({ resource }: Finding): string | undefined {
  if (resource === undefined) return undefined;
  const { kind, namespace, name } = resource;
  return `${kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`;
}
