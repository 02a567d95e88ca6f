/** When each change holds for the nodes that run, and when all of them do. */
import { canonical } from "../../krm/canonical.ts";
import { type FieldPath, valueAt } from "../../krm/field-path.ts";
import type { KubeObject } from "../../model/kube-object.ts";
import type { NodeFacts } from "../nodes/node-data.ts";
import type { Roll } from "../running/roll.ts";
import {
  lastOf,
  type Moment,
  rollOfNodes,
  type Settles,
  settlesNever,
  settlesOf,
  settlesOnRemoval,
  type SettlingNodes,
} from "../running/settles.ts";
import { REPLACING, worstEffect } from "./change-effect.ts";
import { changedNodes, type ChangedNodes, countNodes, type Pacing } from "./change-nodes.ts";
import { type Change, type ChangeSettles, pairsOf, type SideCluster } from "./compare-clusters.ts";
import { placeOf } from "./compare-objects.ts";
import { keepingWaysOf } from "./keeping-ways.ts";
import { runningPoolOf } from "./running-pool.ts";
import type { SideObject } from "./side-object.ts";
import { classOf, isClassKind } from "./sides-by-id.ts";

interface Known extends Moment {
  /** Undefined where nobody counted them. */
  readonly nodes: readonly NodeFacts[] | undefined;
}

/** The changes with their nodes, where those are known, and with their times. */
export function withSettling(
  changes: readonly Change[],
  from: readonly SideCluster[],
  to: readonly SideCluster[],
  known: Known,
): Change[] {
  const pairs = pairsOf(from, to) ?? [];
  const worlds = new Map(pairs.map(([old, now]) => [now.hostedCluster ?? old.hostedCluster, worldOf(old, now)]));
  const [only] = worlds.values();
  return changes.map((change) => {
    const world = change.hostedCluster === undefined ? only : worlds.get(change.hostedCluster);
    return world === undefined ? change : settled(change, world, known);
  });
}

/** How the nodes of each pool go that a change replaces, at the earliest; none where nobody counted them. */
export function changeRoll(
  change: Change,
  {
    from,
    to,
    nodes,
    ...moment
  }: Known & { readonly from: readonly SideCluster[]; readonly to: readonly SideCluster[] },
): { readonly pool: string; readonly roll: Roll; readonly total: number }[] {
  const [pair, ...others] = pairsOf(from, to) ?? [];
  if (nodes === undefined || pair === undefined || others.length > 0) return [];
  if (!REPLACING.has(change.effect) || change.effect === "removes-nodes") return [];
  const world = worldOf(...pair);
  const changed = changedNodes(change, { nodes, pools: world.pools });
  return poolsOf(change, world).flatMap(({ name, old, now }) => {
    if (old === undefined) return [];
    const own = nodesOf(name, changed);
    const roll = rollOfNodes(runningPoolOf(old, now), own, moment);
    return own.affected.length === 0 ? [] : [{ pool: name, roll, total: own.all.length }];
  });
}

/** Of all changes the one that holds last; undefined where none replaces a node. */
export function fleetSettles(
  changes: readonly Change[],
): (ChangeSettles & Pick<Change, "resource" | "hostedCluster">) | undefined {
  return lastOf(
    changes.flatMap(({ settles, resource, hostedCluster }) =>
      settles === undefined ? [] : [{ ...settles, path: [], resource, hostedCluster }],
    ),
  );
}

/** The pools of one hosted cluster, by name. */
interface World {
  readonly old: ReadonlyMap<string, SideObject>;
  readonly now: ReadonlyMap<string, SideObject>;
  /** Of both sides, the new one where there are two. */
  readonly pools: ReadonlyMap<string, KubeObject>;
}

function worldOf(before: SideCluster, after: SideCluster): World {
  const byName = ({ objects }: SideCluster) =>
    new Map(
      objects.filter(({ object }) => object.kind === "NodePool").map((one) => [one.object.metadata.name, one] as const),
    );
  const [old, now] = [byName(before), byName(after)];
  return { old, now, pools: new Map([...old, ...now].map(([name, { object }]) => [name, object])) };
}

function settled(change: Change, world: World, { nodes, at, nodeTime }: Known): Change {
  const pools = poolsOf(change, world);
  const moment = { at, nodeTime };
  if (nodes === undefined) return withWays(change, pools, describe(change, pools, undefined, moment));
  const changed = changedNodes(change, { nodes, pools: world.pools });
  const running: Pacing["running"] = new Map(
    pools.map(({ name, old, now }) => [name, runningPoolOf(old ?? now!, now)] as const),
  );
  const counted = { ...change, nodes: countNodes(change, changed, { running, ...moment }) };
  return withWays(counted, pools, describe(change, pools, changed, moment));
}

function withWays(change: Change, pools: readonly PoolOfChange[], settles: ChangeSettles | undefined): Change {
  return { ...change, settles, keeping: keepingWaysOf(change, pools, settles) };
}

interface PoolOfChange {
  readonly name: string;
  /** Undefined where the pool is new. */
  readonly old: SideObject | undefined;
  /** Undefined where it is gone. */
  readonly now: SideObject | undefined;
}

/** The pool itself, or those of the new side that name the class. */
function poolsOf({ resource: { kind, name } }: Change, { old, now }: World): PoolOfChange[] {
  if (kind === "NodePool") return [{ name, old: old.get(name), now: now.get(name) }];
  if (!isClassKind(kind)) return [];
  return [...now].flatMap(([pool, side]) =>
    classOf(side.object) === `${kind}/${name}` ? [{ name: pool, old: old.get(pool), now: side }] : [],
  );
}

function describe(
  change: Change,
  pools: readonly PoolOfChange[],
  changed: ChangedNodes | undefined,
  moment: Moment,
): ChangeSettles | undefined {
  if (!REPLACING.has(change.effect)) return undefined;
  const ends = pools.flatMap((pool) => {
    // Of a new pool no node runs.
    if (pool.old === undefined) return [];
    const end = endOf(change, pool, changed && nodesOf(pool.name, changed), moment);
    const why = `${change.resource.kind === "NodePool" ? "" : `NodePool ${pool.name}: `}${end.why}${keptWords(pool, end)}`;
    return [{ ...end, why, ...placed(pool.now, end.path) }];
  });
  const last = lastOf(ends);
  if (last === undefined) return undefined;
  const { until, earliest, latest, why, file, line } = last;
  return { until, earliest, latest, why, file, line };
}

function endOf(change: Change, { old, now }: PoolOfChange, nodes: SettlingNodes | undefined, moment: Moment): Settles {
  const pool = runningPoolOf(old!, now);
  const { effect, fields } = change;
  if (effect !== "removes-nodes") return drifted(change, pool, nodes, moment);
  const going = settlesOnRemoval(pool, nodes, moment);
  // Fewer replicas, and what drifts besides.
  const rest = worstEffect(fields.map((field) => field.effect).filter((one) => one !== effect));
  return now !== undefined && REPLACING.has(rest) ? lastOf([going, drifted(change, pool, nodes, moment)])! : going;
}

/** Another lifetime is that of the nodes that come instead. */
function keptWords({ old, now }: PoolOfChange, { until }: Settles): string {
  const lifetimeOf = (side: SideObject | undefined) =>
    ["expireAfter", "terminationGracePeriod"].map((field) =>
      valueAt(side?.object, ["spec", "template", "spec", field]),
    );
  const same = now === undefined || canonical(lifetimeOf(old)) === canonical(lifetimeOf(now));
  return same || until === "at-once" ? "" : "; nodes keep the lifetime that they were made with";
}

function drifted(
  { forever }: Change,
  pool: ReturnType<typeof runningPoolOf>,
  nodes: SettlingNodes | undefined,
  moment: Moment,
): Settles {
  if (forever && nodes?.affected.length !== 0) return settlesNever(["spec", "template", "spec", "requirements"]);
  return settlesOf(pool, nodes, moment);
}

function nodesOf(pool: string, { own, affected }: ChangedNodes): SettlingNodes {
  const ofPool = (nodes: readonly NodeFacts[]) => nodes.filter(({ nodePool }) => nodePool === pool);
  const livesOf = (nodes: readonly NodeFacts[]) => ofPool(nodes).map(({ life }) => life);
  return { all: livesOf(own), affected: livesOf(affected ?? own), sure: affected !== undefined };
}

/** What is not written stands in what is. */
function placed(side: SideObject | undefined, path: FieldPath): Pick<ChangeSettles, "file" | "line"> {
  const written = path.findLastIndex((_, index) => valueAt(side?.object, path.slice(0, index + 1)) !== undefined);
  return placeOf(side?.placeOf(path.slice(0, written + 1)));
}
