/** The changes of each hosted cluster between two sides. */
import { UNKNOWN_NODES, type NodeCounts } from "./change-nodes.ts";
import type { IgnoreRule } from "./compare-ignore.ts";
import type { Provider } from "../../karpenter/provider/provider.ts";
import type { Settings } from "../../resolve/settings.ts";
import type { InstanceTypes } from "../explain/remaining-types.ts";
import { compareObjects, type ObjectChange } from "./compare-objects.ts";
import type { ChangeCost } from "./money/change-cost.ts";
import type { PoolWays } from "./non-disruptive-ways.ts";
import { offerComparer } from "./offers/compare-offers.ts";
import type { SideObject } from "./side-object.ts";
import { idOf } from "../../model/kube-object.ts";
import type { Convergence } from "../running/convergence.ts";
import { NO_POLICY_SIDE, type PolicySide } from "./policies/policy-side.ts";

export interface SideCluster {
  readonly hostedCluster: string | undefined;
  readonly objects: readonly SideObject[];
  /** Objects, such as `NodePool/web`, that this side could not render; `all` if it could render nothing. */
  readonly unsure: ReadonlySet<string> | "all";
  /** Undefined if this side has no policies, or they cannot be read. */
  readonly policySide?: PolicySide | undefined;
  /** The settings, if this side has the wrappers of the hosted cluster. */
  readonly settings?: Settings | undefined;
}

export interface Change extends ObjectChange {
  /** Present if several hosted clusters are compared. */
  readonly hostedCluster: string | undefined;
  readonly nodes: NodeCounts;
  /** When it holds for the nodes that run; undefined if it replaces none. */
  readonly settles: ChangeConvergence | undefined;
  /** For each pool with replaced nodes: the ways to make the change without replacing them. */
  readonly keeping?: readonly PoolWays[] | undefined;
  /** The change of costs; undefined without prices. */
  readonly cost?: ChangeCost | undefined;
}

/** Moments are in milliseconds since 1970. */
export interface ChangeConvergence extends Pick<Convergence, "until" | "earliest" | "latest" | "why"> {
  /** The place of the deciding field on the new side. */
  readonly file: string | undefined;
  readonly line: number | undefined;
}

/**
 * Objects that one side could not render are not compared. Undefined if the clusters of the two sides cannot be
 * matched.
 *
 * @param instanceTypesOf called only for NodePools that differ; without it, offers are not compared
 */
export function compareClusters(
  from: readonly SideCluster[],
  to: readonly SideCluster[],
  ignored: readonly IgnoreRule[],
  instanceTypesOf?: ClusterInstanceTypes,
): Change[] | undefined {
  const pairs = pairsOf(from, to);
  const compareOffers = offerComparer();
  const present = new Set(to);
  return pairs?.flatMap(([old, now]) => {
    if (old.unsure === "all" || now.unsure === "all") return [];
    const unsure = old.unsure.union(now.unsure);
    const sure = ({ objects }: SideCluster) => objects.filter(({ object }) => !unsure.has(idOf(object)));
    const hostedCluster = pairs.length > 1 ? (now.hostedCluster ?? old.hostedCluster) : undefined;
    const offers = instanceTypesOf && {
      compare: compareOffers,
      // Both sides are compared over the catalogue of the new one. The old side's may not exist any more.
      instanceTypesOf: (provider: Provider) => instanceTypesOf(present.has(now) ? now : undefined, provider),
    };
    return compareObjects(sure(old), sure(now), ignored, offers).map((change) => ({
      ...change,
      hostedCluster,
      nodes: UNKNOWN_NODES,
      settles: undefined,
    }));
  });
}

/** Returns the instance types for a provider's pools in a cluster; undefined for a cluster that the new side lacks. */
export type ClusterInstanceTypes = (cluster: SideCluster | undefined, provider: Provider) => InstanceTypes;

type Pair = readonly [old: SideCluster, now: SideCluster];

/** Undefined if the clusters cannot be matched. */
export function pairsOf(from: readonly SideCluster[], to: readonly SideCluster[]): readonly Pair[] | undefined {
  // A single cluster on each side is matched even if the names differ: an output folder has none.
  if (from.length < 2 && to.length < 2) return [[from[0] ?? NOTHING, to[0] ?? NOTHING]];
  if ([...from, ...to].some(({ hostedCluster }) => hostedCluster === undefined)) return undefined;
  const [before, after] = [from, to].map((side) => new Map(side.map((one) => [one.hostedCluster, one])));
  const find = (side: ReadonlyMap<unknown, SideCluster> | undefined, name: string): SideCluster =>
    side?.get(name) ?? { ...NOTHING, hostedCluster: name };
  const names = [...new Set([...from, ...to].flatMap(({ hostedCluster }) => hostedCluster ?? []))].toSorted();
  return names.map((name) => [find(before, name), find(after, name)]);
}

const NOTHING: SideCluster = { hostedCluster: undefined, objects: [], unsure: new Set(), policySide: NO_POLICY_SIDE };
