/** A management and a guest cluster for the watch suites: real API servers with all CRDs, and single passes. */
import { randomUUID } from "node:crypto";
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ClusterApi } from "../../../src/cluster/api/cluster-api.ts";
import { eventRecorder } from "../../../src/cluster/status/event-recorder.ts";
import { httpClusterApi } from "../../../src/cluster/api/http-cluster-api.ts";
import { directoryReader } from "../../../src/cluster/read/read-directory.ts";
import { setIdOf } from "../../../src/cluster/objects/membership.ts";
import { applyBackoff } from "../../../src/cluster/apply/apply-backoff.ts";
import { conflictingWriters, type ConflictingWriters } from "../../../src/cluster/apply/conflicting-writers.ts";
import { reconcile } from "../../../src/cluster/run/reconcile.ts";
import type { ReconcileResult } from "../../../src/cluster/status/pass-result.ts";
import type { WatchedCluster } from "../../../src/cluster/objects/watched-cluster.ts";
import { GUEST_NAMESPACE, NAME_START } from "../../../src/cluster/inventory/location.ts";
import { type EvaluatePools, poolVerdicts, usersPoolVerdicts } from "../../../src/cluster/status/pool-verdicts.ts";
import { shippedCatalogue } from "../../../src/library/shipped-catalogue.ts";
import { valueAt } from "../../../src/krm/places/field-path.ts";
import { type ControlPlane, startControlPlane } from "../controlplane/control-plane.ts";
import type { ControlPlaneOptions } from "../controlplane/flags.ts";
import { KARPENTER_CRD_NAMES, karpenterCrds } from "../controlplane/karpenter-crds.ts";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import { apply, get, remove, waitEstablished, waitGone } from "../controlplane/objects.ts";
import { collectionPath } from "../controlplane/rest-path.ts";
import type { UserName } from "../controlplane/users.ts";
import { stepsOf } from "../cluster/steps-of.ts";
import { installOurCrds } from "../e2e/own-crds.ts";
import {
  CAPI_CLUSTER_CRD,
  CONTROL_PLANE,
  HOSTED_CONTROL_PLANE_CRD,
  NAMESPACE,
  nodeClass,
  policy,
  pool,
  SETTINGS,
  userData,
} from "./inputs.ts";

export const OPERATOR: UserName = "system:hosted-cluster-config";
export const ADMIN: UserName = "system:admin";

export interface Rig {
  readonly management: ControlPlane;
  readonly guest: ControlPlane;
  /** The file of a kubeconfig. */
  readonly kubeconfig: (side: "management" | "guest", user: UserName) => string;
  readonly folder: string;
  readonly stop: () => Promise<void>;
}

export async function startRig(options: ControlPlaneOptions = {}): Promise<Rig> {
  const [management, guest] = await Promise.all([startControlPlane(options), startControlPlane(options)]);
  const crds = [HOSTED_CONTROL_PLANE_CRD, CAPI_CLUSTER_CRD];
  for (const crd of crds) await put(management, crd);
  for (const crd of await karpenterCrds("hypershift")) await put(guest, crd);
  await Promise.all([installOurCrds(management, "hypershift"), installOurCrds(guest, "hypershift")]);
  await waitEstablished(
    management,
    crds.map(({ metadata }) => metadata!.name!),
  );
  await waitEstablished(guest, KARPENTER_CRD_NAMES);
  await put(management, { apiVersion: "v1", kind: "Namespace", metadata: { name: NAMESPACE } });
  return rigOf(management, guest, async () => {
    await Promise.all([management.stop(), guest.stop()]);
  });
}

/** Two ready clusters, with a folder for their files. */
export function rigOf(management: ControlPlane, guest: ControlPlane, stop: () => Promise<void>): Rig {
  const folder = mkdtempSync(join(tmpdir(), "anp-watch-"));
  return {
    management,
    guest,
    folder,
    kubeconfig: (side, user) => {
      const path = join(folder, `${side}-${user.replaceAll(":", "-")}.kubeconfig`);
      // Processes may be reading it: they must never see an empty file.
      const unfinished = `${path}.${randomUUID()}`;
      writeFileSync(unfinished, (side === "guest" ? guest : management).kubeconfig(user));
      renameSync(unfinished, path);
      return path;
    },
    stop: async () => {
      rmSync(folder, { recursive: true, force: true });
      await stop();
    },
  };
}

export async function put(on: ControlPlane, object: KubernetesObject): Promise<void> {
  const { status, text } = await apply(on, ADMIN, object, { force: true });
  if (status >= 300) throw new Error(text);
}

/** A complete hosted cluster: a policy, a pool, and a class with its hidden inputs. */
export async function putEverything(rig: Rig, requirements: Parameters<typeof policy>[0]): Promise<void> {
  await put(rig.management, CONTROL_PLANE);
  await put(rig.management, userData("default"));
  await put(rig.management, policy(requirements));
  await put(rig.guest, nodeClass("default"));
  await put(rig.guest, pool("web"));
}

const OF_GUEST = [
  ["admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicyBinding"],
  ["admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy"],
  ["karpenter.hypershift.openshift.io/v1beta1", "OpenshiftNodePool"],
  ["karpenter.hypershift.openshift.io/v1", "OpenshiftEC2NodeClass"],
  ["karpenter.sh/v1", "NodeClaim"],
  ["karpenter.sh/v1", "NodePool"],
  ["karpenter.k8s.aws/v1", "EC2NodeClass"],
] as const;

const OF_MANAGEMENT = [
  ["karpenter.hypershift.openshift.io/v1beta1", "AutoNodePolicy"],
  ["hypershift.openshift.io/v1beta1", "HostedControlPlane"],
  ["cluster.x-k8s.io/v1beta1", "Cluster"],
  ["v1", "Secret"],
] as const;

/** Both clusters as they were at the start. */
export async function clear({ management, guest }: Rig): Promise<void> {
  for (const [apiVersion, kind] of OF_MANAGEMENT) await clearKind(management, { apiVersion, kind }, NAMESPACE);
  for (const [apiVersion, kind] of OF_GUEST) await clearKind(guest, { apiVersion, kind });
  await clearInventories(management, NAMESPACE);
  await clearInventories(guest, GUEST_NAMESPACE);
}

/** Without an inventory, a pass treats live objects as applied by an older version. */
export async function clearInventories(on: ControlPlane, namespace: string): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const { body } = await on.request(OPERATOR, "GET", path);
  for (const { metadata } of body.items ?? [])
    if (metadata?.name?.startsWith(NAME_START) === true)
      await on.request(OPERATOR, "DELETE", `${path}/${metadata.name}`);
}

async function clearKind(on: ControlPlane, kind: KubernetesObject, namespace?: string): Promise<void> {
  const metadata = namespace === undefined ? {} : { namespace };
  const path = await collectionPath(on, { ...kind, metadata });
  const { body } = await on.request(OPERATOR, "GET", path);
  for (const item of body.items ?? []) {
    const object = { ...item, ...kind };
    const { status, text } = await remove(on, OPERATOR, object);
    if (status >= 300) throw new Error(text);
    await waitGone(on, object);
  }
}

/** As the operator on the guest cluster and as an administrator on the management cluster. */
export function watched(rig: Rig, over: Partial<WatchedCluster> = {}): WatchedCluster {
  return {
    name: "watch",
    hostedCluster: NAMESPACE,
    guest: apiOf(rig, "guest", OPERATOR),
    management: apiOf(rig, "management", "guest-admin"),
    ...SETTINGS,
    readDirectory: directoryReader(over.source ?? SETTINGS.source),
    settleMs: 0,
    pruneAfterMs: 0,
    ...over,
  };
}

const apis = new Map<string, ClusterApi>();

export function apiOf(rig: Rig, side: "management" | "guest", user: UserName): ClusterApi {
  const kubeconfig = rig.kubeconfig(side, user);
  const api = apis.get(kubeconfig) ?? httpClusterApi({ kubeconfig });
  apis.set(kubeconfig, api);
  return api;
}

interface Kept {
  /** The state of earlier passes. */
  readonly memory?: ConflictingWriters;
  readonly judge?: EvaluatePools;
}

export async function pass(
  cluster: WatchedCluster,
  { memory = memoryOf(cluster), judge = poolVerdicts(shippedCatalogue) }: Kept = {},
): Promise<ReconcileResult> {
  const { guest, management, dryRun } = cluster;
  const judgeUsers = usersPoolVerdicts(shippedCatalogue);
  const now = () => new Date();
  const recorder = eventRecorder({ guest, management, instance: "test", now, dryRun });
  const { signal } = new AbortController();
  return reconcile(cluster, {
    signal,
    now,
    recorder,
    conflicts: memory,
    applyBackoff: applyBackoff(() => 0),
    judge,
    judgeUsers,
    onPrune: () => undefined,
  });
}

/** @param clock milliseconds; 0 for a clock that does not move */
export function memoryOf({ hostedCluster, name }: WatchedCluster, clock = () => 0): ConflictingWriters {
  return conflictingWriters(setIdOf(hostedCluster, name), clock);
}

/** The action on each object: `create NodePool/web`, with the outcome if it is not as planned. */
export function said(result: ReconcileResult): string[] {
  const usual: Record<string, string> = { create: "done", update: "done", prune: "done", release: "done" };
  return stepsOf(result)
    .filter(({ step }) => !step.kind.startsWith("Validating"))
    .map(({ step: { action, kind, name }, outcome }) => {
      const ended = outcome === (usual[action] ?? "none") ? "" : ` ${outcome}`;
      return `${action} ${kind}/${name}${ended}`;
    });
}

export async function live(on: ControlPlane, object: KubernetesObject): Promise<KubernetesObject> {
  const { status, body, text } = await get(on, ADMIN, object);
  if (status !== 200) throw new Error(text);
  return body;
}

export function nodePool(name: string): KubernetesObject {
  return { apiVersion: "karpenter.sh/v1", kind: "NodePool", metadata: { name } };
}

export function ec2NodeClass(name: string): KubernetesObject {
  return { apiVersion: "karpenter.k8s.aws/v1", kind: "EC2NodeClass", metadata: { name } };
}

const APPLIED = [
  ["admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicyBinding", "validatingadmissionpolicybindings"],
  ["admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy", "validatingadmissionpolicies"],
  ["karpenter.sh/v1", "NodePool", "nodepools"],
  ["karpenter.k8s.aws/v1", "EC2NodeClass", "ec2nodeclasses"],
] as const;

/** All of the kinds that anp applies. */
export async function appliedObjects(on: ControlPlane): Promise<KubernetesObject[]> {
  const lists = await Promise.all(
    APPLIED.map(async ([apiVersion, kind, plural]) => {
      const { body } = await on.request(ADMIN, "GET", `/apis/${apiVersion}/${plural}`);
      return (body.items ?? []).map((item) => ({ ...item, apiVersion, kind }));
    }),
  );
  return lists.flat();
}

/** The conditions in the policy's status. */
export async function readyOf(rig: Rig): Promise<Record<string, unknown> | undefined> {
  const { status } = await live(rig.management, policy([]));
  const { conditions } = (status ?? {}) as { conditions?: Record<string, unknown>[] };
  return conditions?.find(({ type }) => type === "Ready");
}

/** The requirements of a live NodePool. */
export async function requirementsOf({ guest }: Rig, name: string): Promise<unknown> {
  return valueAt(await live(guest, nodePool(name)), ["spec", "template", "spec", "requirements"]);
}
