/** Hosted clusters of fake API servers: a management cluster for all, and a guest cluster for each. */
import type { ClusterSpec } from "../../../src/cluster/run/run.ts";
import { CONTROL_PLANE, policy, pool, SETTINGS, userData } from "../watch/inputs.ts";
import { type FakeCluster, fakeCluster } from "./fake-cluster.ts";

export const WRAPPERS = "/apis/karpenter.hypershift.openshift.io/v1beta1/openshiftnodepools";
export const NODE_POOLS = "/apis/karpenter.sh/v1/nodepools";
export const GUEST_EVENTS = "/apis/events.k8s.io/v1/namespaces/default/events";

export function policiesOf(name: string): string {
  return `/apis/karpenter.hypershift.openshift.io/v1beta1/namespaces/clusters-${name}/autonodepolicies`;
}

export interface FakeFleet {
  readonly management: FakeCluster;
  readonly guest: (name: string) => FakeCluster;
  readonly specs: ClusterSpec[];
  readonly close: () => void;
}

/** Each with a policy and the pool `web`. */
export async function fakeFleet(names: readonly string[], over: Partial<ClusterSpec> = {}): Promise<FakeFleet> {
  const management = await fakeCluster();
  const guests = new Map<string, FakeCluster>();
  for (const name of names) {
    const namespace = `clusters-${name}`;
    const inNamespace = <T extends { metadata?: object }>(object: T) => ({
      ...object,
      metadata: { ...object.metadata, namespace },
    });
    management.put("/api/v1/namespaces", { metadata: { name: namespace } });
    management.put(policiesOf(name), inNamespace(policy([])));
    const planes = `/apis/hypershift.openshift.io/v1beta1/namespaces/${namespace}/hostedcontrolplanes`;
    management.put(planes, inNamespace(CONTROL_PLANE));
    management.put(`/api/v1/namespaces/${namespace}/secrets`, inNamespace(userData("default")));
    const guest = await fakeCluster();
    guest.put(WRAPPERS, pool("web"));
    guests.set(name, guest);
  }
  const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  const group = "karpenter.hypershift.openshift.io";
  management.put(crds, { metadata: { name: `autonodepolicies.${group}`, creationTimestamp: "2020-01-01T00:00:00Z" } });
  const specs = names.map((name): ClusterSpec => ({
    name,
    hostedCluster: `clusters-${name}`,
    guest: { kubeconfig: guests.get(name)!.kubeconfig, isOwn: true },
    management: { kubeconfig: management.kubeconfig, isOwn: true },
    ...SETTINGS,
    ...over,
  }));
  return {
    management,
    guest: (name) => guests.get(name)!,
    specs,
    close: () => {
      management.close();
      for (const guest of guests.values()) guest.close();
    },
  };
}
