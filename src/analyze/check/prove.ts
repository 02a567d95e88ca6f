/** Whether any wrapper at all could get round a policy, key by key. */
import { type LabelPresence, labelPresence } from "../../karpenter/requirements/label-presence.ts";
import { policyMisfit } from "../../karpenter/requirements/merged-key.ts";
import type { Misfit } from "../../karpenter/requirements/node-label.ts";
import {
  admitsAbsence,
  formatRequirement,
  intersection,
  isEmpty,
  type Requirement,
  requirementOf,
  sortedValues,
} from "../../karpenter/requirements/requirement.ts";
import { indexesOf, type TypeMask, without } from "../../karpenter/catalogue/type-mask.ts";
import type { TypeFilter } from "../../karpenter/catalogue/type-filter.ts";
import type { Resource } from "../../krm/resource.ts";
import type { NodeSelectorRequirement } from "../../model/requirement.ts";
import { type Demand, demandsOf } from "../../resolve/demands.ts";
import type { ResolvedInputs } from "../../resolve/inputs.ts";
import type { ResolvedCluster } from "../../resolve/resolved-cluster.ts";
import { openWays, podWays, type Way } from "./open-ways.ts";
import { type Assumption, assumptionsOf } from "./proof-assumptions.ts";
import { type RunningNodes, runningNodes } from "./running-nodes.ts";

export interface Proof {
  readonly hostedCluster: string | undefined;
  /** Undefined: there is no policy, so there is nothing to get round. */
  readonly policy: { readonly keys: readonly KeyProof[]; readonly admitted: Admitted } | undefined;
  /** Ways to nodes that lead past the wrappers. */
  readonly ways: readonly Way[];
  /** Of nodes that run already; undefined where there is no policy that they could fail to fit. */
  readonly running: RunningNodes | undefined;
  /** What has to be so besides, and what nothing in the input can show. */
  readonly assumptions: readonly Assumption[];
}

interface Admitted {
  readonly total: number;
  readonly names: readonly string[];
}

/**
 * `holds`: Karpenter itself never launches what the key's entries do not admit. `guarded`: Karpenter would, for the
 * wrapper shown; anp refuses to render such a wrapper, or blocks it (`policy-bypassed`). `void`: the policy's own
 * entries contradict each other on a label that may be absent, and Karpenter passes them all by. `leaks`: they make
 * Karpenter give nodes a label that they do not admit.
 */
export interface KeyProof {
  readonly key: string;
  readonly presence: LabelPresence;
  readonly demands: readonly Demand[];
  readonly policy: Requirement;
  readonly result: "holds" | "guarded" | "void" | "leaks";
  readonly escape: Escape | undefined;
  /** Of `leaks`. */
  readonly misfit: Misfit | undefined;
}

interface Escape {
  /** What a user would write among the requirements, */
  readonly entry?: NodeSelectorRequirement;
  /** or among the labels of the template. */
  readonly label?: { readonly key: string; readonly value: string };
  /** What the merge becomes, in Karpenter's print form. */
  readonly effective: string;
  /** The instance types that it lets in and the policy does not; none for custom labels, which no type has. */
  readonly types: readonly string[];
}

/**
 * Undefined for a hosted cluster whose policy or settings cannot be read: its findings are rendering's. See
 * docs/design.md#bypass.
 */
export function prove({ bundle, inputs, pools }: ResolvedCluster, filter: TypeFilter): Proof | undefined {
  if (inputs === undefined) return undefined;
  const { resource } = inputs.policy;
  const policy = resource === undefined ? undefined : provePolicy(inputs, resource, filter);
  const guarded = policy?.keys.some(({ result }) => result === "guarded") === true;
  const assumptions = policy === undefined ? [] : assumptionsOf(inputs, guarded);
  const ways = [...podWays(policy?.keys ?? []), ...openWays(inputs)];
  const running = policy === undefined ? undefined : runningNodes(pools, inputs.settings);
  return { hostedCluster: bundle.hostedCluster, policy, running, ways, assumptions };
}

function provePolicy({ policy }: ResolvedInputs, resource: Resource, filter: TypeFilter): Proof["policy"] {
  const groups = Map.groupBy(demandsOf(resource, [], {}, policy), ({ requirement }) => requirement.key);
  const keys = [...groups].map(([key, demands]) => proveKey(key, demands, filter));
  const admitted = filter.compatible(new Map(keys.map((proof) => [proof.key, proof.policy])));
  return { keys, admitted: { total: filter.catalogue.names.length, names: namesOf(admitted, filter) } };
}

/**
 * A label that is always there has a value on both sides, so a merge is never wider than the policy's own set. A label
 * that may be absent is lost once the merge becomes DoesNotExist or NotIn, and some entry makes it so unless the
 * policy itself admits its absence; then a template label has what the policy excludes.
 */
function proveKey(key: string, demands: readonly Demand[], filter: TypeFilter): KeyProof {
  const policy = demands.map(({ requirement }) => requirement).reduce((a, b) => intersection(a, b));
  const presence = labelPresence(key, filter.catalogue);
  const base = { key, presence, demands, policy, escape: undefined, misfit: undefined };
  if (presence === "always") return { ...base, result: "holds" };
  if (isEmpty(policy) && !demands.some(({ requirement }) => isEmpty(requirement))) return { ...base, result: "void" };
  const misfit = policyMisfit(policy, filter.catalogue);
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
