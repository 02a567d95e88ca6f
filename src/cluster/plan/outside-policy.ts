/** The live pools that lack entries of the policy in force. */
import { canonical } from "../../krm/canonical.ts";
import { valueAt } from "../../krm/field-path.ts";
import type { NodeSelectorRequirement } from "../../model/requirement.ts";
import type { LiveObject } from "../api/live-object.ts";

export function poolsOutside(pools: readonly LiveObject[], entries: readonly NodeSelectorRequirement[]): string[] {
  const wanted = entries.map(canonical);
  return pools
    .filter((pool) => {
      const live = valueAt(pool, ["spec", "template", "spec", "requirements"]);
      const there = new Set((Array.isArray(live) ? live : []).map(canonical));
      return !wanted.every((entry) => there.has(entry));
    })
    .map(({ metadata }) => metadata.name)
    .toSorted();
}
