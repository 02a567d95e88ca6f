/** Kinds that objects of a cluster refer to: templates of CapacityBuffers, Services of pods. */
import { refersTo } from "../../analyze/plan/capacity-buffers.ts";
import type { DumpedKind } from "../../cluster/read/live-dump.ts";
import type { Resource } from "../../krm/places/resource.ts";
import { karpenterOptions } from "../../model/settings/karpenter-options.ts";
import type { Context } from "../cli/context.ts";
import type { ExitCode } from "../cli/exit-codes.ts";
import { type LiveInputOptions, readLiveKinds } from "./live-input.ts";
import { ofKubernetes } from "./of-kubernetes.ts";

/**
 * Reads them of a cluster; nothing if nothing needs them.
 *
 * @param read what was read, with Karpenter's Deployment
 * @returns an exit code if the cluster cannot answer
 */
export async function readKindsBeside(read: readonly Resource[], options: LiveInputOptions, context: Context) {
  const { kinds, isKept } = kindsBeside(read);
  if (kinds.length === 0) return NOTHING;
  const found = await readLiveKinds(kinds, options, context);
  return typeof found === "number"
    ? (found satisfies ExitCode)
    : { resources: found.resources.filter(isKept), unread: found.unread };
}

const NOTHING = { resources: [], unread: [] };

interface Beside {
  readonly kinds: readonly DumpedKind[];
  readonly isKept: (resource: Resource) => boolean;
}

function kindsBeside(read: readonly Resource[]): Beside {
  const named = refersTo(read);
  const spreads = karpenterOptions("karpenter-1.15", [], read).defaultSpread?.length !== 0;
  return {
    kinds: [
      ...TEMPLATES.filter(({ kind }) => named.some((one) => one.kind === kind)),
      ...(spreads ? SELECTING.filter(({ kind }) => !named.some((one) => one.kind === kind)) : []),
    ],
    isKept: ({ kind, name, namespace }) =>
      (spreads && SELECTING.some((one) => one.kind === kind)) ||
      named.some((one) => one.kind === kind && one.name === name && one.namespace === namespace),
  };
}

const OF_BUFFERS = "the pods of CapacityBuffers that name them are unknown";
const OF_SPREAD = "which pods Karpenter's default topology spread counts is unknown";

const TEMPLATES: readonly DumpedKind[] = [
  ofKubernetes("PodTemplate", "podtemplates", OF_BUFFERS),
  ofKubernetes("Deployment", "deployments", OF_BUFFERS, "apps"),
  ofKubernetes("StatefulSet", "statefulsets", OF_BUFFERS, "apps"),
  ofKubernetes("ReplicaSet", "replicasets", OF_BUFFERS, "apps"),
];

const SELECTING: readonly DumpedKind[] = [
  ofKubernetes("Service", "services", OF_SPREAD),
  ofKubernetes("StatefulSet", "statefulsets", OF_SPREAD, "apps"),
  ofKubernetes("ReplicaSet", "replicasets", OF_SPREAD, "apps"),
  ofKubernetes("ReplicationController", "replicationcontrollers", OF_SPREAD),
];
