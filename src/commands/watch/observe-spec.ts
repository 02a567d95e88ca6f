/** Flags, and the WatchConfig that they may name, in; what is to be observed, and where, out. */
import type { ObserveOptions, ObservedSpec } from "../../cluster/run/observe.ts";
import type { KubeAccessOptions } from "../../cluster/api/kube-access.ts";
import type { Context } from "../cli/context.ts";
import { UsageError } from "../cli/exit-codes.ts";
import { readWatchConfig, readConfigFile, type WatchOptions } from "./config.ts";
import { KUBECONFIG_SECRET, LEASES_NAME } from "./discovery.ts";
import { LEASE_NAME } from "./lease.ts";
import { DEFAULTS, near, renderOptions } from "./shared-options.ts";

type ObserveSpec = Omit<ObserveOptions, "catalogue">;

/** What a user may say of a watch that runs somewhere else. */
const TAKEN: readonly string[] = [
  "observe",
  "once",
  "output",
  "config",
  "hostedCluster",
  "name",
  "cluster",
  "guestKubeconfig",
  "guestContext",
  "managementKubeconfig",
  "managementContext",
  "readGuests",
  "interval",
  "profile",
];

/** Between two looks at one guest cluster. */
const LOOK_MS = 30_000;

/** @param given names of the options that the user has written */
export function observeSpecOf(
  paths: readonly string[],
  options: WatchOptions,
  given: readonly string[],
  context: Context,
): ObserveSpec {
  const other = given.find((name) => !TAKEN.includes(name));
  if (other !== undefined) {
    const flag = `--${other.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    throw new UsageError(`--observe and ${flag} exclude each other: observing changes nothing, and holds no Lease`);
  }
  if (paths.length > 0) throw new UsageError("--observe reads clusters: the paths of a watch stand in its WatchConfig");
  const { config, managementKubeconfig: kubeconfig, managementContext, hostedCluster } = options;
  // Who sits at a machine of one's own may use what kubectl uses there.
  const own: KubeAccessOptions = { kubeconfig, context: managementContext, isOwn: true };
  const isNamed = kubeconfig !== undefined || managementContext !== undefined;
  const shared = { intervalMs: options.interval ?? LOOK_MS, readsSecrets: options.readGuests ?? false };
  if (config !== undefined) {
    if (hostedCluster !== undefined || options.guestKubeconfig !== undefined || options.guestContext !== undefined)
      throw new UsageError("--hosted-cluster, --guest-kubeconfig and --guest-context do not go with a WatchConfig");
    return { ...ofConfig(config, options, isNamed ? own : undefined, context), ...shared };
  }
  const nothing = {
    ...shared,
    concurrency: DEFAULTS.concurrency,
    leaseAccess: undefined,
    leases: { namespace: undefined, leader: LEASE_NAME, expected: undefined },
  };
  if (hostedCluster === undefined) {
    if (options.guestKubeconfig !== undefined || options.guestContext !== undefined)
      throw new UsageError("say whose guest cluster that is: --hosted-cluster NAMESPACE");
    return { ...nothing, clusters: [], discover: foundWith(own, options) };
  }
  return { ...nothing, clusters: [ofFlags(hostedCluster, own, options)], discover: undefined };
}

const KEPT = { adopt: new Set<string>(), allowEmpty: false, dryRun: false, installCrds: false } as const;

function ofFlags(hostedCluster: string, management: KubeAccessOptions, options: WatchOptions): ObservedSpec {
  const { guestKubeconfig: kubeconfig, guestContext, name = "watch" } = options;
  return {
    ...KEPT,
    ...DEFAULTS,
    name,
    hostedCluster,
    guest:
      kubeconfig === undefined && guestContext === undefined
        ? undefined
        : { kubeconfig, context: guestContext, isOwn: true },
    management,
    source: { paths: [], policyDir: undefined, config: undefined },
    render: renderOptions(options, options.profile),
  };
}

/** All that there are. */
function foundWith(management: KubeAccessOptions, options: WatchOptions): NonNullable<ObserveSpec["discover"]> {
  return {
    management,
    selector: undefined,
    kubeconfigSecret: KUBECONFIG_SECRET,
    server: undefined,
    names: {},
    only: new Set(options.cluster),
    renderConfig: undefined,
    defaults: { ...KEPT, ...DEFAULTS, render: renderOptions(options, options.profile) },
    forced: {},
  };
}

/** @param own in place of the management cluster that the WatchConfig names */
function ofConfig(
  file: string,
  options: WatchOptions,
  own: KubeAccessOptions | undefined,
  context: Context,
): Omit<ObserveSpec, "intervalMs" | "readsSecrets"> {
  const spec = readConfigFile(file, context);
  const { managementKubeconfig: _kubeconfig, managementContext: _context, ...others } = options;
  // One that looks on takes part in nothing.
  const read = readWatchConfig([], { ...others, once: true }, context);
  const managements = new Set(read.specs.map(({ management }) => JSON.stringify(management)));
  if (own !== undefined && managements.size > 1)
    throw new UsageError(
      `${file} has several management clusters: --management-kubeconfig and -context would be for all of them`,
    );
  const { leaderElection, sharding } = spec;
  const { discover } = read as { readonly discover?: ObserveOptions["discover"] };
  const accessOf = (given: KubeAccessOptions) =>
    own ?? (given.kubeconfig === undefined ? { ...given, isOwn: true } : given);
  const { kubeconfig, context: ofLease } = leaderElection ?? {};
  const hasOwnLease = kubeconfig !== undefined || ofLease !== undefined;
  return {
    clusters: read.specs.map((one) => ({ ...one, management: one.management && accessOf(one.management) })),
    discover: discover && { ...discover, management: accessOf(discover.management) },
    concurrency: read.concurrency,
    leaseAccess: hasOwnLease && leaderElection !== undefined ? accessOf(near(file).access(leaderElection)) : undefined,
    leases: {
      namespace: (sharding ?? leaderElection)?.namespace,
      leader: leaderElection?.name ?? LEASE_NAME,
      watch: sharding === undefined ? undefined : (sharding.name ?? LEASES_NAME),
      expected: sharding !== undefined || leaderElection !== undefined,
    },
  };
}
