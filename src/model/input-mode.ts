/** Whether an input is a hosted cluster's, or Karpenter's own objects as they stand. */
import { EKS_AUTO_GROUP, KARPENTER_AWS_GROUP, KARPENTER_GROUP } from "../krm/known-kinds.ts";
import { groupOf, type Resource } from "../krm/resource.ts";
import { roleOf } from "./role.ts";

export type InputMode = "hosted" | "raw";

interface MeaningHosted {
  readonly policyDir?: string | undefined;
  readonly hostedCluster?: string | undefined;
  readonly requirePolicy?: boolean | undefined;
  readonly config?: string | undefined;
  /** Of raw pools; a RenderConfig beside it says how a guard holds it. */
  readonly policy?: string | undefined;
  /** Of a cluster, which has nothing else where it has nothing of a hosted one. */
  readonly live?: boolean | undefined;
}

/**
 * Of a hosted cluster is all that stands beside one of its objects, and whatever the user calls so: else a pool could
 * get out of its policy by leaving the wrapper out (docs/design.md#raw-objects-and-marks).
 */
export function inputMode(resources: readonly Resource[], options: MeaningHosted): InputMode {
  if (meansHosted(options)) return "hosted";
  const { live = false } = options;
  return (live || resources.some(isRaw)) && !resources.some(isOfHostedCluster) ? "raw" : "hosted";
}

/** Whether the user says so, whatever the input holds. */
export function meansHosted({ policyDir, hostedCluster, requirePolicy, config, policy }: MeaningHosted): boolean {
  const ofConfig = policy === undefined ? config : undefined;
  return (policyDir ?? hostedCluster ?? ofConfig) !== undefined || requirePolicy === true;
}

/** Of Karpenter's own kinds, in any version. */
function isRaw({ apiVersion, kind }: Resource): boolean {
  const group = groupOf(apiVersion);
  return (group === KARPENTER_GROUP && POOL_KINDS.has(kind)) || isNodeClass({ apiVersion, kind });
}

/** What a cluster with Karpenter gets of its users: pools, node classes, overlays. */
export function isKarpenters(resource: Resource): boolean {
  return groupOf(resource.apiVersion) === KARPENTER_GROUP || isNodeClass(resource);
}

const POOL_KINDS: ReadonlySet<string> = new Set(["NodePool", "NodeClaim"]);

/** Of whatever provider: the kinds end alike. Core and HyperShift have such kinds of other meanings. */
export function isNodeClass({ apiVersion, kind }: Pick<Resource, "apiVersion" | "kind">): boolean {
  const group = groupOf(apiVersion);
  if (group === KARPENTER_AWS_GROUP) return kind === "EC2NodeClass";
  return kind.endsWith("NodeClass") && mayHaveNodeClasses(group);
}

/** Whether the node classes of a provider may be of this group. */
export function mayHaveNodeClasses(group: string): boolean {
  return (group.includes("karpenter") || group === EKS_AUTO_GROUP) && !group.endsWith("openshift.io");
}

/** Whether anp reads it, and it is neither Karpenter's own nor made by anp. */
export function isOfHostedCluster(resource: Resource): boolean {
  const role = roleOf(resource);
  if (typeof role === "string") return role !== "earlier-output" && role !== "not-ours";
  // Nobody can tell what a slip in such a kind was to be.
  return role.code !== "raw-object";
}
