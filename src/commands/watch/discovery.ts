/** Reads a WatchConfig that discovers its clusters: how they are found, reconciled and sharded. */
import type { DiscoverSpec } from "../../cluster/run/run.ts";
import type { ShardingSpec } from "../../cluster/shards/hold-shards.ts";
import { DEFAULT_SHARDS, parseShardRange } from "../../model/settings/discover-config.ts";
import { given, watchSettings } from "../../model/settings/settings.ts";
import type { WatchConfig } from "../../model/settings/watch-config.ts";
import type { Context } from "../cli/context.ts";
import { UsageError } from "../cli/exit-codes.ts";
import { openedGuard } from "./chosen-clusters.ts";
import { leaseOf, namespaceOfPod } from "./lease.ts";
import { alike, type Near, runSettings, type WatchOptions } from "./options.ts";

type Spec = WatchConfig["spec"];

/** The kubeconfig that HyperShift gives its own operators (docs/upstream/hypershift.md#hosted-control-planes). */
const KUBECONFIG_SECRET = { name: "hcco-kubeconfig", key: "kubeconfig" };

const LEASES_NAME = "anp-watch";

export function fromDiscovery(
  discover: NonNullable<Spec["discover"]>,
  spec: Spec,
  near: Near,
  options: WatchOptions,
  context: Context,
) {
  const { selector, server, allowedServers, names = {}, kubeconfigSecret = {}, profile } = discover;
  const management = near.access(discover.management ?? {});
  const found: DiscoverSpec = {
    management,
    selector,
    kubeconfigSecret: {
      name: kubeconfigSecret.name ?? KUBECONFIG_SECRET.name,
      key: kubeconfigSecret.key ?? KUBECONFIG_SECRET.key,
    },
    server: server && { address: server.address, tlsServerName: server.tlsServerName },
    allowedServers,
    names,
    renderConfig: spec.renderConfig === undefined ? undefined : near.path(spec.renderConfig),
    ...alike(options),
    forced: given("watch", options),
    defaults: { ...given("watchConfig", spec), profile },
    only: new Set([...(options.cluster ?? []), ...(options.name === undefined ? [] : [options.name])]),
  };
  refuseForAll(found.only, spec, options);
  const sharding = shardingOf(discover, spec, near, options, context);
  const wantsLease = spec.leaderElection !== undefined || options.leaderElect === true;
  if (sharding !== undefined && wantsLease)
    throw new UsageError("--leader-elect and spec.sharding exclude each other: each shard has a Lease of its own");
  const election = spec.leaderElection && { ...spec.leaderElection, ...near.access(spec.leaderElection) };
  return {
    specs: [],
    discover: found,
    sharding,
    ...runSettings(options, spec),
    leaderElection: leaseOf([{ guest: management, management }], options, election, context),
  };
}

/** Refuses the same options as for a list of clusters. */
function refuseForAll(only: DiscoverSpec["only"], spec: Spec, options: WatchOptions): void {
  const { sharding, leaderElection } = spec;
  const opened = only.size === 0 ? openedGuard(options, watchSettings(spec).maxPrune) : undefined;
  if (opened !== undefined)
    throw new UsageError(
      `${opened} relaxes a guard for all discovered clusters: name the clusters that it is for with --cluster`,
    );
  const isShared = sharding !== undefined || leaderElection !== undefined || options.leaderElect === true;
  if (only.size > 0 && isShared && options.once !== true)
    throw new UsageError(
      "--cluster needs --once if replicas share clusters: each reconciles all clusters of its shards",
    );
}

/** Undefined without sharding, and for one pass only. */
function shardingOf(
  { management = {} }: NonNullable<Spec["discover"]>,
  { sharding }: Spec,
  near: Near,
  { once, shardRange }: Pick<WatchOptions, "once" | "shardRange">,
  context: Context,
): ShardingSpec | undefined {
  if (sharding === undefined && shardRange !== undefined)
    throw new UsageError("--shard-range is for a WatchConfig with spec.sharding");
  if (sharding === undefined || once === true) return undefined;
  const { shards = DEFAULT_SHARDS, name = LEASES_NAME } = sharding;
  const range = shardRange ?? (sharding.range === undefined ? undefined : parseShardRange(sharding.range));
  const { first, last } = range ?? { first: 0, last: shards - 1 };
  if (last >= shards) throw new UsageError(`--shard-range ends beyond the ${shards} shards, which are counted from 0`);
  const namespace = sharding.namespace ?? namespaceOfPod(context);
  if (namespace === undefined) throw new UsageError("say where the Leases are: spec.sharding.namespace");
  return { access: near.access(management), namespace, name, shards, first, last };
}
