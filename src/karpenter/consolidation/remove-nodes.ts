/** What becomes of the pods of nodes that are removed, by a round of the scheduler. */
import { NODE_POOL } from "../../model/requirements/label-keys.ts";
import { memoizeByObject } from "../../model/schema/memoize.ts";
import { solve } from "../solver/solve.ts";
import type { PlannedClaim, SolverPod, SolverPool, SolverWorld, Unplaced } from "../solver/world.ts";
import type { RunningCluster, RunningNode } from "./cluster.ts";

export interface Removal {
  readonly claims: readonly PlannedClaim[];
  readonly existing: ReadonlyMap<string, readonly SolverPod[]>;
  /** Pods that would have no place; those that are pending anyway do not count. */
  readonly failed: readonly FailedPod[];
}

export interface FailedPod {
  readonly pod: SolverPod;
  /** What each pool says, or the node that is not initialized yet and would have to take it. */
  readonly why: Unplaced | { readonly uninitialized: string };
}

export interface RemovalOptions {
  /** Whether nodes whose `consolidateAfter` is not over take no pods: in consolidation, not in drift. */
  readonly sparesNew: boolean;
  /** A reservation that gets an instance back first; then no other capacity is used instead. */
  readonly credited?: string | undefined;
}

/** `SimulateScheduling` (pkg/controllers/disruption/helpers.go). "no-pools" is its error: then nothing is decided. */
export function removeNodes(
  cluster: RunningCluster,
  nodes: readonly RunningNode[],
  { sparesNew, credited }: RemovalOptions,
): Removal | "no-pools" {
  const world = worldWithout(cluster, nodes, credited);
  if (world.domainPools.length === 0) return "no-pools";
  const solved = solve(sparesNew ? world : { ...world, pods: world.pods.map(standing) });
  const pending = new Set(cluster.pending.map(idOf));
  const leaving = new Set(cluster.leaving.map(idOf));
  const uninitialized = cluster.nodes.filter(({ solver }) => !solver.initialized);
  return {
    claims: solved.claims,
    existing: solved.existing,
    failed: [
      ...solved.unplaced.flatMap((one) => (pending.has(idOf(one.pod)) ? [] : [{ pod: one.pod, why: one }])),
      ...uninitialized.flatMap(({ solver: { name } }) =>
        (solved.existing.get(name) ?? []).flatMap((pod) =>
          pending.has(idOf(pod)) || leaving.has(idOf(pod)) ? [] : [{ pod, why: { uninitialized: name } }],
        ),
      ),
    ],
  };
}

function standing(pod: SolverPod): SolverPod {
  return { ...pod, isRunning: false };
}

/** `namespace/name`. */
export function idOf({ shape, name }: SolverPod): string {
  return `${shape.namespace}/${name}`;
}

/** What a round of the scheduler starts from if these nodes go. @param credited as in `RemovalOptions` */
export function worldWithout(
  { base, nodes, going, others, pending, leaving }: RunningCluster,
  removed: readonly RunningNode[],
  credited: string | undefined,
): SolverWorld {
  const gone = new Set(removed);
  const left = nodes.filter((node) => !gone.has(node));
  const moved = removed.flatMap(({ pods }) => pods.flatMap(({ moves }) => moves ?? []));
  return {
    ...base,
    fallsBack: credited === undefined,
    credited,
    pools: base.pools.map((pool) => plusCapacity(pool, removed, 1n)),
    pods: [...pending, ...moved, ...leaving],
    nodes: left.map(({ solver }) => solver),
    around: {
      nodes: [
        ...left.flatMap(({ labelled }) => labelled ?? []),
        ...removed.flatMap(({ labelled }) => (labelled === undefined ? [] : [{ ...labelled, isActive: false }])),
        ...going,
      ],
      pods: [
        ...left.flatMap(boundPods),
        ...removed.flatMap(({ pods }) =>
          pods.flatMap(({ bound, moves }) => (moves === undefined ? (bound ?? []) : [])),
        ),
        ...others,
      ],
    },
  };
}

/** Kept, since many rounds have the same nodes. */
const boundPods = memoizeByObject(({ pods }: RunningNode) => pods.flatMap(({ bound }) => bound ?? []));
const ONE = 10n ** 9n;

/** What is left of the limits of a pool if its nodes among these go, or with the sign -1 if they come. */
export function plusCapacity(pool: SolverPool, nodes: readonly RunningNode[], sign: bigint): SolverPool {
  if (pool.left.size === 0) return pool;
  const own = nodes.filter(({ labels }) => labels[NODE_POOL] === pool.name);
  if (own.length === 0) return pool;
  const amountOf = (resource: string): bigint =>
    own.reduce((sum, { capacity }) => sum + (resource === "nodes" ? ONE : (capacity.get(resource) ?? 0n)), 0n);
  const left = [...pool.left].map(([resource, amount]) => [resource, amount + sign * amountOf(resource)] as const);
  return { ...pool, left: new Map(left) };
}
