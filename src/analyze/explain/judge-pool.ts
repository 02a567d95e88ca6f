/** What a watch says of a pool, judged as `anp explain` does. */
import { formatRequirement } from "../../karpenter/requirements/requirement.ts";
import { minValuesMissed } from "./min-values-words.ts";
import { explainPool } from "./explain-pool.ts";
import type { PoolExplanation, Verdict } from "./explanation.ts";
import type { ResolvedPool } from "../../resolve/resolve-pool.ts";
import type { Market } from "./remaining-types.ts";
import { marketOfUnknown } from "./unknown-types.ts";
import { whyNoNodes } from "./why-no-nodes.ts";

/** `paused`: unsatisfiable by a limit of 0 alone, which somebody meant. `unknown`: nobody can tell. */
export type PoolVerdict = Verdict | "paused";

export interface JudgedPool {
  readonly pool: string;
  readonly verdict: PoolVerdict;
  /** Empty unless unsatisfiable. */
  readonly why: string;
  /** Whether an entry of the policy is among what leaves it no instance type. */
  readonly byPolicy: boolean;
}

/** Left open where the catalogue may not know the types that are meant. @param market undefined without a catalogue */
export function judgePool(pool: ResolvedPool, market: Market | undefined): JudgedPool {
  const told = (verdict: PoolVerdict): JudgedPool => ({ pool: pool.name, verdict, why: "", byPolicy: false });
  if (market === undefined) return told("unknown");
  const known = explainPool(pool, market);
  const { verdict } = known;
  if (verdict !== "unsatisfiable") return told(verdict);
  const unknown = marketOfUnknown(known, market);
  const explanation = unknown === undefined ? known : explainPool(pool, unknown);
  const { obstacles, conflict } = explanation;
  if (obstacles.length === 0) return told("unknown");
  if (obstacles.every((obstacle) => obstacle === "limits-allow-no-node")) return told("paused");
  return { ...told(verdict), why: wordsOf(explanation), byPolicy: conflict.some(({ from }) => from === "policy") };
}

function wordsOf(explanation: PoolExplanation): string {
  const { pool, conflict, noNodes } = explanation;
  return whyNoNodes({
    conflict: conflict.map(({ from, requirement }) => ({
      from,
      key: requirement.key,
      requirement: formatRequirement(requirement),
    })),
    minValuesMissed: minValuesMissed(explanation),
    noNodes: noNodes.map(({ message }) => message),
    nodeClass: pool.nodeClassRef.name,
  });
}
