/** The pools of a hosted cluster as questions are asked of them: a bundle and its context in, each valid pool with its demands out. */
import { type Requirement, requirementOf } from "../karpenter/requirement.ts";
import { RESERVATION_LABELS } from "../karpenter/reserved-capacity.ts";
import type { Resource } from "../krm/resource.ts";
import type { Bundle } from "../model/bundle.ts";
import { once } from "../model/once.ts";
import { amisOf } from "./amis.ts";
import { type Demand, demandsOf } from "./demands.ts";
import { type NodeClassWrapper, readNodeClass } from "./read-node-class.ts";
import { type NodePoolWrapper, readNodePool } from "./read-node-pool.ts";
import type { RenderContext } from "./render-context.ts";
import { type NodeClassRef, resolveNodeClassRef } from "./resolve-node-class-ref.ts";

export interface Pool extends NodePoolWrapper {
  readonly name: string;
  readonly hostedCluster: string | undefined;
  readonly wrapper: Resource;
  readonly nodeClassRef: NodeClassRef;
  /** Undefined where none was read. */
  readonly policy: Resource | undefined;
  /** Policy entries, the user's entries, template labels, what the node class needs: in this order. */
  readonly demands: readonly Demand[];
  /** What the node class says of reserved capacity; among `demands` only where the pool asks about it. */
  readonly reservations: readonly Demand[];
  /**
   * Whether anp blocks the pool where it would get round the policy, or refuses to render it (docs/design.md#bypass).
   */
  readonly onBypass: "Fail" | "Block";
}

/** By name; a wrapper that is invalid is left out, its findings are rendering's. */
export function poolsOf(bundle: Bundle, context: RenderContext): Pool[] {
  const classes = once(
    () => new Map(bundle.nodeClasses.map((wrapper) => [wrapper.name, once(() => readNodeClass(wrapper).value)])),
  );
  const nodeClass = (name: string): NodeClassWrapper | undefined => classes().get(name)?.();
  return bundle.nodePools.flatMap((wrapper) => {
    const { value: read } = readNodePool(wrapper, context.settings);
    if (read === undefined) return [];
    const { value: nodeClassRef } = resolveNodeClassRef(wrapper, read.spec.template.spec.nodeClassRef);
    const own = read.spec.template.spec.requirements ?? [];
    const asked = demandsOf(wrapper, own, read.labels, context.policy, context.settings);
    const keys = new Set(asked.map(({ requirement }) => requirement.key));
    const reservations = reservationDemands(nodeClass(nodeClassRef.name));
    const demands = [
      ...asked,
      ...imageDemands(nodeClassRef.name, context),
      ...reservations.filter(({ requirement }) => keys.has(requirement.key)),
    ];
    const { name } = wrapper;
    const { hostedCluster } = bundle;
    const { onBypass } = context.settings;
    const { resource: policy } = context.policy;
    return [{ ...read, name, hostedCluster, wrapper, nodeClassRef, policy, demands, reservations, onBypass }];
  });
}

/** A node starts only from an image of its architecture (provider: amifamily, MapToInstanceTypes). */
function imageDemands(nodeClass: string, context: RenderContext): Demand[] {
  const amis = amisOf(nodeClass, context);
  const [first] = amis;
  if (first === undefined) return [];
  const values = amis.map(({ arch }) => arch);
  const requirement = requirementOf({ key: "kubernetes.io/arch", operator: "In", values });
  return [{ from: "class", place: first.ami.from, requirement }];
}

const CAPACITY_TYPE = "karpenter.sh/capacity-type";

/**
 * Without a selector in its class a pool has no reserved capacity, and its nodes have none of the labels of a
 * reservation (provider: instancetype/types.go, computeRequirements). What a class that is not there says, nobody knows.
 */
function reservationDemands(nodeClass: NodeClassWrapper | undefined): Demand[] {
  if (nodeClass === undefined || nodeClass.spec.capacityReservationSelectorTerms !== undefined) return [];
  const place = nodeClass.placeOf(["capacityReservationSelectorTerms"]);
  return WITHOUT_RESERVATION.map((requirement) => ({ from: "class", place, requirement }));
}

const WITHOUT_RESERVATION: readonly Requirement[] = [
  requirementOf({ key: CAPACITY_TYPE, operator: "In", values: ["on-demand", "spot"] }),
  ...RESERVATION_LABELS.map((key) => requirementOf({ key, operator: "DoesNotExist" })),
];
