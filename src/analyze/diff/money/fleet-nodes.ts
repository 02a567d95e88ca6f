/** What becomes of all nodes of a cluster, and the costs of its nodes before and after. */
import { AWS } from "../../../karpenter/provider/aws.ts";
import type { Provider } from "../../../karpenter/provider/provider.ts";
import { sameValue } from "../../../krm/values/canonical.ts";
import { memoize, memoizeByKey } from "../../../model/schema/memoize.ts";
import type { InstanceTypes } from "../../explain/remaining-types.ts";
import type { NodeFacts } from "../../nodes/node-data.ts";
import type { ChangedNodes, NodeOutcome, NodeOutcomes } from "../change-nodes.ts";
import type { ClusterPools } from "../changed-pools.ts";
import { offerComparer } from "../offers/compare-offers.ts";
import { providerOfPool } from "../offers/side-demands.ts";
import { type SideCluster, type SideObject, sideBy } from "../sides.ts";
import { type NodeCosts, nodeCosts, sumOfCosts } from "./node-costs.ts";

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

/** The costs of nodes; undefined without prices. */
export type NodeCostsOf = (nodes: readonly NodeFacts[], outcomes: NodeOutcomes) => NodeCosts | undefined;

/**
 * @param now the new side of the cluster
 * @param pools of both sides
 */
export function nodeCostsIn(
  now: SideCluster,
  pools: ClusterPools,
  typesOf: (provider: Provider) => InstanceTypes,
): NodeCostsOf {
  const side = memoize(() => sideBy(now.objects));
  const compare = offerComparer();
  const offerOf = memoizeByKey((pool: SideObject) => {
    const nodeClass = side().classFor(pool.object);
    return compare(undefined, { pool, nodeClass }, typesOf(providerOfPool(pool)))?.after;
  });
  const pricedTypesOf = ({ nodePool }: NodeFacts) => {
    const pool = pools.now.get(nodePool) ?? pools.old.get(nodePool);
    // Nodes of pools that are on neither side are assumed to be of AWS.
    const { filter, prices } = typesOf(pool === undefined ? AWS : providerOfPool(pool));
    return prices && { catalogue: filter.catalogue, prices };
  };
  return (nodes, outcomes) => {
    const { prices } = typesOf(AWS);
    if (prices === undefined) return undefined;
    const costed = nodes.map((node) => {
      const pool = pools.now.get(node.nodePool);
      const outcome = outcomes.get(node.name) ?? "stays";
      return { node, outcome, offer: () => pool && offerOf(pool), priced: pricedTypesOf(node) };
    });
    return nodeCosts(costed, prices.origin);
  };
}

/**
 * @param changed the nodes of each change
 * @param at when the change is made: milliseconds since 1970
 */
export function fleetNodes(
  nodes: readonly NodeFacts[],
  changed: readonly ChangedNodes[],
  costsOf: NodeCostsOf,
  at: number,
): FleetNodes {
  const all = changed.flatMap(({ outcomes = NO_OUTCOMES }) => [...outcomes]);
  // A removed node is not replaced.
  const outcomes = new Map([...all, ...all.filter(([, outcome]) => outcome === "removed")]);
  const open = changed.flatMap(({ own, affected }) => (affected === undefined ? own.map(({ name }) => name) : []));
  const unknown = new Set(open).difference(outcomes).size;
  const chosen = changed.reduce((sum, { affected = [], outcomes: own }) => sum + (own ? 0 : affected.length), 0);
  const count = (outcome: NodeOutcome): number => [...outcomes.values()].filter((one) => one === outcome).length;
  return {
    at,
    total: nodes.length,
    replaced: count("replaced"),
    removed: count("removed") + chosen,
    unknown,
    costs: unknown + chosen > 0 ? undefined : costsOf(nodes, outcomes),
  };
}

const NO_OUTCOMES: NodeOutcomes = new Map();

/** The nodes of several clusters together; undefined if there is none. Costs count if each cluster has the same prices. */
export function sumOfFleets(
  all: readonly { readonly hostedCluster: string | undefined; readonly fleet: FleetNodes }[],
): FleetNodes | undefined {
  const [first, ...others] = all;
  if (first === undefined || others.length === 0) return first?.fleet;
  const sum = (part: "total" | "replaced" | "removed" | "unknown"): number =>
    all.reduce((total, { fleet }) => total + fleet[part], 0);
  return {
    at: first.fleet.at,
    total: sum("total"),
    replaced: sum("replaced"),
    removed: sum("removed"),
    unknown: sum("unknown"),
    costs: costsOfFleets(all),
  };
}

function costsOfFleets(all: Parameters<typeof sumOfFleets>[0]): NodeCosts | undefined {
  const costs = all.flatMap(({ fleet, hostedCluster = "" }) => {
    const { costs: one } = fleet;
    return one === undefined ? [] : [{ ...one, unpriced: one.unpriced.map((name) => `${hostedCluster} ${name}`) }];
  });
  const [first] = costs;
  if (first === undefined || costs.length < all.length) return undefined;
  if (costs.some(({ origin }) => !sameValue(origin, first.origin))) return undefined;
  return {
    origin: first.origin,
    ...sumOfCosts(costs),
    spot: sumOfCosts(costs.map(({ spot }) => spot)),
    unpriced: costs.flatMap(({ unpriced }) => unpriced),
    replacements: costs.flatMap(({ replacements }) => replacements),
  };
}
