/** Decides whether an input is wrappers, HyperShift as it ships, or raw Karpenter objects. */
import { EKS_AUTO_GROUP, KARPENTER_AWS_GROUP, KARPENTER_GROUP } from "../../krm/findings/known-kinds.ts";
import { groupOf, type Resource } from "../../krm/places/resource.ts";
import { isRawNodePool, type Role, roleOf } from "./role.ts";

/**
 * - `hosted`: wrappers of pools and node classes
 * - `shipped`: raw NodePools of a hosted cluster, beside the wrappers of node classes
 * - `raw`: Karpenter's own objects alone
 */
export type InputMode = "hosted" | "shipped" | "raw";

interface MeaningHosted {
  readonly policyDir?: string | undefined;
  readonly hostedCluster?: string | undefined;
  readonly requirePolicy?: boolean | undefined;
  readonly config?: string | undefined;
  /** Whatever it says: the input belongs to a hosted cluster. */
  readonly nodePools?: string | undefined;
  /** The policy for raw pools; a RenderConfig beside it configures the guard. */
  readonly policy?: string | undefined;
  /** Whether a policy is proven, which HyperShift as it ships does not have. */
  readonly prove?: boolean | undefined;
  /** Whether a cluster is read: one without a hosted cluster's objects is raw, even if it is empty. */
  readonly live?: boolean | undefined;
}

/**
 * An input is hosted if it holds any object of a hosted cluster, or if the user says so: otherwise a pool could leave
 * its policy by leaving the wrapper out (docs/design.md#raw-objects-and-marks).
 */
export function inputMode(resources: readonly Resource[], options: MeaningHosted): InputMode {
  if (meansHosted(options)) return "hosted";
  const { live = false, prove = false } = options;
  const ofHostedCluster = resources.filter(isOfHostedCluster);
  if (ofHostedCluster.length === 0) return live || resources.some(isRaw) ? "raw" : "hosted";
  const isShipped = !prove && ofHostedCluster.every(isShippedWith) && resources.some(isRawNodePool);
  return isShipped ? "shipped" : "hosted";
}

/** What HyperShift as it ships has beside raw NodePools; a policy, a RenderConfig or a pool wrapper is not among it. */
function isShippedWith(resource: Resource): boolean {
  const role = roleOf(resource);
  return typeof role === "string" && SHIPPED.has(role);
}

const SHIPPED: ReadonlySet<Role> = new Set(["node-class", "hosted-control-plane", "hosted-cluster", "user-data"]);

/** Whether the options imply a hosted cluster, whatever the input holds. */
export function meansHosted(options: MeaningHosted): boolean {
  const { policyDir, hostedCluster, nodePools, requirePolicy, config, policy } = options;
  const ofConfig = policy === undefined ? config : undefined;
  return (policyDir ?? hostedCluster ?? nodePools ?? ofConfig) !== undefined || requirePolicy === true;
}

/** One of Karpenter's own kinds, in any version. */
function isRaw({ apiVersion, kind }: Resource): boolean {
  const group = groupOf(apiVersion);
  return (group === KARPENTER_GROUP && POOL_KINDS.has(kind)) || isNodeClass({ apiVersion, kind });
}

/** The objects that users give a cluster with Karpenter: pools, node classes, overlays. */
export function isKarpenters(resource: Resource): boolean {
  return groupOf(resource.apiVersion) === KARPENTER_GROUP || isNodeClass(resource);
}

const POOL_KINDS: ReadonlySet<string> = new Set(["NodePool", "NodeClaim"]);

/**
 * Node classes of any provider: their kinds have the same ending. Core and HyperShift have such kinds with other
 * meanings.
 */
export function isNodeClass({ apiVersion, kind }: Pick<Resource, "apiVersion" | "kind">): boolean {
  const group = groupOf(apiVersion);
  if (group === KARPENTER_AWS_GROUP) return kind === "EC2NodeClass";
  return kind.endsWith("NodeClass") && mayHaveNodeClasses(group);
}

/** Whether the group may hold node classes of a provider. */
export function mayHaveNodeClasses(group: string): boolean {
  return (group.includes("karpenter") || group === EKS_AUTO_GROUP) && !group.endsWith("openshift.io");
}

/** Whether anp reads it, and it is neither Karpenter's own nor made by anp. */
export function isOfHostedCluster(resource: Resource): boolean {
  const role = roleOf(resource);
  if (typeof role === "string") return role !== "earlier-output" && role !== "not-ours";
  // An unknown kind may be a misspelt one of a hosted cluster.
  return role.code !== "raw-object";
}
