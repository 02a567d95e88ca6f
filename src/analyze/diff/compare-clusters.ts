/** The changes of each hosted cluster between two sides. */
import { UNKNOWN_NODES, type NodeCounts } from "./change-nodes.ts";
import type { IgnoreRule } from "./compare-ignore.ts";
import type { Provider } from "../../karpenter/provider/provider.ts";
import type { Settings } from "../../resolve/settings.ts";
import type { Market } from "../explain/remaining-types.ts";
import { compareObjects, type ObjectChange } from "./compare-objects.ts";
import type { ChangeCost } from "./money/change-cost.ts";
import type { PoolWays } from "./keeping-ways.ts";
import { offerComparer } from "./offers/compare-offers.ts";
import type { SideObject } from "./side-object.ts";
import { idOf } from "../../model/kube-object.ts";
import type { Settles } from "../running/settles.ts";
import { NO_POLICY_SIDE, type PolicySide } from "./policies/policy-side.ts";

export interface SideCluster {
  readonly hostedCluster: string | undefined;
  readonly objects: readonly SideObject[];
  /** Objects, as `NodePool/web`, that this side has and could not render; `all` where it could render nothing. */
  readonly unsure: ReadonlySet<string> | "all";
  /** Undefined where this side holds no policies, or nobody can tell what they say. */
  readonly policySide?: PolicySide | undefined;
  /** Of a hosted cluster whose wrappers are on this side. */
  readonly settings?: Settings | undefined;
}

export interface Change extends ObjectChange {
  /** Where several are compared. */
  readonly hostedCluster: string | undefined;
  readonly nodes: NodeCounts;
  /** When it holds for the nodes that run; undefined where it replaces none. */
  readonly settles: ChangeSettles | undefined;
  /** Of each pool whose nodes it replaces: what would keep them. */
  readonly keeping?: readonly PoolWays[] | undefined;
  /** What it means in money; undefined where no prices are known. */
  readonly cost?: ChangeCost | undefined;
}

/** A moment is in milliseconds since 1970. */
export interface ChangeSettles extends Pick<Settles, "until" | "earliest" | "latest" | "why"> {
  /** Where the new side says what decides. */
  readonly file: string | undefined;
  readonly line: number | undefined;
}

/**
 * What one side could not say is not compared. Undefined where nobody can tell which cluster of one side is which of
 * the other.
 *
 * @param marketOf asked only of NodePools that differ; without it nothing is said of what they may launch
 */
export function compareClusters(
  from: readonly SideCluster[],
  to: readonly SideCluster[],
  ignored: readonly IgnoreRule[],
  marketOf?: ClusterMarkets,
): Change[] | undefined {
  const pairs = pairsOf(from, to);
  const compareOffers = offerComparer();
  return pairs?.flatMap(([old, now]) => {
    if (old.unsure === "all" || now.unsure === "all") return [];
    const unsure = old.unsure.union(now.unsure);
    const sure = ({ objects }: SideCluster) => objects.filter(({ object }) => !unsure.has(idOf(object)));
    const hostedCluster = pairs.length > 1 ? (now.hostedCluster ?? old.hostedCluster) : undefined;
    const offers = marketOf && {
      compare: compareOffers,
      // Both sides are asked over the types that the new one means. What the old one names stands elsewhere by now.
      marketOf: (provider: Provider) => marketOf(to.includes(now) ? now : undefined, provider),
    };
    return compareObjects(sure(old), sure(now), ignored, offers).map((change) => ({
      ...change,
      hostedCluster,
      nodes: UNKNOWN_NODES,
      settles: undefined,
    }));
  });
}

/** The instance types that a pool of the cluster, which the new side may not have, can be asked about. */
export type ClusterMarkets = (cluster: SideCluster | undefined, provider: Provider) => Market;

type Pair = readonly [old: SideCluster, now: SideCluster];

/** Undefined where nobody can tell which cluster is which. */
export function pairsOf(from: readonly SideCluster[], to: readonly SideCluster[]): readonly Pair[] | undefined {
  // One and one are meant for each other, whatever their names: an output folder has none, and environments differ.
  if (from.length < 2 && to.length < 2) return [[from[0] ?? NOTHING, to[0] ?? NOTHING]];
  if ([...from, ...to].some(({ hostedCluster }) => hostedCluster === undefined)) return undefined;
  const find = (side: readonly SideCluster[], name: string): SideCluster =>
    side.find(({ hostedCluster }) => hostedCluster === name) ?? { ...NOTHING, hostedCluster: name };
  const names = [...new Set([...from, ...to].flatMap(({ hostedCluster }) => hostedCluster ?? []))].toSorted();
  return names.map((name) => [find(from, name), find(to, name)]);
}

const NOTHING: SideCluster = { hostedCluster: undefined, objects: [], unsure: new Set(), policySide: NO_POLICY_SIDE };
