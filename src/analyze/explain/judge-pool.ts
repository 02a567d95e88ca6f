/** The verdict of `anp watch` about a pool, by the rules of `anp explain`. */
import { formatRequirement } from "../../karpenter/requirements/requirement.ts";
import { minValuesMissed, whyNoNodes } from "./why-no-nodes.ts";
import { explainPool } from "./explain-pool.ts";
import type { PoolExplanation, Verdict } from "./explanation.ts";
import { BLOCKER } from "../../resolve/guarded-list.ts";
import type { EffectivePolicy } from "../../resolve/policy.ts";
import { poolAsWritten, type ResolvedPool } from "../../resolve/resolve-pool.ts";
import { reservedAnnotations } from "../../model/requirements/reserved-keys.ts";
import type { InstanceTypes } from "./remaining-types.ts";
import { keysBeyond } from "./under-policy.ts";
import { unknownInstanceTypes } from "./unknown-types.ts";

/** `paused`: unsatisfiable only by a limit of 0, which is intended. `unknown`: the instance types are unknown. */
export type PoolVerdict = Verdict | "paused";

export interface JudgedPool {
  readonly pool: string;
  readonly verdict: PoolVerdict;
  /** Empty unless unsatisfiable. */
  readonly why: string;
  /** Whether an entry of the policy is part of the conflict. */
  readonly byPolicy: boolean;
}

/**
 * The verdict is `unknown` if the pool may mean instance types that the catalogue lacks.
 *
 * @param knownTypes undefined without a catalogue
 */
export function judgePool(pool: ResolvedPool, knownTypes: InstanceTypes | undefined): JudgedPool {
  const judged = (verdict: PoolVerdict): JudgedPool => ({ pool: pool.name, verdict, why: "", byPolicy: false });
  if (knownTypes === undefined) return judged("unknown");
  const explained = explainPool(pool, knownTypes);
  const { verdict } = explained;
  if (verdict !== "unsatisfiable") return judged(verdict);
  const unknown = unknownInstanceTypes(explained, knownTypes);
  const explanation = unknown === undefined ? explained : explainPool(pool, unknown);
  const { obstacles, conflict } = explanation;
  if (obstacles.length === 0) return judged("unknown");
  if (obstacles.every((obstacle) => obstacle === "limits-allow-no-node")) return judged("paused");
  return { ...judged(verdict), why: wordsOf(explanation), byPolicy: conflict.some(({ from }) => from === "policy") };
}

/**
 * How a NodePool that users write exceeds the policy and the bounds as it is, without rendering. Empty if it is within
 * both, or blocked. No text of the users is quoted: they may write any number of keys.
 */
export function excessOf(pool: ResolvedPool, policy: EffectivePolicy, knownTypes: InstanceTypes): string[] {
  const written = poolAsWritten(pool);
  if (isBlocked(written)) return [];
  const keys = keysBeyond(written, policy, knownTypes);
  const bounds = pool.bounds.map(({ field, value }) => {
    const name = field.includes("budgets") ? "a budget for Drifted" : String(field.at(-1));
    return `${name} is beyond the bound of ${value}`;
  });
  const reserved = reservedAnnotations(written.spec.template.metadata?.annotations).length > 0;
  return [
    ...(keys.length === 0 ? [] : [`requirements on ${keys.join(", ")} admit nodes that the AutoNodePolicy does not`]),
    ...new Set(bounds),
    ...(reserved ? ["the template has annotations that Karpenter keeps for itself"] : []),
  ];
}

/** Only anp's own blocker is left of its instance types: no nodes come. */
function isBlocked({ merged }: ResolvedPool): boolean {
  const types = merged.find(({ key }) => key === BLOCKER.key)?.effective;
  return types !== undefined && !types.complement && [...types.values].every((one) => BLOCKER.values!.includes(one));
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
