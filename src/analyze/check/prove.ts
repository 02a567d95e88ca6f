/** Proves for each label key of a policy whether any wrapper could bypass it. */
import type { TypeFilter } from "../../karpenter/catalogue/type-filter.ts";
import { indexesOf, type TypeMask, without } from "../../karpenter/catalogue/type-mask.ts";
import { type LabelPresence, labelPresence } from "../../karpenter/requirements/label-presence.ts";
import { misfitOfPolicy } from "../../karpenter/requirements/merged-key.ts";
import {
  admitsAbsence,
  formatRequirement,
  intersection,
  isEmpty,
  type Requirement,
  requirementOf,
  sortedValues,
} from "../../karpenter/requirements/requirement.ts";
import { mergedByKey, type Requirements } from "../../karpenter/requirements/requirements.ts";
import { type FileLine, fileLineOf } from "../../krm/places/location.ts";
import type { Resource } from "../../krm/places/resource.ts";
import type { NodeSelectorRequirement } from "../../model/requirements/requirement.ts";
import { memoizeByObject } from "../../model/schema/memoize.ts";
import type { ResolvedInputs } from "../../resolve/inputs.ts";
import type { Place } from "../../resolve/origin.ts";
import { type PoolRequirement, poolRequirements } from "../../resolve/pool-requirements.ts";
import type { ResolvedCluster } from "../../resolve/resolved-cluster.ts";
import {
  type Assumption,
  assumptionsOf,
  type BypassPath,
  bypassPaths,
  type Escape,
  type KeyProof,
  podBypassPaths,
} from "./bypass-paths.ts";
import type { DescribedKeyProof, DescribedProof } from "./check-answer.ts";
import { type RunningNodes, runningNodes } from "./running-nodes.ts";

interface Proof {
  readonly hostedCluster: string | undefined;
  /** What enforces the policy on users' NodePools: undefined if they write none, null if nothing is known to. */
  readonly enforcedBy: "Render" | "Admission" | null | undefined;
  /** Undefined without a policy. */
  readonly policy: { readonly keys: readonly KeyProof[]; readonly admitted: Admitted } | undefined;
  /** Ways to get nodes without the wrappers. */
  readonly ways: readonly BypassPath[];
  /** How long existing nodes may stay; undefined without a policy. */
  readonly running: RunningNodes | undefined;
  /** The assumptions of the proof, which the input cannot show. */
  readonly assumptions: readonly Assumption[];
}

interface Admitted {
  readonly total: number;
  readonly names: readonly string[];
}

/** Undefined if the policy or the RenderConfig cannot be read, which rendering reports. See docs/design.md#bypass. */
export function prove({ bundle, inputs, pools }: ResolvedCluster, filter: TypeFilter): Proof | undefined {
  if (inputs === undefined) return undefined;
  const { resource } = inputs.policy;
  const { nodePools, enforcedBy: how = null } = inputs.settings;
  const enforcedBy = nodePools === "Raw" ? how : undefined;
  const policy = resource === undefined ? undefined : provePolicy(inputs, resource, filter);
  const guarded = policy?.keys.some(({ result }) => result === "guarded") === true;
  const assumptions = policy === undefined ? [] : assumptionsOf(inputs, guarded);
  const ways = [...podBypassPaths(policy?.keys ?? []), ...bypassPaths(inputs)];
  const running = policy === undefined ? undefined : runningNodes(pools, inputs.settings);
  return { hostedCluster: bundle.hostedCluster, enforcedBy, policy, running, ways, assumptions };
}

/** Equal policies have one proof, each with its own places. */
function provePolicy({ policy }: ResolvedInputs, resource: Resource, filter: TypeFilter): Proof["policy"] {
  const groups = Map.groupBy(poolRequirements(resource, [], {}, policy), ({ requirement }) => requirement.key);
  const known = provenWith(filter);
  const text = JSON.stringify(policy.requirements);
  const proven = known.get(text) ?? proveKeys(groups, mergedByKey(policy.requirements.map(requirementOf)), filter);
  known.set(text, proven);
  return { ...proven, keys: proven.keys.map((proof) => ({ ...proof, demands: groups.get(proof.key)! })) };
}

type ProvenPolicy = NonNullable<Proof["policy"]>;

const provenWith = memoizeByObject((_filter: TypeFilter) => new Map<string, ProvenPolicy>());

function proveKeys(
  groups: ReadonlyMap<string, readonly PoolRequirement[]>,
  merged: Requirements,
  filter: TypeFilter,
): ProvenPolicy {
  const keys = [...groups].map(([key, demands]) => proveKey(key, demands, merged, filter));
  const admitted = filter.compatible(merged);
  return { keys, admitted: { total: filter.catalogue.names.length, names: namesOf(admitted, filter) } };
}

/**
 * Every instance type has a value for an `always` label, so a merge never admits more than the policy. A label that may
 * be absent is bypassed if the merge becomes DoesNotExist or NotIn. Some entry achieves that, unless the policy itself
 * admits the absence. In that case a template label can have an excluded value.
 */
function proveKey(key: string, demands: readonly PoolRequirement[], all: Requirements, filter: TypeFilter): KeyProof {
  const policy = all.get(key)!;
  const presence = labelPresence(key, filter.catalogue);
  const base = { key, presence, demands, policy, escape: undefined, misfit: undefined };
  if (presence === "always") return { ...base, result: "holds" };
  if (isEmpty(policy) && !demands.some(({ requirement }) => isEmpty(requirement))) return { ...base, result: "void" };
  // No class of a hosted cluster is in a placement group.
  const ofClass = requirementOf({ key, operator: "DoesNotExist" });
  const misfit = misfitOfPolicy(policy, all, filter.catalogue, { ofClass });
  if (misfit !== undefined) return { ...base, result: "leaks", misfit };
  return { ...base, result: "guarded", escape: escapeFrom(policy, presence, filter) };
}

function escapeFrom(policy: Requirement, presence: LabelPresence, filter: TypeFilter): Escape {
  const { key } = policy;
  if (admitsAbsence(policy)) {
    const value = sortedValues(policy)[0] ?? "";
    const effective = intersection(policy, requirementOf({ key, operator: "In", values: [value] }));
    return { label: { key, value }, effective: formatRequirement(effective), types: [] };
  }
  const entry: NodeSelectorRequirement = { key, operator: "DoesNotExist" };
  const effective = intersection(policy, requirementOf(entry));
  const of = (requirement: Requirement) => filter.compatible(new Map([[key, requirement]]));
  const letIn = presence === "custom" ? [] : namesOf(without(of(effective), of(policy)), filter);
  return { entry, effective: formatRequirement(effective), types: letIn };
}

function namesOf(types: TypeMask, { catalogue }: TypeFilter): string[] {
  return indexesOf(types).map((type) => catalogue.names[type]!);
}

/** Requirements are in Karpenter's print form, places are file and line. */
export function describeProof({
  hostedCluster,
  enforcedBy,
  policy,
  running,
  ways,
  assumptions,
}: Proof): DescribedProof {
  const keys = policy?.keys.map(describeKey) ?? [];
  const names = policy?.admitted.names ?? [];
  return {
    hostedCluster,
    result: resultOf(policy !== undefined, keys, ways),
    ...(enforcedBy === undefined ? {} : { enforcedBy }),
    keys,
    admitted: { total: policy?.admitted.total ?? 0, compatible: names.length, names },
    ...(running === undefined
      ? {}
      : {
          running: {
            witness: running.witness ?? null,
            ...(running.bounds.length === 0 ? {} : { bounds: running.bounds.map(describePlace) }),
            until: running.until ?? null,
            pools: running.pools.map(describePlace),
          },
        }),
    ways: ways.map(describePlace),
    assumptions: assumptions.map(describePlace),
  };
}

function describePlace<T extends { readonly place: Place | undefined }>({
  place,
  ...rest
}: T): Omit<T, "place"> & Partial<FileLine> {
  return { ...rest, ...(place === undefined ? {} : fileLineOf(place.resource, place.path)) };
}

function resultOf(
  policy: boolean,
  keys: readonly DescribedKeyProof[],
  ways: readonly BypassPath[],
): DescribedProof["result"] {
  if (!policy) return "no-policy";
  if (ways.some(({ who }) => who === "open") || keys.some(isOpen)) return "open";
  return keys.some(({ result }) => result === "guarded") ? "guarded" : "holds";
}

function isOpen({ result }: DescribedKeyProof): boolean {
  return result === "void" || result === "leaks";
}

function describeKey({ key, presence, demands, policy, result, escape, misfit }: KeyProof): DescribedKeyProof {
  const places = demands.map(({ place }) => fileLineOf(place.resource, place.path));
  const base = { key, presence, result, policy: formatRequirement(policy), places };
  if (misfit !== undefined) return { ...base, nodesGet: { value: misfit.value ?? null, always: misfit.always } };
  if (escape === undefined) return base;
  const { types, ...written } = escape;
  return { ...base, escape: { ...written, types: types.length, names: types } };
}
