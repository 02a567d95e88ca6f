/** Pools and classes as a fault must leave them: a guest cluster in, what may not change and what is not as it should be out. */
import { setTimeout as sleep } from "node:timers/promises";
import { canonical } from "../../../src/krm/values/canonical.ts";
import { valueAt } from "../../../src/krm/places/field-path.ts";
import type { ControlPlane } from "../controlplane/control-plane.ts";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";

/** Another uid: it was deleted in between. Another hash of Karpenter's: its nodes are replaced. */
interface Kept {
  readonly uid: string | undefined;
  readonly spec: string;
  readonly hash: string | undefined;
  readonly deleting: boolean;
}

const LISTS = {
  NodePool: "/apis/karpenter.sh/v1/nodepools",
  EC2NodeClass: "/apis/karpenter.k8s.aws/v1/ec2nodeclasses",
  OpenshiftNodePool: "/apis/karpenter.hypershift.openshift.io/v1beta1/openshiftnodepools",
  OpenshiftEC2NodeClass: "/apis/karpenter.hypershift.openshift.io/v1/openshiftec2nodeclasses",
} as const;

export async function listOf(on: ControlPlane, kind: keyof typeof LISTS): Promise<KubernetesObject[]> {
  const { status, body, text } = await on.request("system:admin", "GET", LISTS[kind]);
  if (status === 200) return body.items ?? [];
  if (status !== 429) throw new Error(text);
  // An API server that was away fills its caches after it has said that it is ready.
  await sleep(200);
  return listOf(on, kind);
}

/** By `Kind/name`. */
export async function stateOf(guest: ControlPlane): Promise<Record<string, Kept>> {
  const kinds = ["NodePool", "EC2NodeClass"] as const;
  const lists = await Promise.all(kinds.map(async (kind) => ({ kind, items: await listOf(guest, kind) })));
  return Object.fromEntries(
    lists.flatMap(({ kind, items }) =>
      items.map(({ metadata, spec }) => {
        const hash = metadata?.annotations?.["karpenter.sh/nodepool-hash"];
        const deleting = metadata?.["deletionTimestamp"] !== undefined;
        return [`${kind}/${metadata?.name}`, { uid: metadata?.uid, spec: canonical(spec), hash, deleting }];
      }),
    ),
  );
}

/** The NodePools of anp that do not say what policy and wrapper say, that lack, or that are too many; in words. */
export async function wrongPools(
  guest: ControlPlane,
  entries: readonly unknown[],
  wrappers: readonly KubernetesObject[],
): Promise<string[]> {
  const pools = (await listOf(guest, "NodePool")).filter(
    ({ metadata }) => metadata?.labels?.["app.kubernetes.io/managed-by"] === "anp",
  );
  const live = new Map(pools.map((pool) => [pool.metadata?.name, canonical(requirementsOf(pool))]));
  const wanted = new Map(
    wrappers.map((wrapper) => [wrapper.metadata?.name, canonical([...entries, ...requirementsOf(wrapper)])]),
  );
  return [
    ...[...wanted].filter(([name]) => !live.has(name)).map(([name]) => `${name} lacks`),
    ...[...live].filter(([name]) => !wanted.has(name)).map(([name]) => `${name} is too many`),
    ...[...live]
      .filter(([name, is]) => wanted.has(name) && wanted.get(name) !== is)
      .map(([name, is]) => `${name} is ${is}`),
  ];
}

function requirementsOf(pool: KubernetesObject): unknown[] {
  return (valueAt(pool, ["spec", "template", "spec", "requirements"]) ?? []) as unknown[];
}
