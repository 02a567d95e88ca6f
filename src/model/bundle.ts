/** What one hosted cluster is rendered from: rules, wrappers and the inputs no wrapper holds. */
import type { Finding } from "../krm/finding.ts";
import type { Resource } from "../krm/resource.ts";

export interface Bundle {
  /** The hosted control plane's namespace; undefined when the input speaks of no hosted cluster. */
  readonly hostedCluster: string | undefined;
  /** The AutoNodePolicy named `default` of that namespace. */
  readonly policy: Resource | undefined;
  readonly renderConfig: Resource | undefined;
  readonly hostedControlPlane: Resource | undefined;
  readonly hostedClusterObject: Resource | undefined;
  /** User-data Secrets by the name of the node class they are for. */
  readonly userDataSecrets: ReadonlyMap<string, Resource>;
  readonly nodePools: readonly Resource[];
  readonly nodeClasses: readonly Resource[];
  /** What anp has rendered before, or what says so. Rendering does not look at it. */
  readonly earlierOutput: readonly Resource[];
  /** What says that HyperShift's operator made it of one of the wrappers. Only to questions: else there is none. */
  readonly operatorOutput: readonly Resource[];
  /** What choosing its objects found; its RenderConfig's rules apply to them. */
  readonly findings: readonly Finding[];
}

/**
 * Whether there is anything to render for its users: without a wrapper nothing may be removed (docs/design.md#output).
 */
export function hasWrappers(bundle: Bundle): boolean {
  return bundle.nodePools.length + bundle.nodeClasses.length > 0;
}
