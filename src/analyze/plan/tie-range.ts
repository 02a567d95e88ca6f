/** What a plan adds up to if Karpenter chooses otherwise where it chooses at random. */
import type { Solved, SolverPod } from "../../karpenter/solver/world.ts";
import type { PlanAnswer } from "./plan-answer.ts";
import type { Sums } from "./plan-sums.ts";
import { planRound } from "./plan-round.ts";
import type { PlanWorld } from "./plan-world.ts";
import { following, replay, type Turn, turn } from "./tie-turns.ts";

/** How many other sequences of choices are tried. */
const MOST_TRIED = 96;
/** The first of them have nothing to do with each other; the others change one that led far. */
const FIRST_TRIED = 24;
/** Of so many sequences or fewer, each is tried. */
const MOST_SEQUENCES = 64;
/** How often the topology of a pod on a node is looked at, in all runs together: less than a second. */
const MOST_LOOKED = 250_000;
/** With more pods, a single run may take too long. */
const MOST_PODS = 2000;

/** Null if it is sure that no choice changes a sum. @param first the plan by name, with its sums */
export function rangeOverTies(
  planned: PlanWorld,
  first: Solved,
  sums: Sums,
  sumsOf: (solved: Solved) => Sums,
): PlanAnswer["summary"]["range"] {
  const { hasTies, isOfFirst } = first.chance;
  if (!hasTies && !isOfFirst) return null;
  const { all, complete } = otherSums(planned, first, sumsOf);
  const range = { ...rangeOf([sums, ...all]), tried: all.length, complete };
  const { nodes, placed, hourly } = range;
  return complete && [nodes, placed, hourly].every((one) => one === null || one.least === one.most) ? null : range;
}

/** Rounds in which Karpenter chooses otherwise; those of two worlds are in the same order. None with too many pods. */
export function otherRounds(planned: PlanWorld): Solved[] {
  if (planned.world.pods.length > MOST_PODS) return [];
  return Array.from({ length: OTHERS }, (_, at) =>
    planRound({ ...planned, world: { ...planned.world, choose: turn(at + 1).choose } }),
  );
}

const OTHERS = 8;

function otherSums(planned: PlanWorld, first: Solved, sumsOf: (solved: Solved) => Sums) {
  const { pods } = planned.world;
  const all: Sums[] = [];
  const spent = { looked: 0 };
  const run = (one: Turn): Sums => {
    const listed = first.chance.isOfFirst ? shuffled(pods, one.random) : pods;
    const solved = planRound({ ...planned, world: { ...planned.world, pods: listed, choose: one.choose } });
    spent.looked += solved.looked;
    const made = sumsOf(solved);
    all.push(made);
    return made;
  };
  if (pods.length > MOST_PODS) return { all, complete: false };
  if (!first.chance.isOfFirst && isEach(run)) return { all, complete: true };
  const furthest = ENDS.map((end) => ({ end, value: -Infinity, picks: [] as readonly number[] }));
  for (let number = 1; number <= MOST_TRIED && spent.looked < MOST_LOOKED; number++) {
    const from = number <= FIRST_TRIED ? [] : furthest[number % furthest.length]!.picks;
    const one = turn(number, from.slice(0, Math.floor(turn(number).random() * from.length)));
    const made = run(one);
    for (const known of furthest) {
      const value = known.end(made);
      if (value < known.value) continue;
      known.value = value;
      known.picks = one.taken.picks;
    }
  }
  return { all, complete: false };
}

/** Tries all sequences if they are few, judged by the first. @returns whether it has */
function isEach(run: (one: Turn) => Sums): boolean {
  let next: readonly number[] | undefined = [];
  for (let tried = 0; next !== undefined; tried++) {
    const one: Turn = replay(next);
    run(one);
    const sequences = one.taken.counts.reduce((product, count) => product * count, 1);
    if (tried >= MOST_SEQUENCES || sequences > MOST_SEQUENCES) return false;
    next = following(one.taken);
  }
  return true;
}

/** The directions in which sums differ. */
const ENDS: readonly ((sums: Sums) => number)[] = [
  ({ nodes }) => nodes,
  ({ nodes }) => -nodes,
  ({ placed }) => placed,
  ({ placed }) => -placed,
  ({ hourly }) => hourly ?? 0,
  ({ hourly }) => -(hourly ?? 0),
];

function rangeOf(all: readonly Sums[]) {
  const between = (numbers: readonly number[]) => ({ least: Math.min(...numbers), most: Math.max(...numbers) });
  const prices = all.flatMap(({ hourly }) => hourly ?? []);
  return {
    nodes: between(all.map(({ nodes }) => nodes)),
    placed: between(all.map(({ placed }) => placed)),
    hourly: prices.length < all.length ? null : between(prices),
  };
}

/** Karpenter lists pods in any order; its queue does not depend on it. */
function shuffled(pods: readonly SolverPod[], random: () => number): SolverPod[] {
  return pods
    .map((pod) => ({ pod, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ pod }) => pod);
}
