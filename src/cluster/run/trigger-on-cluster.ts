/** Triggers a pass when a hosted cluster changes: objects of both clusters, or files. */
import { type FSWatcher, watch } from "node:fs";
import type { ClusterApi } from "../api/cluster-api.ts";
import {
  AUTO_NODE_POLICIES,
  HOSTED_CONTROL_PLANES,
  NODE_CLAIMS,
  OPENSHIFT_EC2_NODE_CLASSES,
  OPENSHIFT_NODE_POOLS,
  SECRETS,
} from "../api/served-kind.ts";
import { watchQuota } from "../api/read-quota.ts";
import { MANAGED_BY_KARPENTER } from "../read/read-management.ts";
import type { WakeUp } from "../waiting/wake-up.ts";
import { triggerOnChange, type TriggerOptions, type WatchLiveness } from "./watch-triggers.ts";
import { hasLiveWrappers, type WatchedCluster } from "../objects/watched-cluster.ts";
import { APPLIED_KINDS } from "../../model/objects/applied-kinds.ts";

interface ClusterHintOptions extends Omit<TriggerOptions, "labelSelector" | "pulse" | "budget"> {
  readonly quiet: WatchLiveness;
  /** Whether the last pass had a pool with a Hard limit on nodes. */
  readonly isLimited: () => boolean;
  /** Raised after each pass. */
  readonly passed: WakeUp;
}

/** Ends with the signal. */
export async function triggerOnCluster(
  cluster: WatchedCluster,
  news: WakeUp,
  given: ClusterHintOptions,
): Promise<void> {
  const { quiet } = given;
  const options = { ...given, budget: watchQuota(cluster.readLimits) };
  const { paths, policyDir, config } = cluster.source;
  hintOnFiles([...paths, policyDir ?? [], config ?? []].flat(), news, options.signal);
  const hints = collectionsOf(cluster).map(([api, collection]) =>
    // The namespace of a control plane has many other Secrets.
    collection.kind === SECRETS.kind
      ? triggerOnChange(api, collection, news, {
          ...options,
          pulse: quiet.pulse(),
          labelSelector: MANAGED_BY_KARPENTER,
        })
      : triggerOnChange(api, collection, news, { ...options, pulse: quiet.pulse() }),
  );
  if (cluster.nodeLimits !== "Off")
    hints.push(triggerOnNodeClaims(cluster.guest, news, { ...options, matters: options.isLimited }));
  await Promise.all(hints);
}

function collectionsOf({ guest, management, hostedCluster: namespace, source }: WatchedCluster) {
  const ofGuest = [
    ...(hasLiveWrappers(source) ? [OPENSHIFT_NODE_POOLS, OPENSHIFT_EC2_NODE_CLASSES] : []),
    ...APPLIED_KINDS,
  ];
  const ofManagement = [AUTO_NODE_POLICIES, HOSTED_CONTROL_PLANES, SECRETS];
  return [
    ...ofGuest.map((kind) => [guest, kind] as const),
    ...(management === undefined ? [] : ofManagement.map((kind) => [management, { ...kind, namespace }] as const)),
  ];
}

/**
 * Until the signal. The next pass by the clock finds changes of files that cannot be watched, or that a watch missed.
 */
function hintOnFiles(paths: readonly string[], pending: WakeUp, signal: AbortSignal): void {
  for (const path of paths) {
    let watcher: FSWatcher;
    try {
      watcher = watch(path, { recursive: true, signal }, () => pending.raise());
    } catch {
      continue;
    }
    // Removing a directory ends its watch.
    watcher.on("error", () => watcher.close());
  }
}

interface NodeClaimOptions extends Omit<TriggerOptions, "labelSelector" | "pulse"> {
  /** Whether the last pass had a pool with a Hard limit; other pools do not need it. */
  readonly matters: () => boolean;
  /** Raised after each pass. */
  readonly passed: WakeUp;
}

/** Ends with the signal. A watch takes memory, so it is opened only when a pool has a Hard limit. */
export async function triggerOnNodeClaims(
  api: Pick<ClusterApi, "watch">,
  pending: WakeUp,
  { matters, passed, ...options }: NodeClaimOptions,
): Promise<void> {
  for (passed.clear(); !matters() && !options.signal.aborted; passed.clear()) await passed.wait(options.signal);
  const raise = (): void => {
    if (matters()) pending.raise();
  };
  await triggerOnChange(api, NODE_CLAIMS, { ...pending, raise }, options);
}
