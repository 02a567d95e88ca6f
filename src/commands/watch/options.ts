/** The options of `anp watch`, as commander parses them. */
import type { ListenAddress } from "../../model/listen-address.ts";
import type { Profile } from "../../model/profile.ts";
import type { ShardRange } from "../../model/shard-range.ts";
import type { NODE_LIMITS } from "../../model/watch-fields.ts";

export interface WatchOptions {
  readonly hostedCluster?: string;
  readonly name?: string;
  /** Clusters of a WatchConfig; all if undefined. */
  readonly cluster?: readonly string[];
  readonly guestKubeconfig?: string;
  readonly guestContext?: string;
  readonly managementKubeconfig?: string;
  readonly managementContext?: string;
  readonly allowExec?: boolean;
  readonly config?: string;
  readonly policyDir?: string;
  readonly requirePolicy?: boolean;
  readonly profile?: Profile;
  readonly featureGates: "AutoNode=true" | "AutoNode=false";
  readonly once?: boolean;
  readonly dryRun?: boolean;
  readonly interval?: number;
  readonly allowEmpty?: boolean;
  readonly maxPrune?: number;
  readonly adopt: readonly string[];
  readonly onPolicyUnreadable?: "Hold" | "Permissive";
  readonly nodeLimits?: (typeof NODE_LIMITS)[number];
  readonly installCrds?: boolean;
  readonly concurrency?: number;
  readonly leaderElect?: boolean;
  readonly leaderElectionNamespace?: string;
  readonly leaderElectionName?: string;
  readonly listen?: ListenAddress;
  readonly shardRange?: ShardRange;
  readonly logFormat: "json" | "logfmt";
}
