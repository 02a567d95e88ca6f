/** The answer of `anp diff` for two sides: what changes, when it takes effect, what it costs. */
import type { IgnoreRule } from "../../analyze/diff/compare-fields.ts";
import { type ClustersDiff, diffClusters } from "../../analyze/diff/compare-clusters.ts";
import { type PolicyChange, policyChanges } from "../../analyze/diff/policies/policy-changes.ts";
import { pairsOf, type SideCluster } from "../../analyze/diff/sides.ts";
import { unseenFields } from "../../analyze/diff/wrapper-fields.ts";
import { type CatalogueFor, instanceTypesOf, type PricesFor } from "../../analyze/explain/explain.ts";
import type { NodeFacts } from "../../analyze/nodes/node-data.ts";
import type { InputMode } from "../../model/objects/input-mode.ts";
import { DEFAULT_PROFILE, type Profile, RAW_PROFILE } from "../../model/crds/profile.ts";
import type { Settings } from "../../resolve/settings.ts";
import { UsageError } from "../cli/exit-codes.ts";
import type { NodesOf } from "../input/node-data.ts";

export interface DiffQuestion {
  readonly mode: InputMode;
  readonly from: readonly SideCluster[];
  readonly to: readonly SideCluster[];
  readonly ignore: readonly IgnoreRule[];
  readonly profile: Profile | undefined;
  /** The nodes of one cluster, or those of each; undefined if the nodes are unknown. */
  readonly nodes: readonly NodeFacts[] | NodesOf | undefined;
  /** When the change is made: milliseconds since 1970. */
  readonly at: number;
  /** Nanoseconds that replacing one node is assumed to take. */
  readonly nodeTime: bigint;
  readonly caBundleChanged?: boolean | undefined;
  readonly catalogueFor: CatalogueFor;
  readonly pricesFor: PricesFor;
}

export interface DiffAnswer extends ClustersDiff {
  readonly policies: readonly PolicyChange[];
  /** What cannot be compared. */
  readonly notes: readonly string[];
}

/** @throws UsageError if the clusters of the two sides cannot be matched, or the cluster of the nodes is ambiguous */
export function answerDiff(question: DiffQuestion): DiffAnswer {
  const { mode, from, to, ignore, profile, nodes, at, nodeTime, caBundleChanged, catalogueFor, pricesFor } = question;
  const pairs = pairsOf(from, to);
  if (pairs === undefined) throw severalClusters([...from, ...to]);
  const assumed = profile ?? (mode === "raw" ? RAW_PROFILE : DEFAULT_PROFILE);
  const profileOf = (settings: Settings | undefined) => settings?.profile ?? assumed;
  const { changes, fleet, clusters } = diffClusters(pairs, {
    ignored: ignore,
    nodesOf: typeof nodes === "function" ? nodes : () => nodes,
    at,
    nodeTime: Number(nodeTime) / 1e6,
    profileOf,
    caBundleChanged,
    instanceTypesOf: (settings, provider, region) => {
      const asked = { mode, provider, profile: profileOf(settings) };
      return instanceTypesOf(settings, asked, { catalogueFor, pricesFor }, region);
    },
  });
  if (typeof nodes === "object" && pairs.length > 1 && changes.length > 0)
    throw new UsageError(
      "--node-data describes one cluster, and several are compared: select one with --hosted-cluster, or give the folder of anp collect with the nodes of each",
    );
  return { changes, fleet, clusters, policies: policyChanges(pairs, catalogueFor), notes: unseenFields(pairs) };
}

function severalClusters(clusters: readonly SideCluster[]): UsageError {
  const names = [...new Set(clusters.flatMap(({ hostedCluster }) => hostedCluster ?? []))].toSorted();
  return new UsageError(
    `one side is for several hosted clusters (${names.join(", ")}), and the other side names none: select one with --hosted-cluster`,
  );
}
