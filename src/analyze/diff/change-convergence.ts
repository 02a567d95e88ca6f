/** When each change holds for the nodes that run, and when all changes do. */
import { canonical } from "../../krm/canonical.ts";
import { type FieldPath, valueAt } from "../../krm/field-path.ts";
import type { KubeObject } from "../../model/kube-object.ts";
import { memoizeByPair } from "../../model/memoize.ts";
import type { NodeFacts } from "../nodes/node-data.ts";
import type { Rollout } from "../running/rollout.ts";
import {
  lastOf,
  type Moment,
  rolloutOfNodes,
  type Convergence,
  neverConverges,
  convergenceOf,
  convergenceOfRemoval,
  type ConvergingNodes,
} from "../running/convergence.ts";
import { REPLACING, worstEffect } from "./change-effect.ts";
import { changedNodes, type ChangedNodes, countNodes, nodesOfPool, type Pacing } from "./change-nodes.ts";
import { type Change, type ChangeConvergence, pairsOf, type SideCluster } from "./compare-clusters.ts";
import { placeOf } from "./compare-objects.ts";
import { nonDisruptiveWaysOf } from "./non-disruptive-ways.ts";
import { runningPoolOf } from "./running-pool.ts";
import type { SideObject } from "./side-object.ts";
import { classOf, isClassKind } from "./sides-by-id.ts";

interface Known extends Moment {
  /** Undefined if the nodes are unknown. */
  readonly nodes: readonly NodeFacts[] | undefined;
}

/** Adds to each change its nodes, if those are known, and when it holds. */
export function withConvergence(
  changes: readonly Change[],
  from: readonly SideCluster[],
  to: readonly SideCluster[],
  known: Known,
): Change[] {
  const pairs = pairsOf(from, to) ?? [];
  const byCluster = new Map(
    pairs.map(([old, now]) => [now.hostedCluster ?? old.hostedCluster, clusterPoolsOf(old, now)]),
  );
  const [only] = byCluster.values();
  return changes.map((change) => {
    const cluster = change.hostedCluster === undefined ? only : byCluster.get(change.hostedCluster);
    return cluster === undefined ? change : withTimes(change, cluster, known);
  });
}

/** The fastest rollout of each pool with nodes that the change replaces; empty if the nodes are unknown. */
export function changeRollout(
  change: Change,
  {
    from,
    to,
    nodes,
    ...moment
  }: Known & { readonly from: readonly SideCluster[]; readonly to: readonly SideCluster[] },
): { readonly pool: string; readonly rollout: Rollout; readonly total: number }[] {
  const [pair, ...others] = pairsOf(from, to) ?? [];
  if (nodes === undefined || pair === undefined || others.length > 0) return [];
  if (!REPLACING.has(change.effect) || change.effect === "removes-nodes") return [];
  const cluster = clusterPoolsOf(...pair);
  const changed = changedNodes(change, { nodes, pools: cluster.pools });
  return poolsOf(change, cluster).flatMap(({ name, old, now }) => {
    if (old === undefined) return [];
    const own = nodesOf(name, changed);
    const rollout = rolloutOfNodes(runningPoolOf(old, now), own, moment);
    return own.affected.length === 0 ? [] : [{ pool: name, rollout, total: own.all.length }];
  });
}

/** The change that holds last; undefined if none replaces a node. */
export function fleetConvergence(
  changes: readonly Change[],
): (ChangeConvergence & Pick<Change, "resource" | "hostedCluster">) | undefined {
  return lastOf(
    changes.flatMap(({ settles, resource, hostedCluster }) =>
      settles === undefined ? [] : [{ ...settles, path: [], resource, hostedCluster }],
    ),
  );
}

/** The pools of one hosted cluster on both sides, by name. */
interface ClusterPools {
  readonly old: ReadonlyMap<string, SideObject>;
  readonly now: ReadonlyMap<string, SideObject>;
  /** The pools of the new side by their node class. */
  readonly byClass: ReadonlyMap<string, readonly (readonly [string, SideObject])[]>;
  /** The pools of both sides; the new one if both have it. */
  readonly pools: ReadonlyMap<string, KubeObject>;
}

const clusterPoolsOf = memoizeByPair((before: SideCluster, after: SideCluster): ClusterPools => {
  const byName = ({ objects }: SideCluster) =>
    new Map(
      objects.filter(({ object }) => object.kind === "NodePool").map((one) => [one.object.metadata.name, one] as const),
    );
  const [old, now] = [byName(before), byName(after)];
  const byClass = Map.groupBy(now, ([, { object }]) => classOf(object));
  return { old, now, byClass, pools: new Map([...old, ...now].map(([name, { object }]) => [name, object])) };
});

function withTimes(change: Change, cluster: ClusterPools, { nodes, at, nodeTime }: Known): Change {
  const pools = poolsOf(change, cluster);
  const moment = { at, nodeTime };
  if (nodes === undefined) return withWays(change, pools, describe(change, pools, undefined, moment));
  const changed = changedNodes(change, { nodes, pools: cluster.pools });
  const running: Pacing["running"] = new Map(
    pools.map(({ name, old, now }) => [name, runningPoolOf(old ?? now!, now)] as const),
  );
  const counted = { ...change, nodes: countNodes(change, changed, { running, ...moment }) };
  return withWays(counted, pools, describe(change, pools, changed, moment));
}

function withWays(change: Change, pools: readonly PoolOfChange[], settles: ChangeConvergence | undefined): Change {
  return { ...change, settles, keeping: nonDisruptiveWaysOf(change, pools, settles) };
}

interface PoolOfChange {
  readonly name: string;
  /** Undefined if the pool is new. */
  readonly old: SideObject | undefined;
  /** Undefined if the pool was removed. */
  readonly now: SideObject | undefined;
}

/** The changed pool itself, or the pools of the new side that use the changed class. */
function poolsOf({ resource: { kind, name } }: Change, { old, now, byClass }: ClusterPools): PoolOfChange[] {
  if (kind === "NodePool") return [{ name, old: old.get(name), now: now.get(name) }];
  if (!isClassKind(kind)) return [];
  const own = byClass.get(`${kind}/${name}`) ?? [];
  return own.map(([pool, side]) => ({ name: pool, old: old.get(pool), now: side }));
}

function describe(
  change: Change,
  pools: readonly PoolOfChange[],
  changed: ChangedNodes | undefined,
  moment: Moment,
): ChangeConvergence | undefined {
  if (!REPLACING.has(change.effect)) return undefined;
  const ends = pools.flatMap((pool) => {
    // A new pool has no nodes.
    if (pool.old === undefined) return [];
    const end = endOf(change, pool, changed && nodesOf(pool.name, changed), moment);
    const why = `${change.resource.kind === "NodePool" ? "" : `NodePool ${pool.name}: `}${end.why}${lifetimeWords(pool, end)}`;
    return [{ ...end, why, ...placed(pool.now, end.path) }];
  });
  const last = lastOf(ends);
  if (last === undefined) return undefined;
  const { until, earliest, latest, why, file, line } = last;
  return { until, earliest, latest, why, file, line };
}

function endOf(
  change: Change,
  { old, now }: PoolOfChange,
  nodes: ConvergingNodes | undefined,
  moment: Moment,
): Convergence {
  const pool = runningPoolOf(old!, now);
  const { effect, fields } = change;
  if (effect !== "removes-nodes") return drifted(change, pool, nodes, moment);
  const going = convergenceOfRemoval(pool, nodes, moment);
  // Besides fewer replicas, another field of the change may drift nodes.
  const rest = worstEffect(fields.map((field) => field.effect).filter((one) => one !== effect));
  return now !== undefined && REPLACING.has(rest) ? lastOf([going, drifted(change, pool, nodes, moment)])! : going;
}

/** A changed lifetime applies only to the replacement nodes. */
function lifetimeWords({ old, now }: PoolOfChange, { until }: Convergence): string {
  const lifetimeOf = (side: SideObject | undefined) =>
    ["expireAfter", "terminationGracePeriod"].map((field) =>
      valueAt(side?.object, ["spec", "template", "spec", field]),
    );
  const same = now === undefined || canonical(lifetimeOf(old)) === canonical(lifetimeOf(now));
  return same || until === "at-once" ? "" : "; nodes keep the lifetime that they were created with";
}

function drifted(
  { forever }: Change,
  pool: ReturnType<typeof runningPoolOf>,
  nodes: ConvergingNodes | undefined,
  moment: Moment,
): Convergence {
  if (forever && nodes?.affected.length !== 0) return neverConverges(["spec", "template", "spec", "requirements"]);
  return convergenceOf(pool, nodes, moment);
}

function nodesOf(pool: string, { own, affected }: ChangedNodes): ConvergingNodes {
  const livesOf = (nodes: readonly NodeFacts[]) => nodesOfPool(nodes, pool).map(({ life }) => life);
  return { all: livesOf(own), affected: livesOf(affected ?? own), sure: affected !== undefined };
}

/** A field that is not written gets the place of its nearest written parent. */
function placed(side: SideObject | undefined, path: FieldPath): Pick<ChangeConvergence, "file" | "line"> {
  const written = path.findLastIndex((_, index) => valueAt(side?.object, path.slice(0, index + 1)) !== undefined);
  return placeOf(side?.placeOf(path.slice(0, written + 1)));
}
