/** The input for one hosted cluster: rules, wrappers and hidden inputs. */
import type { Finding } from "../../krm/findings/finding.ts";
import type { Resource } from "../../krm/places/resource.ts";

/** What users of a hosted cluster write: wrappers of NodePools only, or NodePools as well. */
export const NODE_POOL_FORMS = ["Wrapped", "Raw"] as const;

export type NodePoolForm = (typeof NODE_POOL_FORMS)[number];

export interface Bundle {
  /** The hosted control plane's namespace; undefined if the input names no hosted cluster. */
  readonly hostedCluster: string | undefined;
  /** The AutoNodePolicy named `default` of that namespace, or the one that the RenderConfig extends. */
  readonly policy: Resource | undefined;
  readonly renderConfig: Resource | undefined;
  readonly hostedControlPlane: Resource | undefined;
  readonly hostedClusterObject: Resource | undefined;
  /** User-data Secrets by the name of their node class. */
  readonly userDataSecrets: ReadonlyMap<string, Resource>;
  /** OpenshiftNodePools, and with `nodePools: Raw` the NodePools that users write. */
  readonly nodePools: readonly Resource[];
  readonly nodeClasses: readonly Resource[];
  /** Objects with anp's marks. Rendering does not read them. */
  readonly earlierOutput: readonly Resource[];
  /** Objects that HyperShift's operator says it made of a wrapper. Only filled for questions, not for rendering. */
  readonly operatorOutput: readonly Resource[];
  /** Findings of gathering its objects; its RenderConfig's rules apply to them. */
  readonly findings: readonly Finding[];
}

/** Whether a pool of a bundle is a NodePool that users write. */
export function isUsersNodePool({ kind }: Pick<Resource, "kind">): boolean {
  return kind === "NodePool";
}

/** For messages about an input without anything that users write. */
export function nothingRead(form: NodePoolForm | undefined): string {
  return form === "Raw" ? "no wrapper and no NodePool was read" : "no wrapper was read";
}

/** Whether the users have any wrapper: without one nothing may be removed (docs/design.md#output). */
export function hasWrappers(bundle: Bundle): boolean {
  return bundle.nodePools.length + bundle.nodeClasses.length > 0;
}
