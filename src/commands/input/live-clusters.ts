/** `--live` of explain and check: a cluster as the input, limited to what its user may read. */
import type { DumpedFamily, DumpedKind, UnreadKind } from "../../cluster/read/live-dump.ts";
import { type Finding, findingOnInput } from "../../krm/findings/finding.ts";
import { HYPERSHIFT_KARPENTER_GROUP, KARPENTER_GROUP } from "../../krm/findings/known-kinds.ts";
import { isStorage } from "../../karpenter/scheduling/pod-volumes.ts";
import { valueAt } from "../../krm/places/field-path.ts";
import { groupOf, type Resource } from "../../krm/places/resource.ts";
import { isNodeClass, isOfHostedCluster, mayHaveNodeClasses, meansHosted } from "../../model/objects/input-mode.ts";
import { podSpecPath } from "../../model/objects/pod.ts";
import type { Context } from "../cli/context.ts";
import type { ExitCode } from "../cli/exit-codes.ts";
import {
  type InputOptions,
  type KarpenterOption,
  type NodeDataOption,
  type PolicyOption,
  renderOptionsOf,
  type SharedOptions,
} from "../cli/options.ts";
import type { BuildOptions } from "./builds.ts";
import type { FillOptions } from "./fill-placeholders.ts";
import { checkLiveOptions, type LiveInputOptions, readLiveKinds, refusePaths } from "./live-input.ts";
import { readKindsBeside } from "./kinds-beside.ts";
import { loadFiles } from "./load.ts";
import { clustersOf, loadClusters, type LoadedClusters, refuseOldVersions, underPolicyOf } from "./load-clusters.ts";
import { ofKubernetes } from "./of-kubernetes.ts";

/** The input, with facts that only a live cluster has. */
export interface LoadedInput extends LoadedClusters {
  /** Kinds of the cluster that the user may not read. */
  readonly unread: readonly UnreadKind[];
  /** Pods without a controller, workloads and DaemonSets of the cluster, if they were asked for. */
  readonly livePods: readonly Resource[];
  /** Pods and workloads in files that a path names, beside the pools. */
  readonly namedPods: readonly Resource[];
  /** What decides on the volumes of pods. */
  readonly storage: readonly Resource[];
  /** Every object of the files or of the kinds that were read of a cluster. */
  readonly objects: readonly Resource[];
}

interface Asked {
  readonly withPods?: boolean;
  /** Whether NodeClaims are compared with the policy. */
  readonly withClaims?: boolean;
  /** Kinds of a cluster that are read beside pools and node classes. */
  readonly others?: readonly DumpedKind[];
  /** Whether the conditions of wrappers are an answer if the user may not list NodePools. */
  readonly byConditions?: boolean;
}

/** Loads paths or a cluster. @returns an exit code if the cluster cannot answer; the reason is already printed */
export async function loadInput(
  paths: readonly string[],
  options: SharedOptions &
    PolicyOption &
    NodeDataOption &
    LiveInputOptions &
    KarpenterOption &
    BuildOptions &
    FillOptions,
  context: Context,
  { withPods = false, withClaims = false, byConditions = false, others = [] }: Asked,
): Promise<LoadedInput | ExitCode> {
  checkLiveOptions(options);
  if (options.live !== true) {
    const { resources, ...clusters } = loadClusters(paths, options, context);
    const storage = resources.filter(isStorage);
    return {
      ...refuseOldVersions(clusters),
      unread: [],
      livePods: [],
      namedPods: namedPods(resources, paths),
      storage,
      objects: resources,
    };
  }
  refusePaths(paths);
  const kinds = [
    ...kindsRead(meansHosted(options), byConditions),
    ...(withPods ? POD_KINDS : []),
    ...(withClaims ? [NODE_CLAIMS] : []),
  ];
  const read = await readLiveKinds(kinds, options, context);
  if (typeof read === "number") return read;
  const livePods = read.resources.filter(isPod);
  const storage = livePods.some(asksForVolumes) ? await readLiveKinds(STORAGE_KINDS, options, context) : NONE_READ;
  if (typeof storage === "number") return storage;
  const beside = others.length === 0 ? NONE_READ : await readLiveKinds(others, options, context);
  if (typeof beside === "number") return beside;
  const ofOthers = new Map(beside.unread.map((one) => [one.kind, one]));
  const ofRead = [...read.unread, ...storage.unread, ...ofOthers.values()];
  const withoutPools = ofRead.some(({ kind }) => kind === NODE_POOLS.kind);
  if (withoutPools && !read.resources.some(({ kind }) => kind === WRAPPERS.kind)) {
    const answer = await readLiveKinds([NODE_POOLS], options, context);
    return typeof answer === "number" ? answer : loadInput(paths, options, context, { withPods, withClaims, others });
  }
  const karpenter = await readKarpenter(read.resources, options, context);
  if (typeof karpenter === "number") return karpenter;
  const ofPods = withPods ? await readKindsBeside([...read.resources, ...karpenter], options, context) : NONE_READ;
  if (typeof ofPods === "number") return ofPods;
  const unread = [...ofRead, ...ofPods.unread];
  const { value, findings } = loadFiles([], options, context);
  const isHalf = !withoutPools && unread.some(({ kind }) => HOSTED_KINDS.some((one) => one.kind === kind));
  // If some wrappers cannot be read, outputs of those wrappers would look orphaned.
  const objects = read.resources.filter((one) => !isPod(one) && !(isHalf && isOfHostedCluster(one)));
  const given = [...objects, ...karpenter];
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
    livePods,
    namedPods: [],
    storage: storage.resources,
    objects: [...read.resources, ...beside.resources, ...karpenter, ...ofPods.resources],
  };
}

/**
 * The pools, node classes and wrappers of a cluster, beside the files that options name.
 *
 * @param more kinds that are read too
 */
export async function loadLiveObjects(
  options: InputOptions & LiveInputOptions & KarpenterOption,
  context: Context,
  more: readonly DumpedKind[] = [],
) {
  const read = await readLiveKinds([...kindsRead(meansHosted(options), false), ...more], options, context);
  if (typeof read === "number") return read;
  const { value, findings } = loadFiles([], options, context);
  const karpenter = more.length === 0 ? [] : await readKarpenter(read.resources, options, context);
  if (typeof karpenter === "number") return karpenter;
  return {
    loaded: { ...value, resources: [...value.resources, ...read.resources, ...karpenter] },
    findings: [...findings, ...read.unread.map(notRead)],
    unread: read.unread,
    servesPools: !read.unserved.includes(WRAPPERS.kind),
    allWrappers: HOSTED_KINDS.every(({ kind }) => !read.unread.some((one) => one.kind === kind)),
  };
}

/** The Deployment of Karpenter, which has its feature gates. The one of a hosted cluster runs elsewhere. */
async function readKarpenter(
  read: readonly Resource[],
  options: LiveInputOptions & KarpenterOption,
  context: Context,
): Promise<readonly Resource[] | ExitCode> {
  if (options.karpenterGates !== undefined || read.some(isOfHostedCluster)) return [];
  const found = await readLiveKinds([KARPENTER], options, context);
  if (typeof found === "number") return found;
  if (found.unread.length > 0)
    context.writeError(
      "note: Karpenter's feature gates count with their defaults, because the user may not list deployments: give them with --karpenter-gates\n",
    );
  return found.resources;
}

function isPod({ kind, apiVersion }: Resource): boolean {
  return POD_KINDS.some((one) => one.kind === kind && one.group === groupOf(apiVersion));
}

function asksForVolumes({ kind, value }: Resource): boolean {
  const volumes = valueAt(value, ["spec", "volumes"]);
  const isClaim = (volume: unknown): boolean =>
    ["persistentVolumeClaim", "ephemeral"].some((field) => (valueAt(volume, [field]) ?? undefined) !== undefined);
  return kind === "Pod" && Array.isArray(volumes) && volumes.some(isClaim);
}

/** A folder of manifests may hold unrelated workloads, so only files that a path names count. */
function namedPods(resources: readonly Resource[], paths: readonly string[]): Resource[] {
  const named = new Set(paths.map((path) => path.replace(/^\.\//, "")));
  // The workloads of a dump have their pods there.
  const dumps = new Set(
    resources.filter((one) => one.kind === "Node" && one.apiVersion === "v1").map((one) => one.document.source.file),
  );
  return resources.filter((resource) => {
    const { explicit, file } = resource.document.source;
    if (!explicit && !named.has(file)) return false;
    return podSpecPath(resource) !== undefined && (isPod(resource) || !dumps.has(file));
  });
}

export function notRead({ plural, unknown, reason }: UnreadKind): Finding {
  const message = `${unknown}, because the user may not list ${plural}: ${reason}`;
  const hint = `allow the user to list ${plural}, or accept an answer without them`;
  return findingOnInput("live-kind-unread", { message, hint });
}

/** If options say that it is a hosted cluster, these kinds are required. */
function kindsRead(asHosted: boolean, byConditions: boolean): readonly (DumpedKind | DumpedFamily)[] {
  const hosted = asHosted ? HOSTED_KINDS.map((kind) => ({ ...kind, unknown: undefined })) : HOSTED_KINDS;
  const unknown = "the running NodePools are unknown, and the conditions of the OpenshiftNodePools answer for them";
  return [byConditions ? { ...NODE_POOLS, unknown } : NODE_POOLS, ...hosted, NODE_CLASSES, OTHER_KINDS];
}

/** It may have any namespace, and the release of its chart names it. */
export const KARPENTER: DumpedKind = {
  group: "apps",
  versions: ["v1"],
  kind: "Deployment",
  plural: "deployments",
  fieldSelector: "metadata.name=karpenter",
  unknown: "which feature gates Karpenter has",
};

export const NODE_POOLS: DumpedKind = {
  group: KARPENTER_GROUP,
  // A cluster with an old Karpenter may serve only v1beta1.
  versions: ["v1", "v1beta1"],
  kind: "NodePool",
  plural: "nodepools",
};

export const NODE_CLAIMS: DumpedKind = {
  ...NODE_POOLS,
  kind: "NodeClaim",
  plural: "nodeclaims",
  optional: true,
  unknown: "it is unknown whether the NodeClaims comply with the policy",
};

const WRAPPERS: DumpedKind = {
  group: HYPERSHIFT_KARPENTER_GROUP,
  versions: ["v1beta1"],
  kind: "OpenshiftNodePool",
  plural: "openshiftnodepools",
  optional: true,
  unknown: "the OpenshiftNodePools are unknown, and the NodePools are checked as they are",
};

/** The policy of a guest cluster is on the management cluster, and its wrappers are here. */
export const HOSTED_KINDS: readonly DumpedKind[] = [
  WRAPPERS,
  {
    group: HYPERSHIFT_KARPENTER_GROUP,
    versions: ["v1", "v1beta1"],
    kind: "OpenshiftEC2NodeClass",
    plural: "openshiftec2nodeclasses",
    optional: true,
    unknown: "the OpenshiftEC2NodeClasses are unknown, and the NodePools are checked as they are",
  },
  {
    group: HYPERSHIFT_KARPENTER_GROUP,
    versions: ["v1beta1"],
    kind: "AutoNodePolicy",
    plural: "autonodepolicies",
    optional: true,
    unknown: "it is unknown whether a policy applies, and the NodePools are checked as they are",
  },
];

/** The node classes of every provider in the cluster. */
export const NODE_CLASSES: DumpedFamily = {
  isGroup: mayHaveNodeClasses,
  isKind: isNodeClass,
  unknown: "the requirements of node classes are unknown",
};

/** Kinds that change Karpenter's choices, such as NodeOverlay and CapacityBuffer. */
export const OTHER_KINDS: DumpedFamily = {
  isGroup: (group) => group === KARPENTER_GROUP || group === "autoscaling.x-k8s.io",
  isKind: ({ apiVersion, kind }) =>
    groupOf(apiVersion) === KARPENTER_GROUP ? kind !== "NodePool" && kind !== "NodeClaim" : kind === "CapacityBuffer",
  unknown: "other objects that change Karpenter's choices are unknown",
};

const POD_KINDS: readonly DumpedKind[] = [
  {
    group: "",
    versions: ["v1"],
    kind: "Pod",
    plural: "pods",
    // Karpenter selects the same pods. In a large cluster nearly all pods have a node.
    fieldSelector: "spec.nodeName=",
    unknown: "the pending pods are unknown",
  },
  {
    group: "apps",
    versions: ["v1"],
    kind: "DaemonSet",
    plural: "daemonsets",
    unknown: "the resources that DaemonSets need on each node are unknown",
  },
];

const NONE_READ = { resources: [], unread: [] };

const VOLUMES = "the zones of the pods' volumes are unknown";

/** What decides on volumes. explain reads them only if a pending pod has volumes. */
export const STORAGE_KINDS: readonly DumpedKind[] = [
  ofKubernetes("PersistentVolumeClaim", "persistentvolumeclaims", VOLUMES),
  ofKubernetes("PersistentVolume", "persistentvolumes", VOLUMES),
  ofKubernetes("StorageClass", "storageclasses", VOLUMES, "storage.k8s.io"),
];

/** What runs in a cluster, beside its nodes. */
export const RUNNING_KINDS: readonly DumpedKind[] = [
  ofKubernetes("Namespace", "namespaces", "the labels of namespaces are unknown, by which affinity of pods selects"),
  ofKubernetes("DaemonSet", "daemonsets", "the resources that DaemonSets need on each node are unknown", "apps"),
  ofKubernetes("PodDisruptionBudget", "poddisruptionbudgets", "it is unknown which pods may be evicted", "policy"),
  ...STORAGE_KINDS,
  ofKubernetes("CSINode", "csinodes", "how many volumes a node may have is unknown", "storage.k8s.io"),
];
