/** Changes as JSON for programs. */
import type { Change } from "../../analyze/diff/compare-clusters.ts";
import type { InputMode } from "../../model/input-mode.ts";
import { formatGoDuration } from "../../model/go-duration.ts";
import { jsonText } from "../../krm/exact-integer.ts";
import { printableJson } from "../terminal/printable.ts";

/** What nobody knows is null (docs/diff.md#for-programs-and-pull-requests). */
export function diffJson(changes: readonly Change[], mode: InputMode): string {
  const list = changes.map(({ resource, hostedCluster, action, effect, forever, fields, nodes }) => ({
    resource: { ...resource, ...(hostedCluster === undefined ? {} : { hostedCluster }) },
    action,
    effect,
    ...(forever ? { forever } : {}),
    fields: fields.map(({ path, from, to, ofWrapper }) => ({
      path,
      from: from ?? null,
      to: to ?? null,
      ...(ofWrapper ? { ofWrapper } : {}),
    })),
    nodes: { ...nodes, minDuration: nodes.minDuration === null ? null : formatGoDuration(nodes.minDuration) },
  }));
  return printableJson(`${jsonText({ schemaVersion: 1, mode, changes: list }, 2)}\n`);
}
