/** What changes in each hosted cluster between two sides, and what that does to its nodes. */
import type { OverlaidPool } from "../../karpenter/catalogue/node-overlays.ts";
import { regionOfLabels } from "../../karpenter/catalogue/price-region.ts";
import type { Provider } from "../../karpenter/provider/provider.ts";
import { valueAt } from "../../krm/places/field-path.ts";
import { textsAt } from "../../krm/places/text-at.ts";
import type { Profile } from "../../model/crds/profile.ts";
import type { NodeSelectorRequirement } from "../../model/requirements/requirement.ts";
import { idOf } from "../../model/objects/kube-object.ts";
import { memoizeByKey } from "../../model/schema/memoize.ts";
import type { Settings } from "../../resolve/settings.ts";
import { overlaysOf } from "../explain/explain.ts";
import type { InstanceTypes } from "../explain/remaining-types.ts";
import type { NodeFacts } from "../nodes/node-data.ts";
import type { Moment } from "../running/convergence.ts";
import { changeConvergence, type ChangeConvergence } from "./change-convergence.ts";
import {
  type ChangedNodes,
  changedNodes,
  countNodes,
  type NodeCounts,
  UNKNOWN_NODES,
  withEffectOnNodes,
} from "./change-nodes.ts";
import { type ChangedPool, changedPools, type ClusterPools, clusterPools } from "./changed-pools.ts";
import type { IgnoreRule } from "./compare-fields.ts";
import { compareObjects, type ObjectChange } from "./compare-objects.ts";
import type { DescribedCost } from "./diff-answer.ts";
import { changeCost } from "./money/change-cost.ts";
import { type FleetNodes, fleetNodes, nodeCostsIn, type NodeCostsOf, sumOfFleets } from "./money/fleet-nodes.ts";
import type { NodeCosts } from "./money/node-costs.ts";
import { nonDisruptiveWaysOf, type PoolWays } from "./non-disruptive-ways.ts";
import { type CompareOffers, offerComparer } from "./offers/compare-offers.ts";
import type { ClusterPair, SideCluster, SideObject } from "./sides.ts";

export interface Change extends ObjectChange {
  /** Present if several hosted clusters are compared. */
  readonly hostedCluster: string | undefined;
  readonly nodes: NodeCounts;
  /** The changed pool, or the pools that use the changed class. */
  readonly pools: readonly ChangedPool[];
  /** When it holds for the nodes that run; undefined if it replaces none. */
  readonly settles: ChangeConvergence | undefined;
  /** For each pool with replaced nodes: the ways to make the change without replacing them. */
  readonly keeping: readonly PoolWays[];
  /** The change of costs; null without prices. */
  readonly cost: DescribedCost | null;
}

/** What is known beside the two sides, and when the change is made. */
interface DiffFacts extends Moment {
  readonly ignored?: readonly IgnoreRule[];
  /** The nodes of a cluster by its name; undefined if they are unknown. */
  readonly nodesOf: (hostedCluster: string | undefined) => readonly NodeFacts[] | undefined;
  /** Called only for NodePools that differ, and for the costs of nodes; without it, neither is compared. */
  readonly instanceTypesOf?: (
    settings: Settings | undefined,
    provider: Provider,
    region: string | undefined,
  ) => InstanceTypes;
  readonly profileOf?: (settings: Settings | undefined) => Profile;
  readonly caBundleChanged?: boolean | undefined;
}

interface ClusterDiff {
  readonly changes: readonly Change[];
  /** Undefined if the nodes are unknown. */
  readonly fleet: FleetNodes | undefined;
}

export interface ClustersDiff extends ClusterDiff {
  /** Each hosted cluster that changes, if several are compared. */
  readonly clusters: readonly (ClusterDiff & { readonly hostedCluster: string })[];
}

/** Compares each hosted cluster. Objects that one side could not render are not compared. */
export function diffClusters(pairs: readonly ClusterPair[], facts: DiffFacts): ClustersDiff {
  const compare = offerComparer();
  const diffs = pairs.map((pair) => ({ ...diffCluster(pair, facts, compare), hostedCluster: pair.hostedCluster }));
  const changed = diffs.filter(({ changes }) => changes.length > 0);
  // The nodes of a cluster without a change stay, and count if they are known.
  const isKnown = changed.every(({ fleet }) => fleet !== undefined);
  return {
    changes: diffs.flatMap(({ changes }) => changes),
    fleet: isKnown
      ? sumOfFleets(diffs.flatMap(({ fleet, hostedCluster }) => (fleet ? [{ fleet, hostedCluster }] : [])))
      : undefined,
    clusters: changed.flatMap(({ hostedCluster, ...diff }) =>
      hostedCluster === undefined ? [] : [{ ...diff, hostedCluster }],
    ),
  };
}

function diffCluster(pair: ClusterPair, facts: DiffFacts, compare: CompareOffers): ClusterDiff {
  const { ignored, nodesOf, at, instanceTypesOf, profileOf, caBundleChanged } = facts;
  const { old, now } = pair;
  const nodes = nodesOf(now.hostedCluster ?? old.hostedCluster);
  // Both sides are compared over the catalogue and NodeOverlays of the new one. The old side's may not exist any more.
  const typesOf =
    instanceTypesOf &&
    memoizeByKey((provider: Provider) => {
      const types = { ...instanceTypesOf(now.settings, provider, regionOf(pair, nodes)), karpenter: now.karpenter };
      return { ...types, overlays: overlaysOf(types, overlaidPools(old, now)) };
    });
  const pools = clusterPools(pair);
  const costsOf = typesOf && nodeCostsIn(now, pools, typesOf);
  const [before, after] = sureObjects(old, now);
  const offers = typesOf && { compare, instanceTypesOf: typesOf };
  const ofCluster = { profile: profileOf?.(now.settings), caBundleChanged };
  const diffs = compareObjects(before, after, ignored, offers, ofCluster).map((found) =>
    diffObject(found, { hostedCluster: pair.hostedCluster, pools, costsOf, nodes }, facts),
  );
  const changed = diffs.flatMap((diff) => diff.changed ?? []);
  const fleet = nodes && costsOf && fleetNodes(nodes, changed, costsOf, at);
  return { changes: diffs.map(({ change }) => change), fleet };
}

/** The region that the pools of the new side name, or else those of the old side, or the nodes. */
function regionOf({ old, now }: ClusterPair, nodes: ReturnType<DiffFacts["nodesOf"]>): string | undefined {
  const ofNodes = regionOfLabels((nodes ?? []).flatMap(({ labels }) => Object.entries(labels)));
  // Nodes of several regions are of several clusters: prices are those of one region, for its nodes.
  return ofZones(now) ?? ofZones(old) ?? (ofNodes?.includes(", ") === true ? undefined : ofNodes);
}

function ofZones({ objects }: SideCluster): string | undefined {
  const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
  const entries = objects.flatMap(({ object }) =>
    object.kind === "NodePool" ? listed(valueAt(object, ["spec", "template", "spec", "requirements"])) : [],
  );
  return regionOfLabels(
    entries.flatMap((entry) => {
      const { key, operator, values } = entry as Partial<NodeSelectorRequirement>;
      return operator === "In" ? listed(values).map((value) => [String(key), String(value)] as const) : [];
    }),
  );
}

/** NodeOverlays select pools by their names and template labels: those of the new side, or else of the old one. */
function overlaidPools(...sides: readonly SideCluster[]): OverlaidPool[] {
  const pools = sides.flatMap(({ objects }) => objects.filter(({ object }) => object.kind === "NodePool"));
  return [...new Map(pools.map(({ object }) => [object.metadata.name, object])).values()].map((pool) => ({
    name: pool.metadata.name,
    labels: textsAt(pool, ["spec", "template", "metadata", "labels"]),
  }));
}

/** Leaves out the objects that a side could not render. */
function sureObjects(old: SideCluster, now: SideCluster): [old: readonly SideObject[], now: readonly SideObject[]] {
  if (old.unsure === "all" || now.unsure === "all") return [[], []];
  const unsure = old.unsure.union(now.unsure);
  const sure = ({ objects }: SideCluster) => objects.filter(({ object }) => !unsure.has(idOf(object)));
  return [sure(old), sure(now)];
}

interface ClusterFacts {
  readonly hostedCluster: string | undefined;
  readonly pools: ClusterPools;
  readonly costsOf: NodeCostsOf | undefined;
  readonly nodes: readonly NodeFacts[] | undefined;
}

function diffObject(
  found: ObjectChange,
  { hostedCluster, pools: all, costsOf, nodes }: ClusterFacts,
  moment: Moment,
): { readonly change: Change; readonly changed: ChangedNodes | undefined } {
  const object = nodes === undefined ? found : withEffectOnNodes(found, nodes);
  const changed = nodes && changedNodes(object, { nodes, pools: all.all });
  const pools = changedPools(object, all, changed);
  const settles = changeConvergence(object, pools, moment);
  const change: Change = {
    ...object,
    hostedCluster,
    nodes: changed === undefined ? UNKNOWN_NODES : countNodes(object, changed, pools, moment),
    pools,
    settles,
    keeping: nonDisruptiveWaysOf(object, pools, settles),
    cost: changeCost(object.offer, changed && costsOfChange(changed, costsOf)),
  };
  return { change, changed };
}

function costsOfChange({ own, outcomes }: ChangedNodes, costsOf: NodeCostsOf | undefined): NodeCosts | undefined {
  return own.length === 0 || outcomes === undefined ? undefined : costsOf?.(own, outcomes);
}
