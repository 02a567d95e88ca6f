/** What a cluster comes to: the value that rendering writes down, and that questions read. */
import type { Finding, Outcome } from "../krm/finding.ts";
import type { Resource } from "../krm/resource.ts";
import type { Provider } from "../karpenter/provider/provider.ts";
import type { Bundle } from "../model/bundle.ts";
import type { InputMode } from "../model/input-mode.ts";
import type { ResolvedInputs } from "./inputs.ts";
import type { NodeClassWrapper } from "./read-node-class.ts";
import type { NodePoolWrapper } from "./read-node-pool.ts";
import type { ResolvedPool } from "./resolve-pool.ts";
import type { Settings } from "./settings.ts";

/** A wrapper as it was read; undefined when it is invalid. */
export interface ReadWrapper<T> extends Outcome<T | undefined> {
  readonly wrapper: Resource;
}

export interface ReadNodePool extends ReadWrapper<NodePoolWrapper> {
  /** Undefined when the wrapper is invalid, or the cluster has no `inputs`. */
  readonly pool: ResolvedPool | undefined;
}

/** A hosted cluster whose node pools are worked out as they are taken, and anew each time: thousands need no room. */
export interface ClusterInTurn {
  readonly mode: InputMode;
  /** Whose Karpenter makes the nodes. */
  readonly provider: Provider;
  readonly bundle: Bundle;
  /** `--feature-gates AutoNode=false`: nothing is rendered, and nothing is removed. */
  readonly gateOff: boolean;
  /** Undefined when the RenderConfig cannot be read; then there are no wrappers either. */
  readonly settings: Settings | undefined;
  /** Undefined when nobody can tell what the policy or the hosted cluster's own objects say; then there are no pools either. */
  readonly inputs: ResolvedInputs | undefined;
  /** By name, as the bundle has them. */
  readonly nodeClasses: readonly ReadWrapper<NodeClassWrapper>[];
  readonly nodePools: Iterable<ReadNodePool>;
  /** Of the hosted cluster as a whole, under its rules. */
  readonly findings: readonly Finding[];
}

export interface ResolvedCluster extends ClusterInTurn {
  readonly nodePools: readonly ReadNodePool[];
  /** Of the node pools those that are valid, in the same order. */
  readonly pools: readonly ResolvedPool[];
}
