/** Deletes the NodeClaims above a Hard limit: the first in order that budgets allow. */
import { simulatedNodes, type SimulatedNode } from "../../analyze/simulate/pool-nodes.ts";
import type { ApiError } from "../api/api-answer.ts";
import type { ClusterApi } from "../api/cluster-api.ts";
import { identityOf, type LiveObject } from "../api/live-object.ts";
import { readQuota } from "../api/read-quota.ts";
import { NODE_CLAIMS, NODES, PODS } from "../api/served-kind.ts";
import { stripManagedFields } from "../objects/strip-fields.ts";
import type { ReadProblem } from "../objects/read-problem.ts";
import { type LimitedPool, isTerminating } from "./limited-pools.ts";
import { disruptionAt } from "../../analyze/simulate/timeline.ts";
import { nodesOf } from "../../analyze/simulate/pool-nodes.ts";
import { type Candidate, inDeprovisioningOrder } from "../../karpenter/disruption/node-limit-candidates.ts";
import { surplusOf } from "../../karpenter/disruption/node-limit.ts";
import { type DisruptionReason, REPLACING_REASONS } from "../../model/pools/disruption-reasons.ts";

export interface FailedDeletion {
  /** The name of the NodeClaim. */
  readonly name: string;
  readonly error: ApiError;
}

export interface RemovedSurplus {
  readonly deleted: readonly SurplusNode[];
  /** Why the rest of the surplus stays for now; empty if none does. */
  readonly kept: string;
  /** The first failed deletion: later ones of the pool are not tried. */
  readonly failure: FailedDeletion | undefined;
}

interface Options {
  readonly guest: ClusterApi;
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** @param pools with NodeClaims that were read before */
export async function removeSurplus(
  pools: readonly LimitedPool[],
  options: Options,
): Promise<{ readonly byPool: ReadonlyMap<string, RemovedSurplus>; readonly problems: readonly ReadProblem[] }> {
  const above = pools.filter(({ surplus }) => surplus > 0);
  if (above.length === 0) return { byPool: new Map(), problems: [] };
  const read = await readNodes(options.guest);
  if ("problem" in read) {
    const kept = { deleted: [], kept: "the pods on its nodes are unknown", failure: undefined };
    return { byPool: new Map(above.map(({ name }) => [name, kept])), problems: [read.problem] };
  }
  const byPool = new Map<string, RemovedSurplus>();
  for (const pool of above) byPool.set(pool.name, await removeOf(pool, read.found, options));
  return { byPool, problems: [] };
}

const MIB = 1024 * 1024;

/** Higher than for other lists, because clusters have many pods. */
const POD_LIMITS = { bytes: 1024 * MIB, keptBytes: 256 * MIB, objects: 200_000, ms: 60_000 };

/** Reads nodes and then pods, as late as possible, to see recent marks of Karpenter and new pods. */
async function readNodes(
  guest: ClusterApi,
): Promise<{ readonly found: readonly LiveObject[] } | { readonly problem: ReadProblem }> {
  const found: LiveObject[] = [];
  const budget = readQuota(POD_LIMITS);
  for (const kind of [NODES, PODS]) {
    const answer = await guest.list(kind, { budget, keep: stripManagedFields });
    if (!answer.ok) return { problem: { side: "guest", kind: kind.kind, error: answer.error } };
    found.push(...answer.value.items);
  }
  return { found };
}

async function removeOf(
  pool: LimitedPool,
  found: readonly LiveObject[],
  { guest, dryRun, signal, at }: Options,
): Promise<RemovedSurplus> {
  const objects = [...(pool.claims ?? []), ...found].map((object) => ({
    apiVersion: object.apiVersion,
    kind: object.kind,
    name: object.metadata.name,
    value: { ...object },
  }));
  const { go, later } = surplusNow(pool, simulatedNodes(objects), at);
  const deleted: SurplusNode[] = [];
  for (const node of go) {
    if (signal.aborted) break;
    const answer = await guest.remove(NODE_CLAIMS, identityOf(node.claim), { dryRun });
    if (answer.ok) deleted.push(node);
    // Another writer has changed it since: the next pass evaluates it again.
    else if (answer.error.kind !== "conflict")
      return { deleted, kept: "", failure: { name: node.claim.metadata.name, error: answer.error } };
  }
  return { deleted, kept: later > 0 ? "its budgets let no more nodes go now" : "", failure: undefined };
}

interface SurplusNode {
  readonly claim: LiveObject;
  readonly why: Candidate["why"];
}

/**
 * Selects the NodeClaims to delete now; `later` is how many more must wait for the budgets.
 *
 * @param nodes of all pools; read after the claims, so that the old node of each replacement already has its mark
 */
export function surplusNow(
  { pool, claims = [] }: LimitedPool,
  nodes: readonly SimulatedNode[],
  at: number,
): { readonly go: readonly SurplusNode[]; readonly later: number } {
  const ofPool = nodes.filter(({ nodePool, claim }) => nodePool === pool.name && claim !== undefined);
  const byName = new Map(claims.filter((claim) => !isTerminating(claim)).map((claim) => [claim.metadata.name, claim]));
  const staying = ofPool.filter(({ claim = "", deleting }) => byName.has(claim) && !deleting);
  const surplus = surplusOf(pool.limit, staying.length);
  const mayGo = allowances(pool, ofPool, at);
  const claimOf = new Map(staying.map(({ name, claim = "" }) => [name, byName.get(claim)!]));
  const go: SurplusNode[] = [];
  for (const { name, why } of inDeprovisioningOrder(staying, at, pool.profile).slice(0, surplus)) {
    // Strictly in order: later nodes are those that should stay longer.
    if (go.length >= mayGo(why)) break;
    go.push({ claim: claimOf.get(name)!, why });
  }
  return { go, later: surplus - go.length };
}

/**
 * The disruptions that the pool's own budgets allow, less those in progress. The limit itself is no bound here, because
 * no replacement is launched. Budgets do not count a NodeClaim without an instance.
 */
function allowances(
  pool: LimitedPool["pool"],
  ofPool: readonly SimulatedNode[],
  at: number,
): (why: Candidate["why"]) => number {
  const answers = disruptionAt({ ...pool, limit: undefined }, nodesOf(pool, undefined, ofPool), at);
  const allowed = (...reasons: readonly DisruptionReason[]) =>
    Math.min(...answers.filter(({ reason }) => reasons.includes(reason)).map(({ allowed }) => allowed ?? Infinity));
  const [empty, others] = [allowed("Empty"), allowed(...REPLACING_REASONS)];
  return (why) => (why === "not-launched" ? Infinity : why === "empty" ? empty : others);
}
