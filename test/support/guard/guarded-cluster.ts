/** Starts a control plane with the guard of a policy in force. */
import { guard, type GuardRequest } from "../../../src/guard/guard.ts";
import { admitBounds } from "../../../src/guard/admit-bounds.ts";
import { BOUNDED, type Bounds } from "../../../src/guard/guard-bounds.ts";
import type { GuardMaking } from "../../../src/guard/guard-objects.ts";
import { AWS } from "../../../src/karpenter/provider/aws.ts";
import type { Provider } from "../../../src/karpenter/provider/provider.ts";
import { sameValue } from "../../../src/krm/values/canonical.ts";
import { POLICY_END, splitAtPolicyEnd } from "../../../src/model/requirements/policy-end.ts";
import type { NodeSelectorRequirement } from "../../../src/model/requirements/requirement.ts";
import type { RootVolume } from "../../../src/model/policy/root-volume.ts";
import { type ControlPlane, startControlPlane } from "../controlplane/control-plane.ts";
import type { Answer } from "../controlplane/https-client.ts";
import { KARPENTER_CRD_NAMES, karpenterCrds } from "../controlplane/karpenter-crds.ts";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import { apply, create, until, waitEstablished } from "../controlplane/objects.ts";
import { KARPENTER_PROFILE } from "../go/programs.ts";
import { disruptionReasons } from "../../../src/model/pools/disruption-reasons.ts";

/** What a guard leaves of a budget for all reasons, beside one for Drifted. */
export const REASONS_BUT_DRIFTED = disruptionReasons(KARPENTER_PROFILE).filter((reason) => reason !== "Drifted");

export type Entries = readonly NodeSelectorRequirement[];

const KARPENTER_USER = "system:admin";

/** Karpenter's CRDs, without a guard. */
export async function startCluster(): Promise<ControlPlane> {
  const controlPlane = await startControlPlane();
  for (const crd of await karpenterCrds(KARPENTER_PROFILE)) await mustCreate(controlPlane, crd);
  await waitEstablished(controlPlane, KARPENTER_CRD_NAMES);
  return controlPlane;
}

interface Asked extends Partial<GuardMaking> {
  readonly rootVolume?: RootVolume & { volumeSize: string; volumeType: string; encrypted: boolean };
  readonly provider?: Provider;
  readonly bounds?: Bounds;
}

export function guardObjects(requirements: Entries, asked: Asked = {}): KubernetesObject[] {
  const { rootVolume, provider = AWS, form = "api", action = "Deny" } = asked;
  const value = rootVolume ?? { volumeSize: "75Gi", volumeType: "gp3", encrypted: true };
  const request: GuardRequest = {
    policy: { resource: undefined, requirements, rootVolume },
    rootVolume: { value, origins: [], gib: 75, replacesUsers: true },
    karpenterUsers: [KARPENTER_USER],
    provider,
    bounds: asked.bounds ?? {},
    profile: KARPENTER_PROFILE,
    form,
    action,
  };
  return guard(request).value as unknown as KubernetesObject[];
}

/** Waits until both halves apply: the second accepts what the first adds. */
export async function enforce(controlPlane: ControlPlane, requirements: Entries, asked: Asked = {}): Promise<void> {
  for (const object of guardObjects(requirements, asked)) await mustApply(controlPlane, object);
  const { group } = asked.provider ?? AWS;
  const refusal = asked.action === "Audit" ? 201 : 422;
  const plain = poolOf("probe", [], {}, group);
  await until("the guard acts", async () => {
    const { status, body } = await create(controlPlane, "guest-admin", plain, { dryRun: true });
    const { front } = splitAtPolicyEnd(requirementsOf(body));
    if (status !== 201 || !sameValue(front ?? [], requirements)) return false;
    const marked = poolOf("probe", [{ key: "example.com/none", operator: "Exists" }, END], {}, group);
    return (await create(controlPlane, "guest-admin", marked, { dryRun: true })).status === refusal;
  });
  if (asked.bounds !== undefined) {
    await until("the bounds act", async () => {
      const { body } = await create(controlPlane, "guest-admin", plain, { dryRun: true });
      const isBounded = body.metadata?.annotations?.[BOUNDED] !== undefined;
      if (isBounded !== leavesOut(asked.bounds!)) return false;
      const beyond = { ...plain, spec: { ...plain.spec, disruption: { consolidateAfter: "0s", budgets: [BEYOND] } } };
      return (await create(controlPlane, "guest-admin", beyond, { dryRun: true })).status === refusal;
    });
  }
  if (asked.rootVolume !== undefined) {
    await until("the guard of classes acts", async () => {
      const { body } = await create(controlPlane, "guest-admin", classOf("probe"), { dryRun: true });
      const [first] = (body.spec as { blockDeviceMappings?: { ebs: object }[] } | undefined)?.blockDeviceMappings ?? [];
      return sameValue(first?.ebs, asked.rootVolume);
    });
  }
}

/** Whether a pool with defaults exceeds the bounds. */
function leavesOut(bounds: Bounds): boolean {
  const admitted = admitBounds(bounds, { budgets: [{ nodes: "10%" }] }, KARPENTER_PROFILE);
  return "stored" in admitted && admitted.set.length > 0;
}

/** Any floor refuses it. */
const BEYOND = { nodes: "0" };

export const END: NodeSelectorRequirement = { key: POLICY_END, operator: "DoesNotExist" };

export function poolOf(
  name: string,
  requirements: unknown,
  labels: Readonly<Record<string, string>> = {},
  group = "karpenter.k8s.aws",
): KubernetesObject {
  const kind = group === "karpenter.k8s.aws" ? "EC2NodeClass" : "KWOKNodeClass";
  const metadata = Object.keys(labels).length === 0 ? {} : { metadata: { labels } };
  const nodeClassRef = { group, kind, name: "default" };
  return {
    apiVersion: "karpenter.sh/v1",
    kind: "NodePool",
    metadata: { name },
    spec: { template: { ...metadata, spec: { nodeClassRef, requirements } } },
  };
}

/** With a known root device; AL2023 by default. */
export interface Images {
  readonly amiFamily?: string;
  readonly amiSelectorTerms: readonly object[];
}

export const AL2023: Images = { amiSelectorTerms: [{ alias: "al2023@latest" }] };

export function classOf(name: string, blockDeviceMappings?: unknown, images = AL2023): KubernetesObject {
  return {
    apiVersion: "karpenter.k8s.aws/v1",
    kind: "EC2NodeClass",
    metadata: { name },
    spec: {
      ...images,
      role: "nodes",
      subnetSelectorTerms: [{ id: "subnet-1" }],
      securityGroupSelectorTerms: [{ id: "sg-1" }],
      ...(blockDeviceMappings === undefined ? {} : { blockDeviceMappings }),
    },
  };
}

export function requirementsOf({ spec }: KubernetesObject): Entries {
  const { template } = (spec ?? {}) as { template?: { spec?: { requirements?: Entries } } };
  return template?.spec?.requirements ?? [];
}

/** `stored`, or the error without the names of policy and binding. */
export function outcomeOf({ status, body }: Answer): string {
  if (status < 300) return "stored";
  return (body.message ?? "").replace(/^.* denied request: /s, "");
}

async function mustCreate(controlPlane: ControlPlane, object: KubernetesObject): Promise<KubernetesObject> {
  const { status, body, text } = await create(controlPlane, "system:admin", object);
  if (status !== 201) throw new Error(text);
  return body;
}

export async function mustApply(controlPlane: ControlPlane, object: KubernetesObject): Promise<void> {
  const { status, text, body } = await apply(controlPlane, "system:admin", object);
  if (status >= 300) throw new Error(text);
  const { typeChecking } = (body.status ?? {}) as { typeChecking?: unknown };
  if (typeChecking !== undefined && JSON.stringify(typeChecking) !== "{}")
    throw new Error(JSON.stringify(typeChecking));
}
