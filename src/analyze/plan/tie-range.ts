/** What a plan adds up to if Karpenter chooses otherwise where it chooses at random. */
import type { TieOrder } from "../../karpenter/solver/topology-group.ts";
import type { Solved } from "../../karpenter/solver/world.ts";
import type { PlanAnswer } from "./plan-answer.ts";
import { planRound } from "./plan-round.ts";
import type { PlanWorld } from "./plan-world.ts";

type Sums = Pick<PlanAnswer["summary"], "nodes" | "placed" | "hourly">;

/** How many other choices are tried. */
const TRIED = 8;
/** With more pods, trying takes too long. */
const MOST_PODS = 2000;

/** Null if no choice changes a sum, or if none was tried. @param first the plan by name, with its sums */
export function rangeOverTies(
  planned: PlanWorld,
  first: Solved,
  sums: Sums,
  sumsOf: (solved: Solved) => Sums,
): PlanAnswer["summary"]["range"] {
  if (!hasTies(first) || planned.world.pods.length > MOST_PODS) return null;
  const others = Array.from({ length: TRIED }, (_, turn) => sumsOf(planRound(planned, tieOrder(turn))));
  const all = [sums, ...others];
  const between = (numbers: readonly number[]) => ({ least: Math.min(...numbers), most: Math.max(...numbers) });
  const prices = all.flatMap(({ hourly }) => hourly ?? []);
  const range = {
    nodes: between(all.map(({ nodes }) => nodes)),
    placed: between(all.map(({ placed }) => placed)),
    hourly: prices.length < all.length ? null : between(prices),
    tried: TRIED,
  };
  const { nodes, placed, hourly } = range;
  return [nodes, placed, hourly].every((one) => one === null || one.least === one.most) ? null : range;
}

function hasTies({ claims, unplaced }: Solved): boolean {
  return (
    claims.some(({ ties }) => ties.length > 0) ||
    unplaced.some(({ refusals }) => refusals.some((one) => one.why === "domain" && one.ties.length > 0))
  );
}

/** The last by name, then turns of a fixed sequence: the same input has the same range. */
function tieOrder(turn: number): TieOrder {
  if (turn === 0) return (sorted) => sorted.toReversed();
  let state = turn;
  return (sorted) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const at = (state >>> 8) % sorted.length;
    return [...sorted.slice(at), ...sorted.slice(0, at)];
  };
}
