/** Changes as JSON for programs: DESIGN.md 4, schemaVersion 1; what nobody knows is null. */
import type { Change } from "../analyze/compare-clusters.ts";
import { formatGoDuration } from "../model/go-duration.ts";
import { jsonOf } from "./diff-value.ts";

export function diffJson(changes: readonly Change[]): string {
  const list = changes.map(({ resource, hostedCluster, action, effect, fields, nodes }) => ({
    resource: { ...resource, ...(hostedCluster === undefined ? {} : { hostedCluster }) },
    action,
    effect,
    fields: fields.map(({ path, from, to }) => ({ path, from: from ?? null, to: to ?? null })),
    nodes: { ...nodes, minDuration: nodes.minDuration === null ? null : formatGoDuration(nodes.minDuration) },
  }));
  return `${jsonOf({ schemaVersion: 1, changes: list }, 2)}\n`;
}
