/** Adds costs to each change, and sums up the costs of all nodes before and after. */
import { AWS } from "../../../karpenter/provider/aws.ts";
import type { Provider } from "../../../karpenter/provider/provider.ts";
import { memoize, memoizeByKey } from "../../../model/memoize.ts";
import type { InstanceTypes } from "../../explain/remaining-types.ts";
import type { NodeFacts } from "../../nodes/node-data.ts";
import { type ChangedNodes, changedNodes } from "../change-nodes.ts";
import { type Change, type ClusterInstanceTypes, pairsOf, type SideCluster } from "../compare-clusters.ts";
import { offerComparer } from "../offers/compare-offers.ts";
import { providerOfPool } from "../offers/side-demands.ts";
import type { SideObject } from "../side-object.ts";
import { sideBy } from "../sides-by-id.ts";
import { changeCost } from "./change-cost.ts";
import { type CostedNode, type NodeCosts, nodeCosts, type NodeOutcome } from "./node-costs.ts";
import type { PricedTypes } from "./node-prices.ts";

/** The results for all existing nodes. */
export interface FleetNodes {
  /** When the change is made: milliseconds since 1970. */
  readonly at: number;
  readonly total: number;
  readonly replaced: number;
  readonly removed: number;
  /** The number of nodes that only Karpenter can decide about. */
  readonly unknown: number;
  /** Undefined without prices, or if it is unknown which nodes are replaced. */
  readonly costs: NodeCosts | undefined;
}

interface Known {
  readonly from: readonly SideCluster[];
  readonly to: readonly SideCluster[];
  /** The nodes of one cluster; undefined if unknown. */
  readonly nodes: readonly NodeFacts[] | undefined;
  readonly instanceTypesOf: ClusterInstanceTypes;
  /** When the change is made: milliseconds since 1970. */
  readonly at: number;
}

interface CostedChanges {
  readonly changes: readonly Change[];
  /** Undefined if the nodes are unknown. */
  readonly fleet: FleetNodes | undefined;
}

export function withCosts(changes: readonly Change[], { from, to, nodes, instanceTypesOf, at }: Known): CostedChanges {
  const [pair, ...others] = pairsOf(from, to) ?? [];
  if (nodes === undefined || pair === undefined || others.length > 0)
    return { changes: changes.map((change) => withCost(change, undefined)), fleet: undefined };
  const [old, now] = pair;
  const cluster = costedClusterOf(old, now, (provider) => instanceTypesOf(to.includes(now) ? now : old, provider));
  const changed = changes.map((change) => changedNodes(change, { nodes, pools: cluster.pools }));
  return {
    changes: changes.map((change, index) => withCost(change, costsOfChange(change, changed[index]!, cluster))),
    fleet: { at, ...fleetOf(nodes, changes, changed, cluster) },
  };
}

function withCost(change: Change, nodes: NodeCosts | undefined): Change {
  return { ...change, cost: changeCost(change.offer, nodes) };
}

/** One hosted cluster with the lookups for the costs of its nodes. */
interface CostedCluster {
  /** By name; the new one if both sides have it. */
  readonly pools: ReadonlyMap<string, SideObject["object"]>;
  readonly costedNode: (node: NodeFacts, outcome: NodeOutcome) => CostedNode;
  readonly knownTypes: () => InstanceTypes;
}

function costedClusterOf(
  old: SideCluster,
  now: SideCluster,
  instanceTypesOf: (provider: Provider) => InstanceTypes,
): CostedCluster {
  const instanceTypesOfProvider = memoizeByKey(instanceTypesOf);
  const poolsIn = ({ objects }: SideCluster) =>
    objects.flatMap((one) => (one.object.kind === "NodePool" ? [[one.object.metadata.name, one] as const] : []));
  const [before, after] = [poolsIn(old), new Map(poolsIn(now))];
  const all = new Map([...before, ...after]);
  const side = memoize(() => sideBy(now.objects));
  const compare = offerComparer();
  const offerOf = memoizeByKey((pool: SideObject) => {
    const nodeClass = side().classFor(pool.object);
    return compare(undefined, { pool, nodeClass }, instanceTypesOfProvider(providerOfPool(pool)))?.after;
  });
  // Nodes of pools that are on neither side are assumed to be of AWS.
  const providerOf = (pool: SideObject | undefined) => (pool === undefined ? AWS : providerOfPool(pool));
  return {
    pools: new Map([...all].map(([name, { object }]) => [name, object])),
    costedNode: (node, outcome) => {
      const pool = after.get(node.nodePool);
      const priced = pricedTypesOf(instanceTypesOfProvider(providerOf(all.get(node.nodePool))));
      return { node, outcome, offer: () => pool && offerOf(pool), priced };
    },
    knownTypes: () => instanceTypesOfProvider(AWS),
  };
}

function pricedTypesOf({ filter, prices }: InstanceTypes): PricedTypes | undefined {
  return prices && { catalogue: filter.catalogue, prices };
}

function costsOfChange(change: Change, { own, affected }: ChangedNodes, cluster: CostedCluster): NodeCosts | undefined {
  const outcomes = affected && outcomesOf(change, affected);
  return own.length === 0 || outcomes === undefined ? undefined : costsOf(own, outcomes, cluster);
}

type NodeOutcomes = ReadonlyMap<string, NodeOutcome>;

/** By name. Undefined if it is unknown which nodes are deleted: with fewer replicas, Karpenter chooses. */
function outcomesOf({ effect, after }: Change, affected: readonly NodeFacts[]): NodeOutcomes | undefined {
  if (effect === "removes-nodes" && after !== undefined) return undefined;
  const outcome = effect === "removes-nodes" ? "removed" : "replaced";
  return new Map(affected.map(({ name }) => [name, outcome]));
}

function costsOf(
  nodes: readonly NodeFacts[],
  outcomes: NodeOutcomes,
  { costedNode, knownTypes }: CostedCluster,
): NodeCosts | undefined {
  const { prices } = knownTypes();
  const all = nodes.map((node) => costedNode(node, outcomes.get(node.name) ?? "stays"));
  return prices && nodeCosts(all, prices.origin);
}

function fleetOf(
  nodes: readonly NodeFacts[],
  changes: readonly Change[],
  changed: readonly ChangedNodes[],
  cluster: CostedCluster,
): Omit<FleetNodes, "at"> {
  const results = changes.map((change, index) => {
    const { own, affected } = changed[index]!;
    return { own, affected, outcomes: affected && outcomesOf(change, affected) };
  });
  const all = results.flatMap(({ outcomes = NO_OUTCOMES }) => [...outcomes]);
  // A removed node is not replaced.
  const outcomes = new Map([...all, ...all.filter(([, outcome]) => outcome === "removed")]);
  const open = new Set(
    results.flatMap(({ own, affected }) => (affected === undefined ? own.map(({ name }) => name) : [])),
  );
  const unknown = open.difference(outcomes).size;
  const chosen = results.reduce(
    (sum, { affected, outcomes: own }) => sum + (own === undefined ? (affected?.length ?? 0) : 0),
    0,
  );
  const count = (outcome: NodeOutcome): number => [...outcomes.values()].filter((one) => one === outcome).length;
  return {
    total: nodes.length,
    replaced: count("replaced"),
    removed: count("removed") + chosen,
    unknown,
    costs: unknown + chosen > 0 ? undefined : costsOf(nodes, outcomes, cluster),
  };
}

const NO_OUTCOMES: NodeOutcomes = new Map();
