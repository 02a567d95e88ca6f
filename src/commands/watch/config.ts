/** Reads the hosted clusters to watch, and their settings, from flags or a WatchConfig. */
import { hasErrors } from "../../krm/findings/finding.ts";
import { parseSources } from "../../krm/parse/parse.ts";
import { quotedField } from "../../krm/places/field-path.ts";
import { locationOf } from "../../krm/places/location.ts";
import type { Resource } from "../../krm/places/resource.ts";
import { check } from "../../model/schema/validate.ts";
import { kebab, watchSettings } from "../../model/settings/settings.ts";
import { type WatchConfig, watchConfigSchema } from "../../model/settings/watch-config.ts";
import type { Context } from "../cli/context.ts";
import { UnreadableError, UsageError } from "../cli/exit-codes.ts";
import { readText } from "../cli/read-text.ts";
import { chosenClusters } from "./chosen-clusters.ts";
import { fromDiscovery } from "./discovery.ts";
import { leaseOf } from "./lease.ts";
import { keptBy, near, runSettings, type WatchOptions } from "./options.ts";

const NAME = "watch";

export function readWatchConfig(paths: readonly string[], options: WatchOptions, context: Context) {
  const file = options.config;
  const resource = file === undefined ? undefined : watchConfigIn(file, context);
  if (file === undefined || resource === undefined) {
    if (options.shardRange !== undefined)
      throw new UsageError("--shard-range is for a WatchConfig with spec.sharding: name it with --config");
    return fromFlags(paths, options, context);
  }
  for (const flag of OF_ONE_CLUSTER) {
    if (options[flag] !== undefined) throw new UsageError(`--${kebab(flag)} and a WatchConfig exclude each other`);
  }
  if (paths.length > 0) throw new UsageError("a WatchConfig names its paths itself: spec.clusters[].source.paths");
  const config = validConfig(file, resource);
  const { clusters, discover } = config.spec;
  if (discover !== undefined) return fromDiscovery(discover, config.spec, near(file), options, context);
  if (options.shardRange !== undefined) throw new UsageError("--shard-range is for a WatchConfig with spec.sharding");
  return fromConfig(file, clusters ?? [], config, options, context);
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
    ...keptBy(options),
    name: options.name ?? NAME,
    hostedCluster,
    guest: { kubeconfig: guestKubeconfig, context: guestContext, isOwn },
    management: hasManagement ? management : undefined,
    source: { paths, policyDir, config },
  };
  return {
    specs: [spec],
    ...runSettings(options),
    leaderElection: leaseOf([spec], options, undefined, context),
  };
}

/** Flags take precedence over the file. */
function fromConfig(
  file: string,
  clusters: NonNullable<WatchConfig["spec"]["clusters"]>,
  { spec }: WatchConfig,
  options: WatchOptions,
  context: Context,
) {
  const { path: toPath, access: accessOf } = near(file);
  const hasLease = options.leaderElect === true || spec.leaderElection !== undefined;
  const chosen = chosenClusters(clusters, options, { maxPrune: watchSettings(spec).maxPrune, hasLease });
  const specs = chosen.map(({ name, namespace, guest, management, source, profile, installCrds }) => {
    if (source?.paths === undefined && management === undefined)
      throw new UnreadableError(file, `: the cluster ${name} needs management, where its policy is, or source.paths`);
    return {
      ...keptBy(options, { profile, installCrds }, spec),
      name,
      hostedCluster: namespace,
      guest: accessOf(guest),
      management: management === undefined ? undefined : accessOf(management),
      source: {
        paths: (source?.paths ?? []).map(toPath),
        policyDir: source?.policyDir === undefined ? undefined : toPath(source.policyDir),
        config: spec.renderConfig === undefined ? undefined : toPath(spec.renderConfig),
      },
    };
  });
  const election = spec.leaderElection && { ...spec.leaderElection, ...accessOf(spec.leaderElection) };
  return {
    specs,
    ...runSettings(options, spec),
    leaderElection: leaseOf(specs, options, election, context),
  };
}

/** Undefined for a file without a WatchConfig: reading it as a RenderConfig then reports what is wrong. */
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
  throw new UnreadableError(file, `is not a valid WatchConfig\n  ${lines.join("\n  ")}`);
}
