/** What Karpenter decided for pending pods: their names in, the launched NodeClaim of each or why it got none out. */
import type { ControlPlane } from "../controlplane/control-plane.ts";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import type { Karpenter } from "./start-karpenter.ts";

/** What Karpenter wrote when it made a node for a pod. */
export interface Launch {
  readonly nodePool: string;
  /** The `node.kubernetes.io/instance-type In […]` of the NodeClaim: the types it chose from, sorted. */
  readonly candidates: readonly string[];
  /** What the NodeClaim says its pods ask for. */
  readonly requests: Readonly<Record<string, string>>;
  /** Of the node it got. */
  readonly labels: Readonly<Record<string, string>>;
  /** Why its node has drifted, so far. */
  readonly drifted: string | undefined;
}

/** Nothing: Karpenter's words, of the event FailedScheduling or of its log when the API server refused the NodeClaim. */
export type Decision = Launch | { readonly nothing: string };

export interface PendingPod {
  readonly name: string;
  /** The pools whose taint it tolerates. */
  readonly pools: readonly string[];
  /** The request by which its NodeClaim is known. */
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

/** When a pod got a node after all, what was said before no longer counts. */
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
    // Without its node the NodeClaim is no launch yet.
    if (launch === undefined) decisions.delete(name);
    else decisions.set(name, launch);
  }
  return decisions;
}

/** By pool, why the API server refused the NodeClaim that Karpenter wanted: no event tells of it. */
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
