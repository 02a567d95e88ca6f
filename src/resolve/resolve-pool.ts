/** A pool as rendering and every question meet it: its demands, and what each label comes to. */
import { canInventValue } from "../karpenter/requirements/invented-value.ts";
import { labelPresence } from "../karpenter/requirements/label-presence.ts";
import type { MergedKey } from "../karpenter/requirements/merged-key.ts";
import { type NoNodes, noNodesOf } from "../karpenter/scheduling/no-nodes.ts";
import { type Requirement, requirementOf } from "../karpenter/requirements/requirement.ts";
import { RESERVATION_LABELS } from "../karpenter/catalogue/reserved-capacity.ts";
import type { Finding, Outcome } from "../krm/finding.ts";
import type { Resource } from "../krm/resource.ts";
import type { NodeSelectorRequirement } from "../model/requirement.ts";
import { amisOf } from "./amis.ts";
import { type Demand, demandsOf } from "./demands.ts";
import type { ResolvedInputs } from "./inputs.ts";
import { mergeDemands } from "./merge-demands.ts";
import type { NodeClassWrapper } from "./read-node-class.ts";
import type { NodePoolWrapper } from "./read-node-pool.ts";
import { type NodeClassRef, resolveNodeClassRef } from "./resolve-node-class-ref.ts";

/** What the demands on one label key come to, as far as no catalogue is needed to tell. */
export interface MergedDemands extends MergedKey {
  readonly demands: readonly Demand[];
  /** Karpenter would make up a number for the label, find none, and end (docs/upstream/karpenter.md#invented-values). */
  readonly lethal: boolean;
}

export interface ResolvedPool extends NodePoolWrapper {
  readonly name: string;
  readonly hostedCluster: string | undefined;
  readonly wrapper: Resource;
  readonly nodeClassRef: NodeClassRef;
  /** Undefined where it is not among the input's wrappers, or invalid. */
  readonly nodeClass: NodeClassWrapper | undefined;
  /** Undefined where none was read. */
  readonly policy: Resource | undefined;
  /** Policy entries, the user's entries, template labels: in this order. */
  readonly asked: readonly Demand[];
  /** Of what is asked, by label key, in the order of its first demand. */
  readonly merged: readonly MergedDemands[];
  /** What is asked, and what the node class needs. */
  readonly demands: readonly Demand[];
  /** What the node class says of reserved capacity; among `demands` only where the pool asks about it. */
  readonly reservations: readonly Demand[];
  /** Whatever instance types there are. */
  readonly noNodes: readonly NoNodes[];
  /** Whether anp blocks the pool where it would get round the policy, or refuses to render it (docs/design.md#bypass). */
  readonly onBypass: "Fail" | "Block";
  /** On the wrapper and what it refers to. */
  readonly findings: readonly Finding[];
}

/** Every instance type has the label and none has this value: the pool gets no nodes (docs/design.md#bypass). */
export const BLOCKER: NodeSelectorRequirement = {
  key: "node.kubernetes.io/instance-type",
  operator: "In",
  values: ["blocked-by-autonodepolicy"],
};

interface Surroundings {
  readonly hostedCluster: string | undefined;
  readonly inputs: ResolvedInputs;
  /** By name. */
  readonly classes: ReadonlyMap<string, NodeClassWrapper | undefined>;
}

/** Undefined when the wrapper is invalid. */
export function resolvePool(
  wrapper: Resource,
  { value: read, findings: onReading }: Outcome<NodePoolWrapper | undefined>,
  { hostedCluster, inputs, classes }: Surroundings,
): ResolvedPool | undefined {
  if (read === undefined) return undefined;
  const { name } = wrapper;
  const { limits, template } = read.spec;
  const { value: nodeClassRef, findings: onReference } = resolveNodeClassRef(wrapper, template.spec.nodeClassRef);
  const nodeClass = classes.get(nodeClassRef.name);
  const asked = demandsOf(wrapper, template.spec.requirements ?? [], read.labels, inputs.policy, inputs.settings);
  const groups = Map.groupBy(asked, ({ requirement }) => requirement.key);
  const reservations = reservationDemands(nodeClass);
  const { expireAfter } = template.spec;
  return {
    ...read,
    name,
    hostedCluster,
    wrapper,
    nodeClassRef,
    nodeClass,
    policy: inputs.policy.resource,
    asked,
    merged: [...groups].map(([key, demands]) => mergedOf(key, demands)),
    demands: [
      ...asked,
      ...imageDemands(nodeClassRef.name, inputs),
      ...reservations.filter(({ requirement }) => groups.has(requirement.key)),
    ],
    reservations,
    noNodes: noNodesOf({ name, nodeClassRef, limits, expireAfter }),
    onBypass: inputs.settings.onBypass,
    findings: [...onReading, ...onReference],
  };
}

function mergedOf(key: string, demands: readonly Demand[]): MergedDemands {
  const merged = mergeDemands(key, demands);
  const lethal = labelPresence(key) === "custom" && !canInventValue(merged.effective);
  return { ...merged, demands, lethal };
}

/** A node starts only from an image of its architecture (provider: amifamily, MapToInstanceTypes). */
function imageDemands(nodeClass: string, inputs: ResolvedInputs): Demand[] {
  const amis = amisOf(nodeClass, inputs);
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
