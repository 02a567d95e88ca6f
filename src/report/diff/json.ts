/** Changes as JSON for programs. */
import type { Change } from "../../analyze/diff/compare-clusters.ts";
import type { PolicyChange } from "../../analyze/diff/policies/policy-changes.ts";
import type { InputMode } from "../../model/input-mode.ts";
import { formatGoDuration } from "../../model/go-duration.ts";
import { jsonText } from "../../krm/exact-integer.ts";
import { policyJson } from "./policies-json.ts";
import { printableJson } from "../terminal/printable.ts";

/** What nobody knows is null (docs/diff.md#for-programs-and-pull-requests). */
export function diffJson(changes: readonly Change[], mode: InputMode, policies: readonly PolicyChange[] = []): string {
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
  const all = { schemaVersion: 1, mode, policies: policies.map(policyJson), changes: list };
  return printableJson(`${jsonText(all, 2)}\n`);
}
