/** What a round of Karpenter adds up to: nodes, pods with a node, money. */
import type { Solved, SolverWorld } from "../../karpenter/solver/world.ts";
import { priceOf, rounded } from "./describe-claim.ts";
import type { PlanAnswer } from "./plan-answer.ts";

export type Sums = Pick<PlanAnswer["summary"], "nodes" | "placed" | "hourly">;

export function sumsOf({ pods }: Pick<SolverWorld, "pods">, { claims, unplaced }: Solved): Sums {
  const hourly = claims.map((claim) => priceOf(claim)?.hourly).reduce(addKnown, 0);
  return {
    nodes: claims.length,
    placed: pods.length - unplaced.length,
    hourly: hourly === undefined ? null : rounded(hourly),
  };
}

/** Unknown as soon as one is. */
export function addKnown(sum: number | undefined, one: number | undefined): number | undefined {
  return sum === undefined || one === undefined ? undefined : sum + one;
}
