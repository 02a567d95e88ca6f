/** Replaces missing controllers: makes nodes ready, recreates pods, and schedules each pod to a node of its own. */
import { setTimeout as sleep } from "node:timers/promises";
import { valueAt } from "../../../src/krm/places/field-path.ts";
import type { ControlPlane } from "../controlplane/control-plane.ts";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import { createPending } from "../karpenter/pods.ts";

export interface Workload {
  /** By pool: how many pods, of which each fills a node. */
  readonly replicas: Map<string, number>;
  /** Names of pods with do-not-disrupt. */
  readonly guarded: Set<string>;
  readonly stop: () => Promise<void>;
}

const PODS = "/api/v1/namespaces/default/pods";
const POOL = "karpenter.sh/nodepool";
const EVERY_MS = 200;

/** Two CPUs, so that each pod fills a node. */
export const INSTANCE_TYPE = "c-2x-amd64-linux";
const CPU = "1200m";

export function startWorkload(controlPlane: ControlPlane): Workload {
  const replicas = new Map<string, number>();
  const guarded = new Set<string>();
  const ending = new AbortController();
  const tick = async (): Promise<void> => {
    const nodes = await list(controlPlane, "/api/v1/nodes");
    for (const node of nodes) await makeReady(controlPlane, node);
    const pods = await list(controlPlane, PODS);
    const names = new Set(pods.map(({ metadata }) => metadata?.name));
    const missing = [...replicas].flatMap(([pool, count]) =>
      Array.from({ length: count }, (_, index) => ({ pool, name: `${pool}-${index}` })).filter(
        ({ name }) => !names.has(name),
      ),
    );
    // There is no kubelet to confirm that a pod has ended.
    for (const { metadata } of pods.filter((pod) => pod.metadata?.deletionTimestamp !== undefined))
      await controlPlane.request("system:admin", "DELETE", `${PODS}/${metadata?.name}`, { gracePeriodSeconds: 0 });
    const created = missing.map(({ pool, name }) => podOf(pool, name, guarded.has(name)));
    if (created.length > 0) await createPending(controlPlane, created);
    const waiting = [...pods.filter(({ spec }) => spec?.["nodeName"] === undefined), ...created];
    await schedule(controlPlane, waiting, nodes, pods);
  };
  const running = (async () => {
    while (!ending.signal.aborted) {
      await tick();
      await sleep(EVERY_MS);
    }
  })();
  return {
    replicas,
    guarded,
    stop: async () => {
      ending.abort();
      await running;
    },
  };
}

async function schedule(
  controlPlane: ControlPlane,
  waiting: readonly KubernetesObject[],
  nodes: readonly KubernetesObject[],
  pods: readonly KubernetesObject[],
): Promise<void> {
  const taken = new Set(pods.map(({ spec }) => spec?.["nodeName"]));
  for (const { metadata, spec } of waiting) {
    const pool = valueAt(spec, ["nodeSelector", POOL]);
    const free = nodes.find(
      (node) => node.metadata?.labels?.[POOL] === pool && !taken.has(node.metadata?.name) && isOpen(node),
    );
    if (free === undefined) continue;
    taken.add(free.metadata?.name);
    const name = metadata?.name ?? "";
    const body = {
      apiVersion: "v1",
      kind: "Binding",
      metadata: { name },
      target: { apiVersion: "v1", kind: "Node", name: free.metadata?.name },
    };
    await must(controlPlane, "POST", `${PODS}/${name}/binding`, body);
  }
}

/** Initialized, and not being deleted. */
function isOpen({ metadata, spec }: KubernetesObject): boolean {
  const taints = (spec?.["taints"] ?? []) as readonly { effect: string }[];
  return (
    metadata?.labels?.["karpenter.sh/initialized"] === "true" &&
    metadata.deletionTimestamp === undefined &&
    !taints.some(({ effect }) => effect !== "PreferNoSchedule")
  );
}

const NOT_READY = "node.kubernetes.io/not-ready";

/** Does the work of the kubelet and the node controller. */
async function makeReady(controlPlane: ControlPlane, { metadata, spec, status }: KubernetesObject): Promise<void> {
  const path = `/api/v1/nodes/${metadata?.name}`;
  const conditions = (status as { conditions?: readonly { type: string; status: string }[] } | undefined)?.conditions;
  if (!conditions?.some(({ type, status: is }) => type === "Ready" && is === "True")) {
    const ready = { type: "Ready", status: "True", reason: "KubeletReady", message: "", lastHeartbeatTime: null };
    await patch(controlPlane, `${path}/status`, { status: { conditions: [ready] } });
  }
  const taints = (spec?.["taints"] ?? []) as readonly { key: string }[];
  const others = taints.filter(({ key }) => key !== NOT_READY);
  if (others.length === taints.length) return;
  // Only taints that were read: Karpenter removes its own at the same time.
  const { resourceVersion } = metadata ?? {};
  await patch(controlPlane, path, { metadata: { resourceVersion }, spec: { taints: others } });
}

function podOf(pool: string, name: string, guarded: boolean): KubernetesObject {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      namespace: "default",
      labels: { "example.com/pool": pool },
      ...(guarded ? { annotations: { "karpenter.sh/do-not-disrupt": "true" } } : {}),
    },
    spec: {
      // There is no kubelet to confirm that it has ended.
      terminationGracePeriodSeconds: 0,
      nodeSelector: { [POOL]: pool },
      containers: [{ name: "main", image: "example.com/none", resources: { requests: { cpu: CPU } } }],
    },
  };
}

export async function list(controlPlane: ControlPlane, path: string): Promise<KubernetesObject[]> {
  const { body } = await must(controlPlane, "GET", path);
  return body.items ?? [];
}

/** A node may be deleted between the read and the write. */
async function patch(controlPlane: ControlPlane, path: string, change: object): Promise<void> {
  const { status, text } = await controlPlane.request("system:admin", "PATCH", path, change);
  if (status >= 300 && status !== 404 && status !== 409) throw new Error(text);
}

async function must(controlPlane: ControlPlane, method: "GET" | "POST", path: string, body?: object) {
  const answer = await controlPlane.request("system:admin", method, path, body);
  if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`);
  return answer;
}
