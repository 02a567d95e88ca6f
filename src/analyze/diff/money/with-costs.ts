/** Each change with what it means in money, and what all nodes cost before and after. */
import { AWS } from "../../../karpenter/provider/aws.ts";
import type { Provider } from "../../../karpenter/provider/provider.ts";
import { once, oncePer } from "../../../model/once.ts";
import type { Market } from "../../explain/remaining-types.ts";
import type { NodeFacts } from "../../nodes/node-data.ts";
import { type ChangedNodes, changedNodes } from "../change-nodes.ts";
import { type Change, type ClusterMarkets, pairsOf, type SideCluster } from "../compare-clusters.ts";
import { offerComparer } from "../offers/compare-offers.ts";
import { providerOfPool } from "../offers/side-demands.ts";
import type { SideObject } from "../side-object.ts";
import { sideBy } from "../sides-by-id.ts";
import { changeCost } from "./change-cost.ts";
import { type FatedNode, type NodeCosts, nodeCosts, type NodeFate } from "./node-costs.ts";
import type { PricedTypes } from "./node-prices.ts";

/** What becomes of all nodes that there are. */
export interface FleetNodes {
  /** When the change is made: milliseconds since 1970. */
  readonly at: number;
  readonly total: number;
  readonly replaced: number;
  readonly removed: number;
  /** Of so many only Karpenter can tell. */
  readonly unknown: number;
  /** Undefined where no prices are known, or nobody can tell which nodes are replaced. */
  readonly costs: NodeCosts | undefined;
}

interface Known {
  readonly from: readonly SideCluster[];
  readonly to: readonly SideCluster[];
  /** Of one cluster; undefined where nobody counted them. */
  readonly nodes: readonly NodeFacts[] | undefined;
  readonly marketOf: ClusterMarkets;
  /** When the change is made: milliseconds since 1970. */
  readonly at: number;
}

interface CostedChanges {
  readonly changes: readonly Change[];
  /** Undefined where nobody counted the nodes. */
  readonly fleet: FleetNodes | undefined;
}

export function withCosts(changes: readonly Change[], { from, to, nodes, marketOf, at }: Known): CostedChanges {
  const [pair, ...others] = pairsOf(from, to) ?? [];
  if (nodes === undefined || pair === undefined || others.length > 0)
    return { changes: changes.map((change) => withCost(change, undefined)), fleet: undefined };
  const [old, now] = pair;
  const world = worldOf(old, now, (provider) => marketOf(to.includes(now) ? now : old, provider));
  const changed = changes.map((change) => changedNodes(change, { nodes, pools: world.pools }));
  return {
    changes: changes.map((change, index) => withCost(change, costsOfChange(change, changed[index]!, world))),
    fleet: { at, ...fleetOf(nodes, changes, changed, world) },
  };
}

function withCost(change: Change, nodes: NodeCosts | undefined): Change {
  return { ...change, cost: changeCost(change.offer, nodes) };
}

/** One hosted cluster, as its nodes are asked about. */
interface World {
  /** By name, the new one where there are two. */
  readonly pools: ReadonlyMap<string, SideObject["object"]>;
  readonly fated: (node: NodeFacts, fate: NodeFate) => FatedNode;
  readonly market: () => Market;
}

function worldOf(old: SideCluster, now: SideCluster, marketOf: (provider: Provider) => Market): World {
  const marketOfProvider = oncePer(marketOf);
  const poolsIn = ({ objects }: SideCluster) =>
    objects.flatMap((one) => (one.object.kind === "NodePool" ? [[one.object.metadata.name, one] as const] : []));
  const [before, after] = [poolsIn(old), new Map(poolsIn(now))];
  const all = new Map([...before, ...after]);
  const side = once(() => sideBy(now.objects));
  const compare = offerComparer();
  const offerOf = oncePer((pool: SideObject) => {
    const nodeClass = side().classFor(pool.object);
    return compare(undefined, { pool, nodeClass }, marketOfProvider(providerOfPool(pool)))?.after;
  });
  // Nodes of pools that are on neither side are nobody's but the cluster's.
  const providerOf = (pool: SideObject | undefined) => (pool === undefined ? AWS : providerOfPool(pool));
  return {
    pools: new Map([...all].map(([name, { object }]) => [name, object])),
    fated: (node, fate) => {
      const pool = after.get(node.nodePool);
      const sold = soldIn(marketOfProvider(providerOf(all.get(node.nodePool))));
      return { node, fate, offer: () => pool && offerOf(pool), sold };
    },
    market: () => marketOfProvider(AWS),
  };
}

function soldIn({ filter, prices }: Market): PricedTypes | undefined {
  return prices && { catalogue: filter.catalogue, prices };
}

function costsOfChange(change: Change, { own, affected }: ChangedNodes, world: World): NodeCosts | undefined {
  const fates = affected && fatesOf(change, affected);
  return own.length === 0 || fates === undefined ? undefined : costsOf(own, fates, world);
}

type Fates = ReadonlyMap<string, NodeFate>;

/** By name. Undefined where nobody can tell which ones go: of a pool with fewer replicas Karpenter chooses. */
function fatesOf({ effect, after }: Change, affected: readonly NodeFacts[]): Fates | undefined {
  if (effect === "removes-nodes" && after !== undefined) return undefined;
  const fate = effect === "removes-nodes" ? "removed" : "replaced";
  return new Map(affected.map(({ name }) => [name, fate]));
}

function costsOf(nodes: readonly NodeFacts[], fates: Fates, { fated, market }: World): NodeCosts | undefined {
  const { prices } = market();
  const all = nodes.map((node) => fated(node, fates.get(node.name) ?? "stays"));
  return prices && nodeCosts(all, prices.origin);
}

function fleetOf(
  nodes: readonly NodeFacts[],
  changes: readonly Change[],
  changed: readonly ChangedNodes[],
  world: World,
): Omit<FleetNodes, "at"> {
  const told = changes.map((change, index) => {
    const { own, affected } = changed[index]!;
    return { own, affected, fates: affected && fatesOf(change, affected) };
  });
  const all = told.flatMap(({ fates = NOBODY }) => [...fates]);
  // What is gone is not replaced.
  const fates = new Map([...all, ...all.filter(([, fate]) => fate === "removed")]);
  const open = new Set(
    told.flatMap(({ own, affected }) => (affected === undefined ? own.map(({ name }) => name) : [])),
  );
  const unknown = open.difference(fates).size;
  const chosen = told.reduce(
    (sum, { affected, fates: own }) => sum + (own === undefined ? (affected?.length ?? 0) : 0),
    0,
  );
  const count = (fate: NodeFate): number => [...fates.values()].filter((one) => one === fate).length;
  return {
    total: nodes.length,
    replaced: count("replaced"),
    removed: count("removed") + chosen,
    unknown,
    costs: unknown + chosen > 0 ? undefined : costsOf(nodes, fates, world),
  };
}

const NOBODY: Fates = new Map();
