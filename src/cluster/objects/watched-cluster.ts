/** A hosted cluster to watch: its two clusters, where its input comes from, and how it is kept. */
import type { Outcome } from "../../krm/finding.ts";
import type { Resource } from "../../krm/resource.ts";
import type { RenderOptions } from "../../resolve/settings.ts";
import type { ClusterApi } from "../api/cluster-api.ts";
import type { ReadLimits } from "../api/read-budget.ts";
import type { OnPolicyUnreadable } from "./policy-life.ts";

/** What the source holds now. */
export interface DirectoryInput {
  readonly resources: readonly Resource[];
  readonly config: Resource | undefined;
}

interface ReadOptions {
  /** A directory without any object is what it should be. */
  readonly allowEmpty: boolean;
  /**
   * How long files that changed must have stayed as they are, so that half of a checkout is not taken for the whole: a
   * policy that is away for a moment must open no pool, and a wrapper that is away for a moment must not lose its nodes.
   */
  readonly settleMs: number;
  readonly signal: AbortSignal;
}

export type ReadDirectory = (options: ReadOptions) => Promise<Outcome<DirectoryInput>>;

/** Where wrappers, and all else that is not live, come from. */
export interface DirectorySource {
  /** Empty: the wrappers are read from the guest cluster. */
  readonly paths: readonly string[];
  readonly policyDir: string | undefined;
  /** The file of a RenderConfig. */
  readonly config: string | undefined;
}

export function hasLiveWrappers({ paths }: DirectorySource): boolean {
  return paths.length === 0;
}

export interface WatchedCluster {
  /** In logs and metrics; a part of the set's identity, so that it may never change. */
  readonly name: string;
  /** The hosted control plane's namespace. */
  readonly hostedCluster: string;
  readonly guest: ClusterApi;
  /** Undefined: policy and hidden inputs are those of the directory, and no policy status is written. */
  readonly management: ClusterApi | undefined;
  readonly source: DirectorySource;
  readonly readDirectory: ReadDirectory;
  /** How long changed files must have stayed as they are before they count; 0 takes them as they are. */
  readonly settleMs: number;
  /** How long pools and classes must have been without their live wrappers before they are deleted; 0 deletes at once. */
  readonly pruneAfterMs: number;
  readonly render: Pick<RenderOptions, "profile" | "requirePolicy" | "autoNode">;
  readonly onPolicyUnreadable: OnPolicyUnreadable;
  readonly adopt: ReadonlySet<string>;
  readonly allowEmpty: boolean;
  readonly maxPrune: number;
  readonly nodeLimits: NodeLimitsMode;
  /** The CRDs of policy and wrappers are made, and kept as this version has them. */
  readonly installCrds: boolean;
  readonly dryRun: boolean;
  /** How much of the guest cluster is read in a pass; far more than people ask for when left out. */
  readonly readLimits?: ReadLimits;
}

/**
 * How far a watch goes to keep Hard node limits.
 *
 * - `Disruption`: replaces no more nodes at once than the limit has room for
 * - `Full`: and deletes the NodeClaims above it
 * - `Off`: limits are Karpenter's business alone
 */
export type NodeLimitsMode = "Disruption" | "Full" | "Off";
