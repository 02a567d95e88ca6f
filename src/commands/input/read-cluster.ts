/** Reads the nodes, pods and DaemonSets of a cluster, live or of a dump, that plans start from. */
import { planDump, type ReadDump } from "../../analyze/plan/plan-dump.ts";
import type { Resource } from "../../krm/places/resource.ts";
import type { Context } from "../cli/context.ts";
import type { ExitCode } from "../cli/exit-codes.ts";
import { readKindsBeside } from "./kinds-beside.ts";
import { NODE_CLAIMS, notRead, OTHER_KINDS, RUNNING_KINDS, STORAGE_KINDS } from "./live-clusters.ts";
import { ofKubernetes } from "./of-kubernetes.ts";
import { type LiveInputOptions, readLiveKinds } from "./live-input.ts";
import { readClusterFile } from "./read-dump.ts";

export interface ClusterOptions extends LiveInputOptions {
  readonly nodeData?: string;
}

interface Asked {
  /** Volumes of the other inputs. */
  readonly storage: readonly Resource[];
  /** Objects of the other inputs, among which Karpenter's Deployment may be. */
  readonly objects?: readonly Resource[];
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Whether the plan is for its pods without its nodes. */
  readonly withoutNodes?: boolean;
}

/** @returns undefined if no option names a cluster, or an exit code if it cannot answer */
export async function readCluster(
  options: ClusterOptions,
  { storage, objects: others = [], ...settings }: Asked,
  context: Context,
): Promise<ReadDump | undefined | ExitCode> {
  const { live, nodeData } = options;
  if (live !== true && nodeData === undefined) return undefined;
  const read =
    nodeData === undefined
      ? await readLiveKinds(CLUSTER_KINDS, options, context)
      : { resources: readClusterFile(nodeData, context), unread: [] };
  if (typeof read === "number") return read;
  const beside = live === true ? await readKindsBeside([...others, ...read.resources], options, context) : NONE;
  if (typeof beside === "number") return beside;
  const objects = [...read.resources, ...beside.resources];
  const unread = [...read.unread, ...beside.unread];
  const isRead = (kind: string): boolean => !unread.some((one) => one.kind === kind);
  const found = planDump(objects, storage, {
    ...settings,
    unread: unread.map(({ plural, unknown }) => `${plural}: ${unknown}`),
    listed: nodeData === undefined ? STORAGE_KINDS.map(({ kind }) => kind).filter(isRead) : [],
  });
  return { ...found, findings: [...unread.map(notRead), ...found.findings] };
}

const NONE = { resources: [], unread: [] };

/** Without nodes and pods there is no plan. */
const CLUSTER_KINDS = [
  { ...NODE_CLAIMS, unknown: undefined },
  { ...ofKubernetes("Node", "nodes", ""), unknown: undefined },
  { ...ofKubernetes("Pod", "pods", ""), unknown: undefined },
  ...RUNNING_KINDS,
  OTHER_KINDS,
];
