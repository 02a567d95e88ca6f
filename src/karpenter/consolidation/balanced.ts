/** The scores of moves in pools with the policy Balanced: what they save for what they disrupt. */
import type { Candidate, Command, PoolTotals } from "./cluster.ts";

/** A move is approved from this score on: the inverse of `BalancedK` (pkg/apis/v1/nodepool.go). */
export const BALANCED_THRESHOLD = 1 / 2;

export interface Score {
  readonly pool: string;
  /** Savings as a part of what the pool costs, for disruption as a part of that of all its nodes. */
  readonly score: number;
  readonly savings: number;
  readonly disruption: number;
  readonly approved: boolean;
}

/** `ScoreMove` (pkg/controllers/disruption/balanced.go). */
function scoreOf(pool: string, savings: number, cost: number, totals: PoolTotals): Score {
  const isKnown = totals.price > 0 && totals.cost > 0;
  const saved = isKnown ? savings / totals.price : 0;
  const disruption = isKnown ? cost / totals.cost : 0;
  const score = saved <= 0 ? 0 : disruption === 0 ? Infinity : saved / disruption;
  return { pool, score, savings: saved, disruption, approved: score >= BALANCED_THRESHOLD };
}

/** `EvaluateBalancedMove`: the score in each pool with the policy; each of them has to approve. @param savings an hour */
export function scoresOf({ candidates }: Command, savings: number): Score[] {
  const pools = Map.groupBy(candidates, ({ pool }) => pool);
  const all = sumOf(candidates);
  return [...pools].flatMap(([{ name, policy, totals }, own]) => {
    if (policy !== "Balanced") return [];
    const share = all > 0 && pools.size > 1 ? savings * (sumOf(own) / all) : savings;
    return [
      scoreOf(
        name,
        share,
        own.reduce((sum, { cost }) => sum + cost, 0),
        totals,
      ),
    ];
  });
}

function sumOf(candidates: readonly Candidate[]): number {
  return candidates.reduce((sum, { price }) => sum + price, 0);
}

/** `CanPassThreshold`: nothing scores better than the removal of the node without a replacement. */
export function mayPass({ pool: { name, policy, totals }, price, cost }: Candidate): boolean {
  return policy !== "Balanced" || totals.price <= 0 || scoreOf(name, price, cost, totals).approved;
}
