/** A hosted cluster in which the next pass has everything to do that a pass can do: create, update, prune, mirror, tell. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { toYaml } from "../../../src/krm/yaml/write.ts";
import { directoryReader } from "../../../src/cluster/read/read-directory.ts";
import type { ControlPlane } from "../controlplane/control-plane.ts";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import { objectPath } from "../controlplane/rest-path.ts";
import { ARCH, isIn, nodeClass, policy, pool, userData } from "../watch/inputs.ts";
import { ec2NodeClass, live, nodePool, OPERATOR, pass, put, putEverything, type Rig, watched } from "../watch/rig.ts";

const ADMISSION = "admissionregistration.k8s.io/v1";

const guard = (what: string): KubernetesObject => ({
  apiVersion: ADMISSION,
  kind: "ValidatingAdmissionPolicy",
  metadata: { name: `karpenter.${what}.hypershift.io` },
});

const binding = (what: string): KubernetesObject => ({
  apiVersion: ADMISSION,
  kind: "ValidatingAdmissionPolicyBinding",
  metadata: { name: `karpenter-binding.${what}.hypershift.io` },
});

/** What the pass that follows makes of the objects. */
export const CREATED = [guard("ec2nodeclass"), binding("ec2nodeclass"), ec2NodeClass("fresh"), nodePool("fresh")];
export const PRUNED = [nodePool("old"), ec2NodeClass("old"), guard("nodeclaim"), binding("nodeclaim")];

const NODE_CLAIMS = [
  ["old-x1", "old"],
  ["web-x1", "web"],
  ["web-x2", "web"],
] as const;

const TIME = "2026-10-01T00:00:00Z";
let turn = 0;

/** Of deploy/management/watch.yaml: what a watch of another name applied is not its own. */
export const NAME = "c1";

/** @returns the file of the RenderConfig for the pass that follows */
export async function prepareBusyPass(rig: Rig): Promise<string> {
  await putEverything(rig, [isIn(ARCH, "amd64")]);
  for (const name of ["fresh", "old"]) {
    await put(rig.management, userData(name));
    await put(rig.guest, nodeClass(name));
    await put(rig.guest, pool(name));
  }
  await put(rig.guest, pool("web", [], { limits: { nodes: "1" } }));
  const before = renderConfig(rig, "before.yaml", "OwnedOnly");
  const source = { paths: [], policyDir: undefined, config: before };
  const done = await pass(watched(rig, { name: NAME, source, readDirectory: directoryReader(source) }));
  if (done.result !== "ok") throw new Error(JSON.stringify(done.ready));

  await merge(rig.management, policy([]), { status: { conditions: [] } }, "/status");
  for (const object of [...CREATED, nodeClass("old"), pool("old")]) await send(rig.guest, "DELETE", object);
  await merge(rig.guest, guard("nodepool"), { spec: { failurePolicy: "Ignore" } });
  await merge(rig.guest, binding("nodepool"), { spec: { validationActions: ["Warn"] } });
  await merge(rig.guest, ec2NodeClass("default"), { spec: { detailedMonitoring: false } });
  await merge(rig.guest, nodePool("web"), { spec: { weight: 7 } });
  // Karpenter has something new to say, and one node more than the limit of its pool.
  const said = { type: "Ready", status: "False", reason: `Turn${(turn += 1)}`, message: "", lastTransitionTime: TIME };
  for (const object of [ec2NodeClass("default"), nodePool("web")])
    await merge(rig.guest, object, { status: { conditions: [said] } }, "/status");
  for (const [claim, of] of NODE_CLAIMS) await put(rig.guest, nodeClaim(claim, await live(rig.guest, nodePool(of))));
  return renderConfig(rig, "render.yaml", "None");
}

/** The admission policy wants an owner, which Karpenter gives. */
function nodeClaim(name: string, { metadata: owner }: KubernetesObject): KubernetesObject {
  const api = { apiVersion: "karpenter.sh/v1" };
  const reference = { ...api, kind: "NodePool", name: owner?.name, uid: owner?.uid, blockOwnerDeletion: true };
  const labels = { "karpenter.sh/nodepool": String(owner?.name) };
  const nodeClassRef = { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" };
  return {
    ...api,
    kind: "NodeClaim",
    metadata: { name, labels, ownerReferences: [reference] },
    spec: { requirements: [], nodeClassRef },
  };
}

function renderConfig(rig: Rig, name: string, nodeClaims: string): string {
  const file = join(rig.folder, name);
  const spec = { admission: { allowedWriters: ["anp-watch"], nodeClaims } };
  writeFileSync(file, toYaml({ apiVersion: "anp.hypershift.openshift.io/v1alpha1", kind: "RenderConfig", spec }));
  return file;
}

async function merge(on: ControlPlane, object: KubernetesObject, patch: object, subresource = ""): Promise<void> {
  await send(on, "PATCH", object, patch, subresource);
}

async function send(
  on: ControlPlane,
  method: "PATCH" | "DELETE",
  object: KubernetesObject,
  body?: object,
  subresource = "",
): Promise<void> {
  const { status, text } = await on.request(OPERATOR, method, (await objectPath(on, object)) + subresource, body);
  if (status >= 300) throw new Error(text);
}
