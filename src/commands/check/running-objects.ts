/** `anp check --live` and `--node-data`: the nodes, pods and PodDisruptionBudgets that run. */
import type { RunningObjects } from "../../analyze/check/nodes-that-stay.ts";
import { isNodeData } from "../../analyze/nodes/node-pairs.ts";
import type { DumpedKind } from "../../cluster/read/live-dump.ts";
import { type Finding, findingOnInput } from "../../krm/findings/finding.ts";
import type { Resource } from "../../krm/places/resource.ts";
import type { Context } from "../cli/context.ts";
import type { ExitCode } from "../cli/exit-codes.ts";
import { NODE_CLAIMS } from "../input/live-clusters.ts";
import { ofKubernetes } from "../input/of-kubernetes.ts";
import { type LiveInputOptions, readLiveKinds } from "../input/live-input.ts";
import { readClusterFile } from "../input/read-dump.ts";

interface Running {
  /** Undefined if nothing is known of what runs. */
  readonly running: RunningObjects | undefined;
  readonly findings: readonly Finding[];
}

/**
 * @param given the objects of the input, among which a dump may be
 * @returns an exit code if the cluster cannot answer; the reason is already printed
 */
export async function runningObjects(
  given: readonly Resource[],
  options: LiveInputOptions & { readonly nodeData?: string },
  context: Context,
): Promise<Running | ExitCode> {
  const at = context.machine.now();
  const { live, nodeData } = options;
  if (nodeData !== undefined) return { running: { objects: readClusterFile(nodeData, context), at }, findings: [] };
  if (live !== true) {
    const isDump = given.some((one) => one.kind !== "Pod" && isNodeData(one));
    return { running: isDump ? { objects: given, at } : undefined, findings: [] };
  }
  const read = await readLiveKinds(KINDS, options, context);
  if (typeof read === "number") return read;
  const { resources, unread } = read;
  return unread.length === 0
    ? { running: { objects: resources, at }, findings: [] }
    : { running: undefined, findings: [notJudged(unread)] };
}

/** All of them decide. The rest of the answer does not need them, so it is no warning. */
function notJudged(unread: readonly { readonly plural: string; readonly reason: string }[]): Finding {
  const kinds = unread.map(({ plural }) => plural).join(", ");
  const message = `${UNKNOWN}, because the user may not list ${kinds}: ${unread[0]!.reason}`;
  const finding = findingOnInput("live-kind-unread", { message, hint: `allow the user to list ${kinds}` });
  return { ...finding, severity: "info" };
}

const UNKNOWN = "it is unknown which nodes are held without an end";

const KINDS: readonly DumpedKind[] = [
  { ...NODE_CLAIMS, unknown: UNKNOWN },
  ofKubernetes("Node", "nodes", UNKNOWN),
  ofKubernetes("Pod", "pods", UNKNOWN),
  ofKubernetes("PodDisruptionBudget", "poddisruptionbudgets", UNKNOWN, "policy"),
];
