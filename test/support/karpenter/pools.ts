/** Creates NodePools of the kwok provider, and waits until Karpenter serves them. */
import type { ControlPlane } from "../controlplane/control-plane.ts";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import { create } from "../controlplane/objects.ts";
import type { Karpenter } from "./start-karpenter.ts";

/** The node class that every pool here refers to. */
const NODE_CLASS = { group: "karpenter.kwok.sh", kind: "KWOKNodeClass", name: "default" };

export async function createNodeClass(
  controlPlane: ControlPlane,
  name = NODE_CLASS.name,
  spec: object = {},
): Promise<void> {
  const { group, kind } = NODE_CLASS;
  await mustCreate(controlPlane, { apiVersion: `${group}/v1alpha1`, kind, metadata: { name }, spec: { ...spec } });
}

/** Kwok serves only its own pools, so the reference is replaced, and nothing else. */
export function forKwok(nodePool: KubernetesObject): KubernetesObject {
  const copy = structuredClone(nodePool) as KubernetesObject & { spec: { template: { spec: object } } };
  copy.spec.template.spec = { ...copy.spec.template.spec, nodeClassRef: NODE_CLASS };
  return copy;
}

/** Karpenter skips a pool that is not Ready, which would look like an unsatisfiable one. */
export async function createReadyPools(karpenter: Karpenter, pools: readonly KubernetesObject[]): Promise<void> {
  await Promise.all(pools.map((pool) => mustCreate(karpenter.controlPlane, pool)));
  await karpenter.waitFor("all pools Ready", async () => {
    const path = "/apis/karpenter.sh/v1/nodepools";
    const { body } = await karpenter.controlPlane.request("system:admin", "GET", path);
    const ready = new Set((body.items ?? []).filter(isReady).map(({ metadata }) => metadata?.name));
    return pools.every(({ metadata }) => ready.has(metadata?.name)) ? true : undefined;
  });
}

function isReady({ status }: KubernetesObject): boolean {
  const { conditions = [] } = (status ?? {}) as { conditions?: { type: string; status: string }[] };
  return conditions.some((condition) => condition.type === "Ready" && condition.status === "True");
}

export async function mustCreate(controlPlane: ControlPlane, object: KubernetesObject): Promise<KubernetesObject> {
  const { status, text, body } = await create(controlPlane, "system:admin", object);
  if (status !== 201) throw new Error(text);
  return body;
}
