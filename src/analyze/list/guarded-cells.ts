/** Two table cells for a guarded NodePool: the policy's requirements and the pool's own. */
import { formatRequirement, requirementOf } from "../../karpenter/requirements/requirement.ts";
import { someOf } from "../../krm/counted.ts";
import { splitAtPolicyEnd } from "../../model/policy-end.ts";
import type { NodeSelectorRequirement } from "../../model/requirement.ts";
import { entriesOf } from "../diff/change-node-pool.ts";

export const GUARDED_COLUMNS = ["Policy", "Own"] as const;

/** The number of entries shown. The others are counted. */
const SHOWN = 3;

export function isGuarded(pool: unknown): boolean {
  return splitAtPolicyEnd(entriesOf(pool)).front !== undefined;
}

/** Without entries of a guard, all requirements are the pool's own. */
export function guardedCells(pool: unknown): readonly [policy: string, own: string] {
  const { front = [], own } = splitAtPolicyEnd(entriesOf(pool));
  return [cellOf(front), cellOf(own)];
}

function cellOf(entries: readonly NodeSelectorRequirement[]): string {
  const words = entries.map((entry) => `${entry.key} ${formatRequirement(requirementOf(entry))}`);
  return words.length === 0 ? "<none>" : someOf(words, SHOWN);
}
