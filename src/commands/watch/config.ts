/** Flags, or the WatchConfig that they name, in; the hosted clusters to watch, and how, out. */
import { locationOf } from "../../krm/location.ts";
import { quotedField } from "../../krm/field-path.ts";
import { hasErrors } from "../../krm/finding.ts";
import { parseSources } from "../../krm/parse.ts";
import type { Resource } from "../../krm/resource.ts";
import { type ListenAddress, parseListenAddress } from "../../model/listen-address.ts";
import type { Profile } from "../../model/profile.ts";
import { check } from "../../model/validate.ts";
import { type NODE_LIMITS, type WatchConfig, watchConfigSchema } from "../../model/watch-config.ts";
import { parseWatchInterval } from "../../model/watch-interval.ts";
import type { Context } from "../cli/context.ts";
import { UsageError } from "../cli/exit-codes.ts";
import { readText } from "../cli/read-text.ts";
import { UnreadableError } from "../cli/unreadable-error.ts";
import { chosenClusters } from "./chosen-clusters.ts";
import { leaseOf } from "./lease.ts";

export interface WatchOptions {
  readonly hostedCluster?: string;
  readonly name?: string;
  /** Of a WatchConfig; all when left out. */
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
  readonly logFormat: "json" | "logfmt";
}

const NAME = "watch";
const MINUTE_MS = 60_000;
const MAX_PRUNE = 5;
const CONCURRENCY = 4;
const NODE_LIMITS_MODE = "Disruption";

export function readWatchConfig(paths: readonly string[], options: WatchOptions, context: Context) {
  const file = options.config;
  const resource = file === undefined ? undefined : watchConfigIn(file, context);
  if (file === undefined || resource === undefined) return fromFlags(paths, options, context);
  for (const flag of OF_ONE_CLUSTER) {
    if (options[flag] !== undefined) throw new UsageError(`--${kebab(flag)} and a WatchConfig exclude each other`);
  }
  if (paths.length > 0) throw new UsageError("a WatchConfig names its paths itself: spec.clusters[].source.paths");
  return fromConfig(file, validConfig(file, resource), options, context);
}

const OF_ONE_CLUSTER = [
  "hostedCluster",
  "guestKubeconfig",
  "guestContext",
  "managementKubeconfig",
  "managementContext",
  "allowExec",
  "policyDir",
] as const;

function fromFlags(paths: readonly string[], options: WatchOptions, context: Context) {
  const { hostedCluster, policyDir, config, guestKubeconfig, guestContext } = options;
  if (options.cluster !== undefined && options.cluster.length > 0)
    throw new UsageError("--cluster names clusters of a WatchConfig: give one with --config");
  if (hostedCluster === undefined)
    throw new UsageError("say which hosted cluster: --hosted-cluster NAMESPACE, or a WatchConfig with --config", true);
  if (guestKubeconfig === undefined && guestContext === undefined)
    throw new UsageError("say which guest cluster to apply to: --guest-kubeconfig or --guest-context");
  const isOwn = options.allowExec;
  const management = { kubeconfig: options.managementKubeconfig, context: options.managementContext, isOwn };
  const hasManagement = management.kubeconfig !== undefined || management.context !== undefined;
  if (paths.length === 0 && !hasManagement)
    throw new UsageError(
      "without a PATH the policy is in the management cluster: --management-kubeconfig or --management-context",
    );
  const spec = {
    ...shared(options),
    name: options.name ?? NAME,
    hostedCluster,
    guest: { kubeconfig: guestKubeconfig, context: guestContext, isOwn },
    management: hasManagement ? management : undefined,
    source: { paths, policyDir, config },
    render: renderOptions(options, options.profile),
    onPolicyUnreadable: options.onPolicyUnreadable ?? ("Hold" as const),
    maxPrune: options.maxPrune ?? MAX_PRUNE,
    nodeLimits: options.nodeLimits ?? NODE_LIMITS_MODE,
    installCrds: options.installCrds ?? false,
  };
  return {
    specs: [spec],
    intervalMs: options.interval ?? MINUTE_MS,
    concurrency: options.concurrency ?? CONCURRENCY,
    leaderElection: leaseOf([spec], options, undefined, context),
    listen: options.listen,
  };
}

/** Flags win over the file. */
function fromConfig(file: string, { spec }: WatchConfig, options: WatchOptions, context: Context) {
  const near = (path: string): string => besides(file, path);
  const accessOf = ({ kubeconfig, context }: { kubeconfig?: string | undefined; context?: string | undefined }) => ({
    kubeconfig: kubeconfig === undefined ? undefined : near(kubeconfig),
    context,
  });
  const hasLease = options.leaderElect === true || spec.leaderElection !== undefined;
  const chosen = chosenClusters(spec.clusters, options, { maxPrune: spec.maxPrune ?? MAX_PRUNE, hasLease });
  const specs = chosen.map(({ name, namespace, guest, management, source, profile, installCrds }) => {
    if (source?.paths === undefined && management === undefined)
      throw new UnreadableError(file, `: the cluster ${name} needs management, where its policy is, or source.paths`);
    return {
      ...shared(options),
      name,
      hostedCluster: namespace,
      guest: accessOf(guest),
      management: management === undefined ? undefined : accessOf(management),
      source: {
        paths: (source?.paths ?? []).map(near),
        policyDir: source?.policyDir === undefined ? undefined : near(source.policyDir),
        config: spec.renderConfig === undefined ? undefined : near(spec.renderConfig),
      },
      render: renderOptions(options, options.profile ?? profile),
      onPolicyUnreadable: options.onPolicyUnreadable ?? spec.onPolicyUnreadable ?? ("Hold" as const),
      maxPrune: options.maxPrune ?? spec.maxPrune ?? MAX_PRUNE,
      nodeLimits: options.nodeLimits ?? spec.nodeLimits ?? NODE_LIMITS_MODE,
      installCrds: options.installCrds ?? installCrds ?? spec.installCrds ?? false,
    };
  });
  const interval = spec.interval === undefined ? undefined : parseWatchInterval(spec.interval);
  const election = spec.leaderElection && { ...spec.leaderElection, ...accessOf(spec.leaderElection) };
  return {
    specs,
    intervalMs: options.interval ?? interval ?? MINUTE_MS,
    concurrency: options.concurrency ?? spec.concurrency ?? CONCURRENCY,
    leaderElection: leaseOf(specs, options, election, context),
    listen: options.listen ?? (spec.listen === undefined ? undefined : parseListenAddress(spec.listen)),
  };
}

function shared({ adopt, allowEmpty = false, dryRun = false }: WatchOptions) {
  return { adopt: new Set(adopt), allowEmpty, dryRun };
}

function renderOptions({ requirePolicy, featureGates }: WatchOptions, profile: Profile | undefined) {
  return { profile, requirePolicy, autoNode: featureGates === "AutoNode=true" };
}

/** Undefined for a file that holds something else: reading it as a RenderConfig says what is wrong then. */
function watchConfigIn(file: string, context: Context): Resource | undefined {
  const source = { file, folder: "", text: readText(file, context), explicit: true, trusted: true, config: true };
  const { value, findings } = parseSources([source]);
  if (hasErrors(findings)) throw new UnreadableError(file, `is not YAML: ${findings[0]?.message ?? ""}`);
  const [first, ...others] = value.filter(({ kind }) => kind === "WatchConfig");
  if (first !== undefined && (others.length > 0 || value.length > 1))
    throw new UnreadableError(file, "must hold one WatchConfig and nothing else");
  return first;
}

function validConfig(file: string, resource: Resource): WatchConfig {
  const { value, violations } = check(watchConfigSchema(), resource.value);
  if (value !== undefined && violations.length === 0) return value;
  const lines = violations.map(({ path, message, hint }) => {
    const help = hint === undefined ? "" : ` (${hint})`;
    return `${locationOf(resource, path)} ${quotedField(path)} ${message}${help}`;
  });
  throw new UnreadableError(file, `is no valid WatchConfig\n  ${lines.join("\n  ")}`);
}

/** Paths of a file are relative to it. */
function besides(file: string, path: string): string {
  return path.startsWith("/") || !file.includes("/") ? path : `${file.slice(0, file.lastIndexOf("/"))}/${path}`;
}

function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
