/** The pools of a hosted cluster as questions are asked of them: a bundle and its context in, each valid pool with its demands out. */
import { requirementOf } from "../karpenter/requirement.ts";
import type { Resource } from "../krm/resource.ts";
import type { Bundle } from "../model/bundle.ts";
import { amisOf } from "../render/amis.ts";
import { type Demand, demandsOf } from "../render/demands.ts";
import { type NodePoolWrapper, readNodePool } from "../render/read-node-pool.ts";
import type { RenderContext } from "../render/render-context.ts";
import { type NodeClassRef, resolveNodeClassRef } from "../render/resolve-node-class-ref.ts";

export interface Pool extends NodePoolWrapper {
  readonly name: string;
  readonly hostedCluster: string | undefined;
  readonly wrapper: Resource;
  readonly nodeClassRef: NodeClassRef;
  /** Policy entries, the user's entries, template labels, what the node class needs: in this order. */
  readonly demands: readonly Demand[];
  /** Whether anp blocks the pool where it would get round the policy, or refuses to render it (DESIGN.md 3.2). */
  readonly onBypass: "Fail" | "Block";
}

/** By name; a wrapper that is invalid is left out, its findings are rendering's. */
export function poolsOf(bundle: Bundle, context: RenderContext): Pool[] {
  return bundle.nodePools.flatMap((wrapper) => {
    const { value: read } = readNodePool(wrapper, context.settings);
    if (read === undefined) return [];
    const { value: nodeClassRef } = resolveNodeClassRef(wrapper, read.spec.template.spec.nodeClassRef);
    const own = read.spec.template.spec.requirements ?? [];
    const demands = [
      ...demandsOf(wrapper, own, read.labels, context.policy),
      ...classDemands(nodeClassRef.name, context),
    ];
    const { name } = wrapper;
    const { onBypass } = context.settings;
    return [{ ...read, name, hostedCluster: bundle.hostedCluster, wrapper, nodeClassRef, demands, onBypass }];
  });
}

/** A node starts only from an image of its architecture (provider: amifamily, MapToInstanceTypes). */
function classDemands(nodeClass: string, context: RenderContext): Demand[] {
  const amis = amisOf(nodeClass, context);
  const [first] = amis;
  if (first === undefined) return [];
  const values = amis.map(({ arch }) => arch);
  const requirement = requirementOf({ key: "kubernetes.io/arch", operator: "In", values });
  return [{ from: "class", place: first.ami.from, requirement }];
}
