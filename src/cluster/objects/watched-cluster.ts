/** A hosted cluster to watch: its two API servers, the source of its input, and its options. */
import type { Outcome } from "../../krm/findings/finding.ts";
import type { Resource } from "../../krm/places/resource.ts";
import type { Given, WatchSettings } from "../../model/settings/settings.ts";
import type { RenderOptions } from "../../resolve/settings.ts";
import type { ClusterApi } from "../api/cluster-api.ts";
import type { ReadLimits } from "../api/read-quota.ts";

/** What the directory holds now. */
export interface DirectoryInput {
  readonly resources: readonly Resource[];
  readonly config: Resource | undefined;
}

interface ReadOptions {
  /** A directory without any object is not an error. */
  readonly allowEmpty: boolean;
  /**
   * How long changed files must stay the same before they count, so that an unfinished checkout is not used. A policy
   * that is missing for a moment must not make pools permissive, and a missing wrapper must not cost nodes.
   */
  readonly settleMs: number;
  readonly signal: AbortSignal;
}

export type ReadDirectory = (options: ReadOptions) => Promise<Outcome<DirectoryInput>>;

/** The source of wrappers, and of all other input that is not live. */
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

export interface WatchedCluster extends WatchSettings {
  /** In logs and metrics. It must never change, because it is a part of the set's identity. */
  readonly name: string;
  /** The hosted control plane's namespace. */
  readonly hostedCluster: string;
  readonly guest: ClusterApi;
  /** Undefined: policy and hidden inputs come from the directory, and no policy status is written. */
  readonly management: ClusterApi | undefined;
  readonly source: DirectorySource;
  readonly readDirectory: ReadDirectory;
  /** How long changed files must stay the same before they count; 0 uses them at once. */
  readonly settleMs: number;
  /** How long the live wrapper of a pool or class must be missing before the object is deleted; 0 deletes at once. */
  readonly pruneAfterMs: number;
  readonly render: Given<"renderConfig"> & Pick<RenderOptions, "autoNode">;
  readonly adopt: ReadonlySet<string>;
  readonly allowEmpty: boolean;
  /** How much of the guest cluster a pass reads at most. The default is far above what clusters need. */
  readonly readLimits?: ReadLimits;
}
