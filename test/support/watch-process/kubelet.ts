/** What becomes of Karpenter's nodes where neither kubelet nor controller manager runs: a control plane in, nodes that are Ready out, until it is told to end. */
import { setTimeout as sleep } from "node:timers/promises";
import { valueAt } from "../../../src/krm/places/field-path.ts";
import type { ControlPlane } from "../controlplane/control-plane.ts";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";

const NODES = "/api/v1/nodes";
const PAUSE_MS = 200;

/** Every node gets it when it is created. */
const NOT_READY = "node.kubernetes.io/not-ready";

/** Karpenter takes a node that was never Ready for one that is still starting, which it does not replace. */
export function startKubelet(controlPlane: ControlPlane): () => Promise<void> {
  const end = new AbortController();
  const running = (async () => {
    while (!end.signal.aborted) {
      // The API server may be away, which is what some tests are about.
      await makeReady(controlPlane).catch(() => undefined);
      await sleep(PAUSE_MS);
    }
  })();
  return async () => {
    end.abort();
    await running;
  };
}

async function makeReady(on: ControlPlane): Promise<void> {
  const { body } = await on.request("system:admin", "GET", NODES);
  for (const node of body.items ?? []) {
    const path = `${NODES}/${node.metadata?.name}`;
    const taints = (node.spec?.["taints"] ?? []) as { key: string }[];
    if (!taints.some(({ key }) => key === NOT_READY)) continue;
    if (!isReady(node))
      await on.request("system:admin", "PATCH", `${path}/status`, { status: { conditions: [ready()] } });
    // Karpenter takes away taints of its own: the second writer tries again.
    const { body: now } = await on.request("system:admin", "GET", path);
    const left = ((now.spec?.["taints"] ?? []) as { key: string }[]).filter(({ key }) => key !== NOT_READY);
    const { resourceVersion } = now.metadata ?? {};
    await on.request("system:admin", "PATCH", path, { metadata: { resourceVersion }, spec: { taints: left } });
  }
}

function isReady({ status }: KubernetesObject): boolean {
  const conditions = (valueAt(status, ["conditions"]) ?? []) as { type: string; status: string }[];
  return conditions.some((condition) => condition.type === "Ready" && condition.status === "True");
}

function ready(): object {
  const lastTransitionTime = new Date().toISOString().replace(/\.\d+/, "");
  return { type: "Ready", status: "True", reason: "KubeletReady", lastTransitionTime };
}
