/** Defines a resolved cluster, the input of rendering and analysis. */
import type { Finding, Outcome } from "../krm/findings/finding.ts";
import type { Resource } from "../krm/places/resource.ts";
import type { Provider } from "../karpenter/provider/provider.ts";
import type { Bundle } from "../model/inputs/bundle.ts";
import type { InputMode } from "../model/objects/input-mode.ts";
import type { ResolvedInputs } from "./inputs.ts";
import type { NodeClassWrapper } from "./read-node-class.ts";
import type { NodePoolWrapper } from "./read-node-pool.ts";
import type { ResolvedPool } from "./resolve-pool.ts";
import type { Settings } from "./settings.ts";

/** A wrapper that was read; undefined if invalid. */
export interface ReadWrapper<T> extends Outcome<T | undefined> {
  readonly wrapper: Resource;
}

export interface ReadNodePool extends ReadWrapper<NodePoolWrapper> {
  /** Undefined if the wrapper is invalid, or if the cluster has no `inputs`. */
  readonly pool: ResolvedPool | undefined;
}

/**
 * A hosted cluster that resolves its node pools lazily and anew in each iteration, so that thousands need no memory.
 */
export interface ClusterInTurn {
  readonly mode: InputMode;
  /** The provider of the nodes. */
  readonly provider: Provider;
  readonly bundle: Bundle;
  /** `--feature-gates AutoNode=false`: nothing is rendered or removed. */
  readonly gateOff: boolean;
  /** Undefined if the RenderConfig is invalid; then there are no wrappers either. */
  readonly settings: Settings | undefined;
  /** Undefined if the policy or the hosted cluster's own objects are invalid; then there are no pools either. */
  readonly inputs: ResolvedInputs | undefined;
  /** Sorted by name, as in the bundle. */
  readonly nodeClasses: readonly ReadWrapper<NodeClassWrapper>[];
  readonly nodePools: Iterable<ReadNodePool>;
  /** Findings on the hosted cluster as a whole, after its rules. */
  readonly findings: readonly Finding[];
}

export interface ResolvedCluster extends ClusterInTurn {
  readonly nodePools: readonly ReadNodePool[];
  /** The valid node pools, in the same order. */
  readonly pools: readonly ResolvedPool[];
}
