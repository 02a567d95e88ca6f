/** `--live` of explain and check: a cluster as the input, with what its user may see. */
import type { DumpedFamily, DumpedKind, UnreadKind } from "../../cluster/read/live-dump.ts";
import { type Finding, findingOnInput } from "../../krm/finding.ts";
import { HYPERSHIFT_KARPENTER_GROUP, KARPENTER_GROUP } from "../../krm/known-kinds.ts";
import { groupOf, type Resource } from "../../krm/resource.ts";
import { isNodeClass, isOfHostedCluster, mayHaveNodeClasses, meansHosted } from "../../model/input-mode.ts";
import { podSpecPath } from "../../model/pod-template.ts";
import type { Context } from "../cli/context.ts";
import type { ExitCode } from "../cli/exit-codes.ts";
import { type PolicyOption, renderOptionsOf, type SharedOptions } from "../cli/options.ts";
import { checkLiveOptions, type LiveInputOptions, readLiveKinds, refusePaths } from "./live-input.ts";
import { loadFiles } from "./load.ts";
import { clustersOf, loadClusters, type LoadedClusters, underPolicyOf } from "./load-clusters.ts";

/** Of a live cluster there is more to say. */
export interface LoadedInput extends LoadedClusters {
  /** Of a cluster: what the user may not read. */
  readonly unread: readonly UnreadKind[];
  /** Of a cluster, where they were asked for: what pods stand for themselves, and DaemonSets. */
  readonly livePods: readonly Resource[];
  /** Pods, and what makes them, of files that were named themselves beside the pools. */
  readonly namedPods: readonly Resource[];
}

interface Asked {
  readonly withPods: boolean;
}

/** Of paths, or of a cluster; an exit code where that cannot answer, which is said by then. */
export async function loadInput(
  paths: readonly string[],
  options: SharedOptions & PolicyOption & LiveInputOptions,
  context: Context,
  { withPods }: Asked = { withPods: false },
): Promise<LoadedInput | ExitCode> {
  checkLiveOptions(options);
  if (options.live !== true) {
    const { resources, ...clusters } = loadClusters(paths, options, context);
    return { ...clusters, unread: [], livePods: [], namedPods: namedPods(resources, paths) };
  }
  refusePaths(paths);
  const kinds = [...kindsRead(meansHosted(options)), ...(withPods ? POD_KINDS : [])];
  const read = await readLiveKinds(kinds, options, context);
  if (typeof read === "number") return read;
  const { value, findings } = loadFiles([], options, context);
  const { unread } = read;
  const isPod = ({ kind, apiVersion }: Resource): boolean =>
    POD_KINDS.some((one) => one.kind === kind && one.group === groupOf(apiVersion));
  const isHalf = unread.some(({ kind }) => HOSTED_KINDS.some((one) => one.kind === kind));
  // A part of the wrappers would make outputs of the others look like nobody's.
  const given = read.resources.filter((one) => !isPod(one) && !(isHalf && isOfHostedCluster(one)));
  const loaded = { value: { ...value, resources: [...value.resources, ...given] }, findings };
  const clusters = underPolicyOf(
    { ...clustersOf(loaded, { ...options, ...renderOptionsOf(options) }), config: value.config },
    options,
    context,
  );
  return {
    ...clusters,
    findings: [...clusters.findings, ...unread.map(notRead)],
    unread,
    livePods: read.resources.filter(isPod),
    namedPods: [],
  };
}

/** A folder of manifests may hold workloads that nobody asks about; a file of it may be named once more. */
function namedPods(resources: readonly Resource[], paths: readonly string[]): Resource[] {
  const named = new Set(paths.map((path) => path.replace(/^\.\//, "")));
  return resources.filter((resource) => {
    const { explicit, file } = resource.document.source;
    return (explicit || named.has(file)) && podSpecPath(resource) !== undefined;
  });
}

function notRead({ plural, unknown, reason }: UnreadKind): Finding {
  const message = `${unknown}, because the user may not list ${plural}: ${reason}`;
  const hint = `let the user list ${plural}, or take the answer as one without them`;
  return findingOnInput("live-kind-unread", { message, hint });
}

/** Where the user says that it is a hosted cluster, there is no answer without them. */
function kindsRead(asHosted: boolean): readonly (DumpedKind | DumpedFamily)[] {
  const hosted = asHosted ? HOSTED_KINDS.map((kind) => ({ ...kind, unknown: undefined })) : HOSTED_KINDS;
  return [NODE_POOLS, ...hosted, NODE_CLASSES, OTHER_KINDS];
}

const NODE_POOLS: DumpedKind = {
  group: KARPENTER_GROUP,
  // In a cluster of the time before v1 there is no other.
  versions: ["v1", "v1beta1"],
  kind: "NodePool",
  plural: "nodepools",
};

/** The policy of a guest cluster stands on the management cluster, and its wrappers here. */
const HOSTED_KINDS: readonly DumpedKind[] = [
  {
    group: HYPERSHIFT_KARPENTER_GROUP,
    versions: ["v1beta1"],
    kind: "OpenshiftNodePool",
    plural: "openshiftnodepools",
    optional: true,
    unknown: "what the OpenshiftNodePools ask for is not known, and the NodePools are looked at as they stand",
  },
  {
    group: HYPERSHIFT_KARPENTER_GROUP,
    versions: ["v1", "v1beta1"],
    kind: "OpenshiftEC2NodeClass",
    plural: "openshiftec2nodeclasses",
    optional: true,
    unknown: "what the OpenshiftEC2NodeClasses ask for is not known, and the NodePools are looked at as they stand",
  },
  {
    group: HYPERSHIFT_KARPENTER_GROUP,
    versions: ["v1beta1"],
    kind: "AutoNodePolicy",
    plural: "autonodepolicies",
    optional: true,
    unknown: "whether a policy holds here is not known, and the NodePools are looked at as they stand",
  },
];

/** Of every provider that the cluster has. */
const NODE_CLASSES: DumpedFamily = {
  isGroup: mayHaveNodeClasses,
  isKind: isNodeClass,
  unknown: "what the node classes demand of nodes is not known",
};

/** Those that change what is true of pools, such as NodeOverlay and CapacityBuffer. */
const OTHER_KINDS: DumpedFamily = {
  isGroup: (group) => group === KARPENTER_GROUP || group === "autoscaling.x-k8s.io",
  isKind: ({ apiVersion, kind }) =>
    groupOf(apiVersion) === KARPENTER_GROUP ? kind !== "NodePool" && kind !== "NodeClaim" : kind === "CapacityBuffer",
  unknown: "what else changes Karpenter's choice is not known",
};

const POD_KINDS: readonly DumpedKind[] = [
  {
    group: "",
    versions: ["v1"],
    kind: "Pod",
    plural: "pods",
    // As Karpenter asks for them: of a large cluster nearly all pods have a node.
    fieldSelector: "spec.nodeName=",
    unknown: "which pods wait for a node is not known",
  },
  {
    group: "apps",
    versions: ["v1"],
    kind: "DaemonSet",
    plural: "daemonsets",
    unknown: "what DaemonSets take of each node is not known",
  },
];
