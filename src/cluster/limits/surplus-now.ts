/** Selects the NodeClaims above a limit to delete now: the first in order that budgets allow. */
import { disruptionAt } from "../../analyze/simulate/disruption.ts";
import type { SimulatedNode } from "../../analyze/simulate/nodes.ts";
import { nodesOf } from "../../analyze/simulate/pool-nodes.ts";
import { type Candidate, inDeprovisioningOrder } from "../../karpenter/disruption/node-limit-candidates.ts";
import { surplusOf } from "../../karpenter/disruption/node-limit.ts";
import { type DisruptionReason, REPLACING_REASONS } from "../../model/disruption-reasons.ts";
import type { LiveObject } from "../api/live-object.ts";
import { isTerminating, type LimitedPool } from "./limited-pools.ts";

export interface SurplusNode {
  readonly claim: LiveObject;
  readonly why: Candidate["why"];
}

export interface SurplusNow {
  readonly go: readonly SurplusNode[];
  /** How many more must wait for the budgets. */
  readonly later: number;
}

/** @param nodes of all pools; read after the claims, so that the old node of each replacement already has its mark */
export function surplusNow(
  { pool, claims = [] }: LimitedPool,
  nodes: readonly SimulatedNode[],
  at: number,
): SurplusNow {
  const ofPool = nodes.filter(({ nodePool, claim }) => nodePool === pool.name && claim !== undefined);
  const byName = new Map(claims.filter((claim) => !isTerminating(claim)).map((claim) => [claim.metadata.name, claim]));
  const staying = ofPool.filter(({ claim = "", deleting }) => byName.has(claim) && !deleting);
  const surplus = surplusOf(pool.limit, staying.length);
  const mayGo = allowances({ pool, ofPool, at });
  const claimOf = new Map(staying.map(({ name, claim = "" }) => [name, byName.get(claim)!]));
  const go: SurplusNode[] = [];
  for (const { name, why } of inDeprovisioningOrder(staying, at, pool.profile).slice(0, surplus)) {
    // Strictly in order: later nodes are those that should stay longer.
    if (go.length >= mayGo(why)) break;
    go.push({ claim: claimOf.get(name)!, why });
  }
  return { go, later: surplus - go.length };
}

interface Asked {
  readonly pool: LimitedPool["pool"];
  readonly ofPool: readonly SimulatedNode[];
  readonly at: number;
}

/**
 * The disruptions that the pool's own budgets allow, less those in progress. The limit itself is no bound here, because
 * no replacement is launched. Budgets do not count a NodeClaim without an instance.
 */
function allowances({ pool, ofPool, at }: Asked): (why: Candidate["why"]) => number {
  const answers = disruptionAt({ ...pool, limit: undefined }, nodesOf(pool, undefined, ofPool), at);
  const allowed = (...reasons: readonly DisruptionReason[]) =>
    Math.min(...answers.filter(({ reason }) => reasons.includes(reason)).map(({ allowed }) => allowed ?? Infinity));
  const [empty, others] = [allowed("Empty"), allowed(...REPLACING_REASONS)];
  return (why) => (why === "not-launched" ? Infinity : why === "empty" ? empty : others);
}
