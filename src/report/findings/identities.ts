/** Identities of findings that stay the same when lines move. */
import type { Finding } from "../../krm/finding.ts";

/**
 * Code, object and field, with a counter for equal ones. Unique within a file. The message is not part of the identity,
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
