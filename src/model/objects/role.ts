/** Decides an object's role: a rule, a wrapper, another input, output, or unrelated. */
import type { FindingCode } from "../../krm/findings/finding-codes.ts";
import { type Finding, findingAt, type Words } from "../../krm/findings/finding.ts";
import {
  ANP_GROUP,
  HYPERSHIFT_KARPENTER_GROUP,
  KARPENTER_AWS_GROUP,
  KARPENTER_GROUP,
  notServed,
  suspectKind,
} from "../../krm/findings/known-kinds.ts";
import { describeResource, groupOf, type Resource } from "../../krm/places/resource.ts";
import { ADMISSION_GROUP, isApplied, saysOperatorMadeIt, wrapperKindOf } from "./applied-kinds.ts";
import { isHostedCluster, isHostedControlPlane } from "./hosted-control-plane.ts";
import { carriesMarks } from "./marks.ts";
import { RESERVED_NAMES } from "./reserved-names.ts";
import { userDataOwner } from "./user-data-secret.ts";

export type Role =
  | "policy"
  | "render-config"
  | "hosted-control-plane"
  | "hosted-cluster"
  | "user-data"
  | "node-pool"
  | "node-class"
  /** Only gathering knows: a NodePool of a hosted cluster with `nodePools: Raw`. */
  | "raw-node-pool"
  | "earlier-output"
  | "operator-output"
  | "not-ours";

/** Authors of one of these decide for the whole hosted cluster: with `--policy-dir` they are read only there. */
export const RULE_ROLES: ReadonlySet<Role> = new Set([
  "policy",
  "render-config",
  "hosted-control-plane",
  "hosted-cluster",
  "user-data",
]);

export function isRule(resource: Resource): boolean {
  const role = roleOf(resource);
  return typeof role === "string" && RULE_ROLES.has(role);
}

export interface Refusal extends Words {
  readonly code: FindingCode;
}

interface RoleOptions {
  /**
   * Whether objects that say HyperShift's operator made them are output, as questions need it. Rendering treats them as
   * any other object that no policy covers.
   */
  readonly outputsOfOperator?: boolean | undefined;
}

/** The role of an object, or why anp refuses it. */
export function roleOf(resource: Resource, { outputsOfOperator = false }: RoleOptions = {}): Role | Refusal {
  const { kind, apiVersion } = resource;
  const group = groupOf(apiVersion);
  if (isHostedControlPlane(resource)) return "hosted-control-plane";
  if (isHostedCluster(resource)) return "hosted-cluster";
  if (userDataOwner(resource) !== undefined) return "user-data";
  if (
    group === HYPERSHIFT_KARPENTER_GROUP &&
    /^Openshift\w+NodeClass$/.test(kind) &&
    kind !== "OpenshiftEC2NodeClass"
  ) {
    // Of openshift/karpenter-operator (docs/upstream/hypershift.md#what-there-is).
    if (apiVersion === `${HYPERSHIFT_KARPENTER_GROUP}/v1alpha1` && kind === "OpenshiftAzureNodeClass") return AZURE;
    const message = "is another provider's wrapper, which anp does not render";
    return { code: "provider-not-supported", message, hint: "not supported yet: only OpenshiftEC2NodeClass (AWS)" };
  }
  const suspicion = suspectKind(apiVersion, kind);
  if (suspicion !== undefined) return { code: "unknown-kind", ...suspicion };
  if (group === KARPENTER_GROUP || group === KARPENTER_AWS_GROUP || group === ADMISSION_GROUP) {
    if (outputsOfOperator && !carriesMarks(resource.value) && saysOperatorMadeIt(resource)) return "operator-output";
    return karpenterRole(resource);
  }
  if (group === HYPERSHIFT_KARPENTER_GROUP) {
    if (kind === "AutoNodePolicy") return "policy";
    return kind === "OpenshiftNodePool" ? "node-pool" : "node-class";
  }
  return group === ANP_GROUP && kind === "RenderConfig" ? "render-config" : "not-ours";
}

/** A NodePool of Karpenter that anp has not rendered, in any version. */
export function isRawNodePool({ apiVersion, kind, value }: Resource): boolean {
  return kind === "NodePool" && groupOf(apiVersion) === KARPENTER_GROUP && !carriesMarks(value);
}

const AZURE: Refusal = {
  code: "karpenter-kind-ignored",
  message: "is a node class of OpenShift's Karpenter on Azure, and anp ignores it",
  hint: "anp renders for AWS only",
};

const RAW_KINDS = new Set(["NodePool", "NodeClaim", "EC2NodeClass"]);

/** Applied beside the rendered object, or instead of it, it could lift the guard. */
const RESERVED: Refusal = {
  code: "reserved-name",
  message: "has a name of anp's own admission policies, and anp has not rendered it",
  hint: "remove it: anp renders the one that counts; what HyperShift's operator installs stays in the cluster",
};

const HINTS: Readonly<Record<string, string>> = {
  NodeClaim: "remove it: Karpenter makes NodeClaims of its pools",
  NodePool:
    "anp adopt turns it into an OpenshiftNodePool; with nodePools: Raw (--node-pools Raw) users may write NodePools",
};

function karpenterRole(resource: Resource): Role | Refusal {
  const { kind, apiVersion } = resource;
  if (isApplied(kind) && carriesMarks(resource.value)) return "earlier-output";
  if (groupOf(apiVersion) === ADMISSION_GROUP) return RESERVED_NAMES.has(resource.name) ? RESERVED : "not-ours";
  if (!RAW_KINDS.has(kind)) return "not-ours";
  const wrapper = wrapperKindOf(kind) ?? "OpenshiftNodePool";
  const message = "is not made from a wrapper, and no policy covers it";
  return { code: "raw-object", message, hint: HINTS[kind] ?? `anp adopt turns it into an ${wrapper}` };
}

/** By group and kind (docs/upstream/karpenter.md#other-kinds, docs/upstream/hypershift.md#what-there-is). */
const EFFECTS: Readonly<Record<string, { readonly does: string; readonly hint?: string }>> = {
  "karpenter.sh/NodeOverlay": {
    does: "changes prices and resources of instance types",
    hint: "valid ones count with Karpenter's feature gate NodeOverlay (--karpenter-gates NodeOverlay=true); without it Karpenter ignores them too",
  },
  "autoscaling.openshift.io/Karpenter": {
    does: "makes OpenShift's operator run Karpenter in a cluster that is not hosted",
  },
  "autoscaling.x-k8s.io/CapacityBuffer": {
    does: "makes Karpenter keep nodes for pods that do not exist yet",
    hint: "without its feature gate CapacityBuffer Karpenter ignores it too",
  },
};

const LOOKED_AT: readonly string[] = ["NodePool", "NodeClaim"];

/** Undefined for an object that Karpenter serves, or that is not of its groups. */
export function kindNotServed(resource: Resource): Finding | undefined {
  const refused = notServed(resource.apiVersion, resource.kind);
  if (refused === undefined) return undefined;
  const { field, message, hint } = refused;
  return findingAt("kind-not-served", resource, [field], { message: `${describeResource(resource)} ${message}`, hint });
}

/** Karpenter's objects that anp does not evaluate: those of other kinds, and those that no Karpenter serves. */
export function ignoredKinds(resources: readonly Resource[]): Finding[] {
  return resources.flatMap((resource) => {
    const { kind, apiVersion } = resource;
    const refused = kindNotServed(resource);
    if (refused !== undefined) return [refused];
    const group = groupOf(apiVersion);
    const effect = EFFECTS[`${group}/${kind}`];
    if (effect === undefined && (group !== KARPENTER_GROUP || LOOKED_AT.includes(kind))) return [];
    const does = effect?.does ?? `is of a kind of ${KARPENTER_GROUP} that anp does not know`;
    const message = `${describeResource(resource)} ${does}, and anp ignores it`;
    const hint = effect?.hint ?? "anp's answers about pools, instance types and pods do not take it into account";
    return [findingAt("karpenter-kind-ignored", resource, ["kind"], { message, hint })];
  });
}
