/** A pool as rendering and every question meet it: its demands, and what each label comes to. */
import { canInventValue } from "../karpenter/requirements/invented-value.ts";
import type { KnownLabels } from "../karpenter/requirements/label-presence.ts";
import type { MergedKey } from "../karpenter/requirements/merged-key.ts";
import { type NoNodes, noNodesOf } from "../karpenter/scheduling/no-nodes.ts";
import { requirementOf } from "../karpenter/requirements/requirement.ts";
import { AWS, RESERVATION_TERMS, withoutReservations } from "../karpenter/provider/aws.ts";
import { foreignLabel } from "../karpenter/provider/foreign-label.ts";
import type { Provider } from "../karpenter/provider/provider.ts";
import type { Finding, Outcome, Words } from "../krm/finding.ts";
import type { Resource } from "../krm/resource.ts";
import type { InputMode } from "../model/input-mode.ts";
import type { NodeSelectorRequirement } from "../model/requirement.ts";
import { amisOf } from "./amis.ts";
import { type Demand, demandsOf } from "./demands.ts";
import type { ResolvedInputs } from "./inputs.ts";
import { mergeDemands } from "./merge-demands.ts";
import type { Place } from "./origin.ts";
import type { EffectivePolicy } from "./policy.ts";
import type { NodeClassWrapper } from "./read-node-class.ts";
import type { NodePoolWrapper } from "./read-node-pool.ts";
import { type NodeClassRef, resolveNodeClassRef } from "./resolve-node-class-ref.ts";

/** What the demands on one label key come to, as far as no catalogue is needed to tell. */
export interface MergedDemands extends MergedKey {
  readonly demands: readonly Demand[];
  /** Karpenter would make up a number for the label, find none, and end (docs/upstream/karpenter.md#invented-values). */
  readonly lethal: boolean;
}

/** What the pool asks of a label of another provider. */
interface ForeignLabel extends Words {
  readonly demand: Demand;
}

export interface PlacedNoNodes extends Omit<NoNodes, "path"> {
  readonly place: Place;
}

export interface ResolvedPool extends NodePoolWrapper {
  readonly mode: InputMode;
  readonly name: string;
  readonly hostedCluster: string | undefined;
  readonly wrapper: Resource;
  /** Who makes its nodes. */
  readonly provider: Provider;
  readonly nodeClassRef: NodeClassRef;
  /** Undefined where it is not among the inputs, or invalid. */
  readonly nodeClass: Resource | undefined;
  /** Undefined where none was read. */
  readonly policy: Resource | undefined;
  /** Policy entries, the user's entries, template labels: in this order. */
  readonly asked: readonly Demand[];
  /** Of what is asked, by label key, in the order of its first demand. */
  readonly merged: readonly MergedDemands[];
  /** What is asked, and what the node class needs. */
  readonly demands: readonly Demand[];
  /** What the node class has images for, and where it has subnets. */
  readonly needs: readonly Demand[];
  /** What the node class says of reserved capacity; among `demands` only where the pool asks about it. */
  readonly reservations: readonly Demand[];
  /** Of the pool's own entries and labels those on labels of another provider. */
  readonly foreign: readonly ForeignLabel[];
  /** Whatever instance types there are. */
  readonly noNodes: readonly PlacedNoNodes[];
  /** Whether anp blocks the pool where it would get round the policy, or refuses to render it (docs/design.md#bypass). */
  readonly onBypass: "Fail" | "Block";
  /** Of a static pool, which a wrapper never is: how many nodes it keeps, whatever pods there are. */
  readonly replicas?: number | undefined;
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
  const { template } = read.spec;
  const { value: nodeClassRef, findings: onReference } = resolveNodeClassRef(wrapper, template.spec.nodeClassRef);
  const nodeClass = classes.get(nodeClassRef.name);
  const pool = {
    ...read,
    mode: "hosted" as const,
    name: wrapper.name,
    hostedCluster,
    wrapper,
    provider: AWS,
    nodeClassRef,
    nodeClass: nodeClass?.wrapper,
    policy: inputs.policy.resource,
    asked: demandsOf(wrapper, template.spec.requirements ?? [], read.labels, inputs.policy, inputs.settings),
    needs: imageDemands(nodeClassRef.name, inputs),
    reservations: reservationDemands(nodeClass),
    onBypass: inputs.settings.onBypass,
    findings: [...onReading, ...onReference],
  };
  return withMerges(pool);
}

const MISMATCH = "provider-mismatch" as const;

/** The pool as it would be if this policy applied to it. */
export function poolUnder(pool: ResolvedPool, policy: EffectivePolicy): ResolvedPool {
  const asked = demandsOf(pool.wrapper, pool.spec.template.spec.requirements ?? [], pool.labels, policy);
  return withMerges({ ...pool, policy: policy.resource, asked });
}

/** What the demands on a pool come to. */
export function withMerges(pool: Omit<ResolvedPool, "merged" | "demands" | "foreign" | "noNodes">): ResolvedPool {
  const { asked, needs, reservations, provider, wrapper } = pool;
  const groups = Map.groupBy(asked, ({ requirement }) => requirement.key);
  const { template, limits } = pool.spec;
  const own = asked.filter(({ from }) => from !== "policy");
  const foreign = own.flatMap((demand): ForeignLabel[] => {
    const words = foreignLabel(demand.requirement.key, provider);
    return words === undefined ? [] : [{ demand, ...words }];
  });
  const noNodes = noNodesOf({ ...pool, limits, expireAfter: template.spec.expireAfter });
  return {
    ...pool,
    foreign,
    merged: [...groups].map(([key, demands]) => mergedOf(key, demands, provider.labels)),
    demands: [...asked, ...needs, ...reservations.filter(({ requirement }) => groups.has(requirement.key))],
    noNodes: [
      ...noNodes.map(({ path, ...one }) => ({ ...one, place: { resource: wrapper, path } })),
      // A pool as it stands has nodes all the same; what asks so is not rendered.
      ...(pool.mode === "raw"
        ? []
        : foreign.map(({ demand, ...words }) => ({ code: MISMATCH, place: demand.place, ...words }))),
    ],
  };
}

function mergedOf(key: string, demands: readonly Demand[], known: KnownLabels): MergedDemands {
  const merged = mergeDemands(key, demands, known);
  const lethal = merged.presence === "custom" && !canInventValue(merged.effective);
  return { ...merged, demands, lethal };
}

/** A node starts only from an image of its architecture (provider: amifamily, MapToInstanceTypes). */
export function imageDemands(nodeClass: string, inputs: ResolvedInputs): Demand[] {
  const amis = amisOf(nodeClass, inputs);
  const [first] = amis;
  if (first === undefined) return [];
  const values = amis.map(({ arch }) => arch);
  const requirement = requirementOf({ key: "kubernetes.io/arch", operator: "In", values });
  return [{ from: "class", place: first.ami.from, requirement }];
}

/** What a class that is not there says, nobody knows. */
function reservationDemands(nodeClass: NodeClassWrapper | undefined): Demand[] {
  if (nodeClass === undefined) return [];
  const place = nodeClass.placeOf([RESERVATION_TERMS]);
  return withoutReservations(nodeClass.spec, [RESERVATION_TERMS]).map(({ requirement }) => ({
    from: "class",
    place,
    requirement,
  }));
}
