/** Resolves a pool for rendering and analysis: its demands, and their merge for each label. */
import { canGenerateValue } from "../karpenter/requirements/generated-value.ts";
import type { KnownLabels } from "../karpenter/requirements/label-presence.ts";
import type { MergedKey } from "../karpenter/requirements/merged-key.ts";
import { type NoNodes, noNodesOf } from "../karpenter/scheduling/no-nodes.ts";
import { type Requirement, requirementOf } from "../karpenter/requirements/requirement.ts";
import { AWS, RESERVATION_TERMS, withoutReservations } from "../karpenter/provider/aws.ts";
import { foreignLabel } from "../karpenter/provider/providers.ts";
import type { Provider } from "../karpenter/provider/provider.ts";
import type { Finding, Outcome, Words } from "../krm/findings/finding.ts";
import type { Resource } from "../krm/places/resource.ts";
import type { InputMode } from "../model/objects/input-mode.ts";
import { PLACEMENT_GROUP_ID } from "../model/requirements/labels.ts";
import { isUnknownAt } from "../model/objects/placeholders.ts";
import { recordIn } from "../model/objects/marks.ts";
import { boundPool } from "./bound-pool.ts";
import { ownIndexes } from "./guarded-list.ts";
import { amisOf, type ResolvedInputs } from "./inputs.ts";
import { mergeGroup, type PoolRequirement, poolRequirements, rawPoolRequirements } from "./pool-requirements.ts";
import type { Place } from "./origin.ts";
import type { EffectivePolicy } from "./policy.ts";
import type { NodeClassWrapper } from "./read-node-class.ts";
import type { NodePoolWrapper } from "./read-node-pool.ts";
import type { ReadRawPool } from "./read-raw-pool.ts";
import { NO_CLASS, type NodeClassRef, resolveNodeClassRef } from "./resolve-node-class-ref.ts";

/** The merge of the demands on one label key, without a catalogue. */
export interface MergedGroup extends MergedKey {
  readonly demands: readonly PoolRequirement[];
  /** Karpenter would fail to generate a number for the label and panic (docs/upstream/karpenter.md#generated-values). */
  readonly lethal: boolean;
}

/** A demand on a label of another provider. */
interface ForeignLabel extends Words {
  readonly demand: PoolRequirement;
}

export interface PlacedNoNodes extends Omit<NoNodes, "path"> {
  readonly place: Place;
}

export interface ResolvedPool extends NodePoolWrapper {
  readonly mode: InputMode;
  readonly name: string;
  readonly hostedCluster: string | undefined;
  readonly wrapper: Resource;
  /** The provider of its nodes. */
  readonly provider: Provider;
  readonly nodeClassRef: NodeClassRef;
  /** Undefined if the class is not among the inputs, or invalid. */
  readonly nodeClass: Resource | undefined;
  /** Undefined without a policy. */
  readonly policy: Resource | undefined;
  /** Policy entries, the user's entries, template labels, in this order. */
  readonly asked: readonly PoolRequirement[];
  /** The merge of `asked` for each label key, in the order of its first demand. */
  readonly merged: readonly MergedGroup[];
  /** `asked`, and what the node class requires. */
  readonly demands: readonly PoolRequirement[];
  /** Architectures of the class's images and zones of its subnets. */
  readonly needs: readonly PoolRequirement[];
  /**
   * Requirements of the class on reservations and its placement group; part of `demands` only if the pool has entries
   * on them.
   */
  readonly reservations: readonly PoolRequirement[];
  /** The pool's own entries and labels on labels of another provider. */
  readonly foreign: readonly ForeignLabel[];
  /** Reasons that hold for any instance type. */
  readonly noNodes: readonly PlacedNoNodes[];
  /** Whether anp blocks a pool that would bypass the policy, or refuses to render it (docs/design.md#bypass). */
  readonly onBypass: "Fail" | "Block";
  /** Findings on the wrapper and its references. */
  readonly findings: readonly Finding[];
}

interface Surroundings {
  readonly hostedCluster: string | undefined;
  readonly inputs: ResolvedInputs;
  /** By name. */
  readonly classes: ReadonlyMap<string, NodeClassWrapper | undefined>;
}

/** Undefined if the wrapper is invalid. */
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
    asked: poolRequirements(wrapper, template.spec.requirements ?? [], read.labels, inputs.policy, inputs.settings),
    needs: imageRequirements(nodeClassRef.name, inputs),
    reservations: reservationRequirements(nodeClass),
    onBypass: inputs.settings.onBypass,
    findings: [...onReading, ...onReference],
  };
  return withMerges(pool);
}

/**
 * A NodePool that users of a hosted cluster write, with the class that its wrapper renders to. Undefined if invalid.
 *
 * @param made the objects that HyperShift's operator made: the status of a class lists the zones of its subnets
 */
export function resolveRawPool(
  { resource: wrapper, value: read, findings: onReading }: ReadRawPool,
  { hostedCluster, inputs, classes, made }: Surroundings & { readonly made: readonly Resource[] },
): ResolvedPool | undefined {
  if (read === undefined) return undefined;
  const { policy, settings } = inputs;
  const { nodeClassRef = NO_CLASS } = read.spec.template.spec;
  const nodeClass = classes.get(nodeClassRef.name);
  const own = settings.inferred ? undefined : ownPart(wrapper, read.spec, policy);
  const bounded = boundPool(wrapper, own?.spec ?? read.spec, settings);
  const { requirements = [] } = bounded.spec.template.spec;
  return withMerges({
    ...read,
    ...bounded,
    mode: "shipped",
    name: wrapper.name,
    hostedCluster,
    wrapper,
    provider: AWS,
    nodeClassRef,
    nodeClass: nodeClass?.wrapper,
    policy: policy.resource,
    asked:
      own === undefined
        ? rawPoolRequirements(wrapper, requirements, read.labels)
        : poolRequirements(wrapper, requirements, read.labels, policy, undefined, own.indexes),
    needs: [...imageRequirements(nodeClassRef.name, inputs), ...zonesOf(nodeClassRef, made)],
    reservations: reservationRequirements(nodeClass),
    onBypass: settings.onBypass,
    findings: [...onReading, ...bounded.findings],
  });
}

/** The part of a NodePool that is its author's, below the policy's entries of an earlier rendering or of a guard. */
function ownPart(pool: Resource, spec: NodePoolWrapper["spec"], policy: EffectivePolicy) {
  const { requirements = [], ...rest } = spec.template.spec;
  const indexes = ownIndexes(requirements, policy.requirements, recordIn(pool.value));
  const own = indexes.map((index) => requirements[index]!);
  return { spec: { ...spec, template: { ...spec.template, spec: { ...rest, requirements: own } } }, indexes };
}

/** The zones of the class's subnets, if it was read from a cluster. */
function zonesOf({ kind, name }: NodeClassRef, made: readonly Resource[]): PoolRequirement[] {
  const resource = made.find((one) => one.kind === kind && one.name === name);
  if (resource === undefined) return [];
  return AWS.classRequirements(resource.value)
    .filter(({ path }) => path[0] === "status" && path[1] === "subnets")
    .map(({ path, requirement }) => ({ from: "class", place: { resource, path }, requirement }));
}

const MISMATCH = "provider-mismatch" as const;

/** The pool as if this policy applied to it. */
export function poolUnder(pool: ResolvedPool, policy: EffectivePolicy): ResolvedPool {
  const asked = poolRequirements(pool.wrapper, pool.spec.template.spec.requirements ?? [], pool.labels, policy);
  return withMerges({ ...pool, policy: policy.resource, asked });
}

/** A NodePool that a user writes, without what rendering adds to it. */
export function poolAsWritten(pool: ResolvedPool): ResolvedPool {
  const { wrapper, given, labels } = pool;
  const asked = rawPoolRequirements(wrapper, given.template.spec.requirements ?? [], labels);
  return withMerges({ ...pool, spec: given, policy: undefined, asked });
}

export const NODE_CLASS_GROUP = ["spec", "template", "spec", "nodeClassRef", "group"];

/** Merges the demands on a pool. */
export function withMerges(pool: UnmergedPool): ResolvedPool {
  const { asked, needs, reservations, provider, wrapper } = pool;
  const groups = Map.groupBy(asked, ({ requirement }) => requirement.key);
  const { template, limits } = pool.spec;
  const own = isUnknownAt(wrapper, NODE_CLASS_GROUP) ? [] : asked.filter(({ from }) => from !== "policy");
  const foreign = own.flatMap((demand): ForeignLabel[] => {
    const words = foreignLabel(demand.requirement.key, provider);
    return words === undefined ? [] : [{ demand, ...words }];
  });
  const noNodes = noNodesOf({ ...pool, limits, expireAfter: template.spec.expireAfter }).filter(
    ({ path }) => !isUnknownAt(wrapper, path),
  );
  return {
    ...pool,
    foreign,
    merged: [...groups].map(([key, demands]) => mergedOf(pool, key, demands)),
    demands: [...asked, ...needs, ...reservations.filter(({ requirement }) => groups.has(requirement.key))],
    noNodes: [
      ...noNodes.map(({ path, ...one }) => ({ ...one, place: { resource: wrapper, path } })),
      // A raw pool still gets nodes; a wrapper with such an entry is not rendered.
      ...(pool.mode !== "hosted"
        ? []
        : foreign.map(({ demand, ...words }) => ({ code: MISMATCH, place: demand.place, ...words }))),
    ],
  };
}

type UnmergedPool = Omit<ResolvedPool, "merged" | "demands" | "foreign" | "noNodes">;

/** @param known the labels that a catalogue knows */
export function mergedIn(
  pool: UnmergedPool,
  key: string,
  demands: readonly PoolRequirement[],
  known: KnownLabels,
): MergedKey {
  return mergeGroup(key, demands, { isStatic: pool.replicas !== undefined, ofClass: labelOfClass(pool, key) }, known);
}

/** The class's requirement on a label; undefined if unknown. */
export function labelOfClass({ reservations, mode, nodeClass }: UnmergedPool, key: string): Requirement | undefined {
  const own = reservations.find(({ requirement }) => requirement.key === key)?.requirement;
  // Classes of hosted clusters are never in a placement group. A class in one may have partitions.
  const isInGroup = reservations.some(({ requirement }) => requirement.key === PLACEMENT_GROUP_ID);
  const isInNone = mode !== "raw" || (nodeClass !== undefined && !isInGroup);
  return own ?? (isInNone ? requirementOf({ key, operator: "DoesNotExist" }) : undefined);
}

function mergedOf(pool: UnmergedPool, key: string, demands: readonly PoolRequirement[]): MergedGroup {
  const merged = mergedIn(pool, key, demands, pool.provider.labels);
  const lethal = merged.presence === "custom" && !canGenerateValue(merged.effective);
  return { ...merged, demands, lethal };
}

/** A node needs an image of its architecture (provider: amifamily, MapToInstanceTypes). */
export function imageRequirements(nodeClass: string, inputs: ResolvedInputs): PoolRequirement[] {
  const amis = amisOf(nodeClass, inputs);
  const [first] = amis;
  if (first === undefined) return [];
  const values = amis.map(({ arch }) => arch);
  const requirement = requirementOf({ key: "kubernetes.io/arch", operator: "In", values });
  return [{ from: "class", place: first.ami.from, requirement }];
}

/** A missing class has unknown requirements. */
function reservationRequirements(nodeClass: NodeClassWrapper | undefined): PoolRequirement[] {
  if (nodeClass === undefined) return [];
  const place = nodeClass.placeOf([RESERVATION_TERMS]);
  return withoutReservations(nodeClass.spec, [RESERVATION_TERMS]).map(({ requirement }) => ({
    from: "class",
    place,
    requirement,
  }));
}
