/** The CRDs that `anp crds` prints for a profile. */
import { parseAllDocuments } from "yaml";
import type { Profile } from "../../../src/model/crds/profile.ts";
import type { ControlPlane } from "../controlplane/control-plane.ts";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import { apply, waitEstablished } from "../controlplane/objects.ts";
import { run } from "../golden/case.ts";

export const GROUP = "karpenter.hypershift.openshift.io";

export const OWN_CRD_NAMES = ["autonodepolicies", "openshiftec2nodeclasses", "openshiftnodepools"].map(
  (plural) => `${plural}.${GROUP}`,
);

export async function ourCrds(profile: Profile): Promise<KubernetesObject[]> {
  return crdsOf("--profile", profile);
}

/** Those of Karpenter's own kinds. */
export async function ourKarpenterCrds(profile: Profile): Promise<KubernetesObject[]> {
  const all = await crdsOf("--profile", profile, "--karpenter");
  return all.filter(({ metadata }) => !OWN_CRD_NAMES.includes(metadata?.name ?? ""));
}

async function crdsOf(...options: readonly string[]): Promise<KubernetesObject[]> {
  const { exit, stdout, stderr } = await run(import.meta.dirname, ["crds", ...options]);
  if (exit !== 0) throw new Error(`anp crds: exit ${exit}\n${stderr}`);
  return objectsIn(stdout);
}

export async function installOurCrds(controlPlane: ControlPlane, profile: Profile): Promise<void> {
  for (const crd of await ourCrds(profile)) {
    const { status, text } = await apply(controlPlane, "system:admin", crd);
    if (status >= 300) throw new Error(text);
  }
  await waitEstablished(controlPlane, OWN_CRD_NAMES);
}

/** The objects of a YAML stream. */
export function objectsIn(yaml: string): KubernetesObject[] {
  return parseAllDocuments(yaml).map((document) => document.toJS() as KubernetesObject);
}
