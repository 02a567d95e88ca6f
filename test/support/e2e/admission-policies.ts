/** Applies the admission policies that anp renders for a RenderConfig to a control plane. */
import { stringify } from "yaml";
import { ANP_GROUP } from "../../../src/krm/findings/known-kinds.ts";
import type { ControlPlane } from "../controlplane/control-plane.ts";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import { apply, remove } from "../controlplane/objects.ts";
import { run } from "../golden/case.ts";
import { GROUP, objectsIn } from "./own-crds.ts";

const API = "admissionregistration.k8s.io";

/** The NodePool that anp renders for a pool with this spec. */
export async function renderPool(spec: object, config: object): Promise<KubernetesObject> {
  return (await render(spec, config)).find(({ kind }) => kind === "NodePool")!;
}

/** Without a spec there is no RenderConfig. */
async function renderPolicies(spec?: object): Promise<KubernetesObject[]> {
  const objects = await render({ template: { spec: {} } }, spec);
  return objects.filter(({ apiVersion }) => apiVersion?.startsWith(`${API}/`));
}

async function render(poolSpec: object, spec?: object): Promise<KubernetesObject[]> {
  const pool = {
    apiVersion: `${GROUP}/v1beta1`,
    kind: "OpenshiftNodePool",
    metadata: { name: "web" },
    spec: poolSpec,
  };
  const config = { apiVersion: `${ANP_GROUP}/v1alpha1`, kind: "RenderConfig", spec };
  const input = (spec === undefined ? [pool] : [config, pool]).map((object) => stringify(object)).join("---\n");
  const { exit, stdout, stderr } = await run(import.meta.dirname, ["render", "-"], input);
  if (exit !== 0) throw new Error(`anp render: exit ${exit}\n${stderr}`);
  return objectsIn(stdout);
}

/** Applies the policies and removes old ones of an earlier rendering. They take effect a little later. */
export async function replacePolicies(
  controlPlane: ControlPlane,
  earlier: readonly KubernetesObject[],
  spec?: object,
): Promise<KubernetesObject[]> {
  const policies = await renderPolicies(spec);
  for (const policy of policies) {
    const { status, text } = await apply(controlPlane, "system:admin", policy);
    if (status >= 300) throw new Error(text);
  }
  const kept = new Set(policies.map(identity));
  for (const policy of earlier) {
    if (!kept.has(identity(policy))) await remove(controlPlane, "system:admin", policy);
  }
  return policies;
}

function identity({ kind, metadata }: KubernetesObject): string {
  return `${kind}/${metadata?.name}`;
}
