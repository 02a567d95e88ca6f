/** One round of Karpenter for a planned world, and what each pool does with the pods. */
import { isDeferred, solve } from "../../karpenter/solver/solve.ts";
import type { Tie } from "../../karpenter/solver/topology.ts";
import type { PlannedClaim, Refusal, Solved, Unplaced } from "../../karpenter/solver/world.ts";
import { limitsText } from "../explain/pool-limits.ts";
import { launchFailure, type PoolAttempt } from "../pods/pool-attempts.ts";
import type { PlanWorld } from "./plan-world.ts";

export const TOPOLOGY_CONSTRAINTS = "the topology constraints of the pod";

/** NodeClaims of which no node starts are left out, and their pods have no node. */
export function planRound({ world, targets }: Pick<PlanWorld, "world" | "targets">): Solved {
  const solved = solve(world);
  const targetOf = new Map(targets.map((target) => [target.pool.name, target]));
  const claims: PlannedClaim[] = [];
  const failed: Unplaced[] = [];
  for (const claim of solved.claims) {
    const failure = launchFailure(claim, targetOf.get(claim.pool.name)!);
    const why = failure === undefined ? undefined : ({ why: "launch", sentence: failure.sentence } as const);
    if (why === undefined) claims.push(claim);
    else failed.push(...claim.pods.map((pod) => ({ pod, picked: claim.pool, refusals: [why] })));
  }
  return failed.length === 0 ? solved : { ...solved, claims, unplaced: [...solved.unplaced, ...failed] };
}

/** What a round makes of pods that are alike. */
export interface Fate {
  /** By pool, the number of pods on its new nodes. */
  readonly taken: ReadonlyMap<string, number>;
  /** The first without a node. */
  readonly unplaced: Unplaced | undefined;
  /** How many they are. */
  readonly pods: number;
}

/**
 * In the order in which Karpenter tries the pools.
 *
 * @param alone what each pool would do if there were no other pod
 */
export function attemptsOf(alone: readonly PoolAttempt[], fate: Fate, { world, targets }: PlanWorld): PoolAttempt[] {
  const { taken, unplaced, pods } = fate;
  const { picked, refusals = [] } = unplaced ?? {};
  const refusalOf =
    picked === undefined
      ? new Map(refusals.map((refusal, place) => [world.pools[place]!.name, refusal]))
      : new Map([[picked.name, refusals[0]!]]);
  const first = picked?.name ?? taken.keys().next().value;
  const why = (name: string): string => {
    const refusal = refusalOf.get(name);
    if (refusal === undefined && isDeferred(refusals)) return NOT_TRIED;
    return sentenceOf(refusal, limitsText(targets.find(({ pool }) => pool.name === name)!.pool));
  };
  return alone.map((attempt) => {
    const { pool, fits, sentence } = attempt;
    const how = fits && sentence !== "" ? ` ${sentence}` : "";
    const count = taken.get(pool);
    if (count !== undefined) {
      const takes = `takes ${pods === 1 ? "it" : count === pods ? `all ${pods}` : `${count} of ${pods}`}${how}`;
      return {
        ...attempt,
        fits: true,
        reason: null,
        sentence: unplaced === undefined ? takes : `${takes}; ${why(pool)}`,
      };
    }
    if (!fits) return attempt;
    if (unplaced === undefined || (picked !== undefined && picked.name !== pool))
      return {
        ...attempt,
        sentence: `could take ${pods === 1 ? "it" : "them"}${how}; Karpenter picks ${first!} first`,
      };
    return { ...attempt, sentence: why(pool) };
  });
}

/** For a pool that would take the pod if it were the only one. */
function sentenceOf(refusal: Refusal | undefined, limits: string): string {
  switch (refusal?.why) {
    case "node-limit":
      return `its limit of nodes is reached: ${limits}`;
    case "topology": {
      const { type, key } = refusal.group.term;
      return `unsatisfiable topology constraint for ${TOPOLOGY_WORDS[type]}, key=${key}: no domain of its nodes is left`;
    }
    case "domain":
      return [...refusal.allowed].map(([key, { values }]) => domainSentence(key, values, refusal.ties)).join("; ");
    case "requirements":
      return `incompatible requirements, ${refusal.sentence()}`;
    case "reserved":
      return "the nodes of this round may use up its reservations; Karpenter tries again once they run";
    case "reservations-full":
      return "the reservations that suit it are full, and no other capacity does: Karpenter waits until one has an instance left";
    case "min-values":
      return "minValues requirement is not met among the types that are left";
    case "launch":
      return refusal.sentence;
    default:
      return limits === ""
        ? "no instance type is left that meets everything at once"
        : `the nodes of this round may use up its limits: ${limits}; Karpenter counts the largest type that each may be, and tries again once they run`;
  }
}

function domainSentence(key: string, values: ReadonlySet<string>, ties: readonly Tie[]): string {
  const others = new Set(ties.flatMap((tie) => (tie.key === key ? tie.instead : [])));
  const instead = others.size === 0 ? "" : `; Karpenter may try ${[...others].join(" or ")} instead`;
  return `its topology constraints ask for ${key} ${[...values].join(" or ")}, where no instance type is left${instead}`;
}

/** What keeps a pool from taking a pod that it would take if there were no other pod. */
export function withoutWhich({ picked, refusals }: Unplaced, pool: string, { world }: PlanWorld): string {
  const refusal = picked === undefined ? refusals[world.pools.findIndex(({ name }) => name === pool)] : refusals[0];
  return REASONS[refusal?.why ?? ""] ?? "the other pods";
}

const REASONS: Readonly<Record<string, string>> = {
  topology: TOPOLOGY_CONSTRAINTS,
  domain: TOPOLOGY_CONSTRAINTS,
  limits: "its limits in this round",
  "node-limit": "its limit of nodes",
  reserved: "its reservations in this round",
  "reservations-full": "its reservations, which are full",
};

const NOT_TRIED = "Karpenter does not try it while the pod waits for reserved capacity of another pool";

export const TOPOLOGY_WORDS = {
  spread: "topology spread",
  affinity: "pod affinity",
  "anti-affinity": "pod anti-affinity",
} as const;
