/** Starts a cluster under a guard of each form, with all users that may attack it. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { sameValue } from "../../../../src/krm/values/canonical.ts";
import { type ControlPlane, startControlPlane } from "../../controlplane/control-plane.ts";
import { waitAccess } from "../../controlplane/access.ts";
import type { Answer } from "../../controlplane/https-client.ts";
import { KARPENTER_CRD_NAMES, karpenterCrds } from "../../controlplane/karpenter-crds.ts";
import type { KubernetesObject } from "../../controlplane/kubernetes-object.ts";
import { create, remove, until, waitEstablished } from "../../controlplane/objects.ts";
import { objectPath } from "../../controlplane/rest-path.ts";
import type { UserName } from "../../controlplane/users.ts";
import { readKarpenterFile } from "../../karpenter/module.ts";
import { runAnp } from "../../process/run-anp.ts";
import { classOf, END, type Entries, outcomeOf, poolOf, requirementsOf } from "../guarded-cluster.ts";
import { KARPENTER_PROFILE } from "../../go/programs.ts";

export const KEYS = {
  arch: "kubernetes.io/arch",
  gpus: "karpenter.k8s.aws/instance-gpu-count",
  tier: "example.com/tier",
} as const;

export const POLICY: Entries = [
  { key: KEYS.arch, operator: "In", values: ["amd64"] },
  { key: KEYS.gpus, operator: "Gt", values: ["0"] },
  { key: KEYS.tier, operator: "In", values: ["gold", "silver"] },
];

export const ROOT = { volumeSize: "120Gi", volumeType: "gp3", encrypted: true };

export const FRONT: Entries = [...POLICY, END];

/**
 * Users that may edit one namespace, pools and classes, all of Karpenter's two API groups, and everything; and
 * Karpenter.
 */
export const WHO = {
  "namespace user": "anp-watch",
  "pool author": "plain-user",
  tenant: "karpenter-tenant",
  "cluster admin": "guest-admin",
  Karpenter: "system:admin",
} as const satisfies Readonly<Record<string, UserName>>;

export interface Guarded extends ControlPlane {
  readonly form: "api" | "static";
  /** Applies anp's output again, which restores removed objects. */
  readonly enforceAgain: () => Promise<void>;
  /** Removes the guard in the API during the action. */
  readonly withoutGuard: (act: () => Promise<void>) => Promise<void>;
}

export async function startGuarded(form: Guarded["form"]): Promise<Guarded> {
  const folder = mkdtempSync(join(tmpdir(), "anp-guard-attacks-"));
  const printed = await printGuard(folder, form);
  const admissionConfiguration = join(folder, "out", "admission.yaml");
  const controlPlane = await startControlPlane(form === "static" ? { admissionConfiguration } : {});
  const overlays = parse(await readKarpenterFile("pkg/apis/crds/karpenter.sh_nodeoverlays.yaml")) as KubernetesObject;
  for (const crd of [...(await karpenterCrds(KARPENTER_PROFILE)), overlays])
    mustBeStored(await create(controlPlane, "system:admin", crd));
  await waitEstablished(controlPlane, [...KARPENTER_CRD_NAMES, overlays.metadata!.name!]);
  await bindUsers(controlPlane);
  const enforceAgain = async (): Promise<void> => {
    for (const object of form === "api" ? printed : []) mustBeStored(await replace(controlPlane, object));
    await until("the guard acts", () => isInForce(controlPlane));
  };
  await enforceAgain();
  const stop = async (): Promise<void> => {
    await controlPlane.stop();
    rmSync(folder, { recursive: true });
  };
  const withoutGuard = async (act: () => Promise<void>): Promise<void> => {
    for (const object of printed) await remove(controlPlane, "system:admin", object);
    await until("nothing is guarded", async () => {
      const marked = poolOf("probe", [END, END]);
      return (await create(controlPlane, "guest-admin", marked, { dryRun: true })).status === 201;
    });
    await act();
    await enforceAgain();
  };
  return { ...controlPlane, form, enforceAgain, withoutGuard, stop };
}

async function printGuard(folder: string, form: Guarded["form"]): Promise<KubernetesObject[]> {
  const policy = {
    apiVersion: "karpenter.hypershift.openshift.io/v1beta1",
    kind: "AutoNodePolicy",
    metadata: { name: "default", namespace: "platform" },
    spec: { nodePoolDefaults: { requirements: POLICY }, ec2NodeClassDefaults: { rootVolume: ROOT } },
  };
  writeFileSync(join(folder, "policy.yaml"), stringify(policy));
  const files = ["--static", join(folder, "out"), "--output-dir", "out", "--installer", "system:admin"];
  const args = ["guard", "policy.yaml", "--karpenter-user", "system:admin"];
  const { exit, stdout, stderr } = await runAnp([...args, ...(form === "static" ? files : ["-o", "json"])], {
    cwd: folder,
  });
  if (exit !== 0) throw new Error(stderr);
  return form === "static" ? [] : (JSON.parse(stdout) as { items: KubernetesObject[] }).items;
}

/** Checks with unguarded objects whether each half is in force. */
export async function isInForce(controlPlane: ControlPlane): Promise<boolean> {
  const ask = (object: KubernetesObject): Promise<Answer> =>
    create(controlPlane, "guest-admin", object, { dryRun: true });
  const pool = await ask(poolOf("probe", []));
  if (pool.status !== 201 || !sameValue(requirementsOf(pool.body), FRONT)) return false;
  if ((await ask(poolOf("probe", [...FRONT, END]))).status !== 422) return false;
  const { body } = await ask(classOf("probe"));
  const [device] = (body.spec as { blockDeviceMappings?: { ebs: object }[] } | undefined)?.blockDeviceMappings ?? [];
  return sameValue(device?.ebs, ROOT) && (await ask(claimOf("probe"))).status === 422;
}

/** Like Karpenter's claim for pods, from one for a static pool: with instance types and resources. */
export function forPods({ spec, ...claim }: KubernetesObject): KubernetesObject {
  const { requirements } = spec as { requirements: Entries };
  const types: Entries[number] = { key: "node.kubernetes.io/instance-type", operator: "In", values: ["m5.xlarge"] };
  return {
    ...claim,
    spec: { ...spec, requirements: [...requirements, types], resources: { requests: { pods: "1" } } },
  };
}

/**
 * Like Karpenter's claim for a static pool.
 *
 * @param labels custom labels
 */
export function claimOf(
  pool: string,
  requirements: Entries = CLAIMED,
  labels: Readonly<Record<string, string>> = { [KEYS.tier]: "gold" },
): KubernetesObject {
  return {
    apiVersion: "karpenter.sh/v1",
    kind: "NodeClaim",
    metadata: {
      name: `${pool}-abcde`,
      labels: { ...labels, "karpenter.sh/nodepool": pool },
      ownerReferences: [{ apiVersion: "karpenter.sh/v1", kind: "NodePool", name: pool, uid: "1" }],
    },
    spec: { nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" }, requirements },
  };
}

/** Karpenter's claim for the policy. */
const CLAIMED: Entries = [
  { key: KEYS.arch, operator: "In", values: ["amd64"] },
  { key: KEYS.gpus, operator: "Gte", values: ["1"] },
  { key: KEYS.tier, operator: "In", values: ["gold"] },
  END,
];

export function patch(
  on: ControlPlane,
  user: UserName,
  object: KubernetesObject,
  change: unknown,
  { type = "merge-patch", sub = "", query = "" } = {},
): Promise<Answer> {
  const headers = { "content-type": `application/${type}+json` };
  return objectPath(on, object).then((path) =>
    on.request(user, "PATCH", `${path}${sub}?fieldManager=attacker${query}`, JSON.stringify(change), headers),
  );
}

async function bindUsers(controlPlane: ControlPlane): Promise<void> {
  const roles = [
    ["pool-author", "plain-user", "karpenter.sh", ["nodepools", "nodepools/status", "nodepools/scale"]],
    ["class-author", "plain-user", "karpenter.k8s.aws", ["ec2nodeclasses", "ec2nodeclasses/status"]],
    ["tenant", "karpenter-tenant", "karpenter.sh", ["*"]],
    ["class-tenant", "karpenter-tenant", "karpenter.k8s.aws", ["*"]],
  ] as const;
  const rbac = "rbac.authorization.k8s.io";
  for (const [name, user, group, resources] of roles) {
    const rule = { apiGroups: [group], resources, verbs: ["*"] };
    const role = { apiVersion: `${rbac}/v1`, kind: "ClusterRole", metadata: { name }, rules: [rule] };
    const roleRef = { apiGroup: rbac, kind: "ClusterRole", name };
    const subjects = [{ apiGroup: rbac, kind: "User", name: user }];
    const binding = { apiVersion: `${rbac}/v1`, kind: "ClusterRoleBinding", metadata: { name }, roleRef, subjects };
    for (const object of [role, binding]) mustBeStored(await create(controlPlane, "system:admin", object));
    await waitAccess(controlPlane, user, {
      verb: "create",
      group,
      resource: resources[0] === "*" ? "anything" : resources[0],
    });
  }
  const roleRef = { apiGroup: rbac, kind: "ClusterRole", name: "edit" };
  const subjects = [{ apiGroup: rbac, kind: "User", name: "anp-watch" }];
  const metadata = { name: "namespace-user", namespace: "default" };
  const binding = { apiVersion: `${rbac}/v1`, kind: "RoleBinding", metadata, roleRef, subjects };
  mustBeStored(await create(controlPlane, "system:admin", binding));
}

/** Replaces the whole object: apply would keep fields that others have added. */
async function replace(on: ControlPlane, object: KubernetesObject): Promise<Answer> {
  const path = await objectPath(on, object);
  const { status, body } = await on.request("system:admin", "GET", path);
  if (status === 404) return create(on, "system:admin", object);
  const metadata = { ...object.metadata, resourceVersion: body.metadata?.["resourceVersion"] };
  return on.request("system:admin", "PUT", path, { ...object, metadata });
}

function mustBeStored(answer: Answer): void {
  if (answer.status >= 300) throw new Error(outcomeOf(answer));
}
