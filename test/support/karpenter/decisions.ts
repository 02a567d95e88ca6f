/** Waits for Karpenter's decisions on pending pods: the launched NodeClaim of each, or the reason for none. */
import type { ControlPlane } from "../controlplane/control-plane.ts";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import type { Karpenter } from "./start-karpenter.ts";

/** What Karpenter wrote when it launched a node for a pod. */
export interface Launch {
  readonly nodePool: string;
  /** The `node.kubernetes.io/instance-type In […]` of the NodeClaim: the types it chose from, sorted. */
  readonly candidates: readonly string[];
  /** The resource requests of the NodeClaim. */
  readonly requests: Readonly<Record<string, string>>;
  /** Labels of its node. */
  readonly labels: Readonly<Record<string, string>>;
  /** Drift reasons of its node so far. */
  readonly drifted: string | undefined;
}

/**
 * If it got none: the message of the event FailedScheduling, or Karpenter's log if the API server refused the
 * NodeClaim.
 */
export type Decision = Launch | { readonly nothing: string };

export interface PendingPod {
  readonly name: string;
  /** The pools with a taint that it tolerates. */
  readonly pools: readonly string[];
  /** The request that identifies its NodeClaim. */
  readonly cpu: string;
}

const INSTANCE_TYPE = "node.kubernetes.io/instance-type";

/** Waits until Karpenter has decided on every pod. */
export async function decisionsOn(
  karpenter: Karpenter,
  pods: readonly PendingPod[],
): Promise<ReadonlyMap<string, Decision>> {
  let undecided = pods.map(({ name }) => name);
  const ask = async (): Promise<ReadonlyMap<string, Decision> | undefined> => {
    const decisions = await decisionsSoFar(karpenter, pods);
    undecided = pods.map(({ name }) => name).filter((name) => !decisions.has(name));
    return undecided.length === 0 ? decisions : undefined;
  };
  return karpenter.waitFor("a decision on every pod", ask).catch((error: unknown) => {
    throw new Error(`undecided: ${undecided.join(", ")}`, { cause: error });
  });
}

/** If a pod got a node after all, earlier messages do not count. */
export async function decisionsSoFar(
  { controlPlane, log }: Karpenter,
  pods: readonly PendingPod[],
): Promise<ReadonlyMap<string, Decision>> {
  const [claims, events] = await Promise.all([
    list(controlPlane, "/apis/karpenter.sh/v1/nodeclaims"),
    list(controlPlane, "/api/v1/events?fieldSelector=reason%3DFailedScheduling"),
  ]);
  const refused = refusedClaims(log());
  const decisions = new Map<string, Decision>();
  for (const event of events) {
    const { name } = event["involvedObject"] as { name: string };
    decisions.set(name, { nothing: event.message ?? "" });
  }
  for (const { name, cpu, pools } of pods) {
    const nothing = pools.map((pool) => refused.get(pool)).find((words) => words !== undefined);
    if (nothing !== undefined) decisions.set(name, { nothing });
    const own = claims.filter((claim) => cpuOf(claim) === cpu);
    if (own.length > 1) throw new Error(`${own.length} NodeClaims for pod ${name}`);
    const [claim] = own;
    if (claim === undefined) continue;
    const launch = launchOf(claim);
    // A NodeClaim without its node does not count as a launch.
    if (launch === undefined) decisions.delete(name);
    else decisions.set(name, launch);
  }
  return decisions;
}

/** By pool: why the API server refused the NodeClaim, which no event reports. */
function refusedClaims(log: string): ReadonlyMap<string, string> {
  const found = log.matchAll(/NodeClaim\.karpenter\.sh \\"([^"\\]+)-[a-z0-9]{5}\\" is invalid: ([^"]*)/g);
  return new Map([...found].map(([, pool = "", words = ""]) => [pool, words]));
}

function launchOf({ metadata, spec, status }: KubernetesObject): Launch | undefined {
  const labels = metadata?.labels ?? {};
  if (labels[INSTANCE_TYPE] === undefined) return undefined;
  const requirements = spec?.["requirements"] as { key: string; values?: string[] }[];
  const candidates = requirements.find(({ key }) => key === INSTANCE_TYPE)?.values ?? [];
  const { conditions = [] } = (status ?? {}) as { conditions?: { type: string; status: string; reason?: string }[] };
  const drifted = conditions.find((condition) => condition.type === "Drifted" && condition.status === "True")?.reason;
  const nodePool = labels["karpenter.sh/nodepool"] ?? "";
  return { nodePool, candidates: candidates.toSorted(), requests: requestsOf({ spec }), labels, drifted };
}

function cpuOf(claim: KubernetesObject): string | undefined {
  return requestsOf(claim)["cpu"];
}

function requestsOf({ spec }: { readonly spec?: KubernetesObject["spec"] | undefined }): Record<string, string> {
  return (spec?.["resources"] as { requests?: Record<string, string> } | undefined)?.requests ?? {};
}

async function list(controlPlane: ControlPlane, path: string): Promise<KubernetesObject[]> {
  const { status, body, text } = await controlPlane.request("system:admin", "GET", path);
  if (status !== 200) throw new Error(text);
  return body.items ?? [];
}
