/** Two control planes for suites about CRDs: before each test without anp's CRDs, and with one hosted cluster. */
import type { Outcome } from "../../../src/cluster/status/outcomes.ts";
import type { ReconcileResult } from "../../../src/cluster/status/pass-result.ts";
import type { WatchedCluster } from "../../../src/cluster/objects/watched-cluster.ts";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import { remove, waitGone } from "../controlplane/objects.ts";
import { OWN_CRD_NAMES } from "../e2e/own-crds.ts";
import { CONTROL_PLANE } from "./inputs.ts";
import { describeOn } from "./on-clusters.ts";
import { ADMIN, OPERATOR, put, type Rig, startRig, watched } from "./rig.ts";

export const [POLICIES, NODE_CLASSES, NODE_POOLS] = OWN_CRD_NAMES as [string, string, string];

export const crd = (name: string): KubernetesObject => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name },
});

/** @param suite gets the rig, which exists in its `beforeAll` hooks and tests */
export function describeWithoutCrds(name: string, suite: (rig: Rig) => void): void {
  describeOn(name, startRig, withoutCrds, suite);
}

async function withoutCrds(rig: Rig): Promise<void> {
  for (const on of [rig.guest, rig.management])
    for (const name of OWN_CRD_NAMES) {
      await remove(on, ADMIN, crd(name));
      await waitGone(on, crd(name));
    }
  await rig.guest.request(OPERATOR, "DELETE", "/apis/karpenter.sh/v1/nodepools");
  await rig.guest.request(OPERATOR, "DELETE", "/apis/karpenter.k8s.aws/v1/ec2nodeclasses");
  await put(rig.management, CONTROL_PLANE);
}

export function installing(rig: Rig, over: Partial<WatchedCluster> = {}): WatchedCluster {
  return watched(rig, { installCrds: true, ...over });
}

export function crdsOf({ outcomes: all }: ReconcileResult): Outcome[] {
  return all.filter(({ kind }) => kind === "CustomResourceDefinition");
}

const NAMES: Readonly<Record<string, string>> = { create: "created", update: "updated", "foreign-object": "foreign" };

export function outcomes(result: ReconcileResult): string[] {
  return crdsOf(result).map(({ side, name, state }) => `${side} ${name} ${NAMES[state] ?? state}`);
}
