/** What a guarded NodePool asks for in two cells: the policy's entries, and its author's own. */
import { formatRequirement, requirementOf } from "../../karpenter/requirements/requirement.ts";
import { someOf } from "../../krm/counted.ts";
import { splitAtPolicyEnd } from "../../model/policy-end.ts";
import type { NodeSelectorRequirement } from "../../model/requirement.ts";
import { entriesOf } from "../diff/change-node-pool.ts";

export const GUARDED_COLUMNS = ["Policy", "Own"] as const;

/** As many entries are shown, and the others counted. */
const SHOWN = 3;

export function isGuarded(pool: unknown): boolean {
  return splitAtPolicyEnd(entriesOf(pool)).front !== undefined;
}

/** All that a pool asks for is its own where no guard has written it. */
export function guardedCells(pool: unknown): readonly [policy: string, own: string] {
  const { front = [], own } = splitAtPolicyEnd(entriesOf(pool));
  return [cellOf(front), cellOf(own)];
}

function cellOf(entries: readonly NodeSelectorRequirement[]): string {
  const words = entries.map((entry) => `${entry.key} ${formatRequirement(requirementOf(entry))}`);
  return words.length === 0 ? "<none>" : someOf(words, SHOWN);
}
