/** Whether any wrapper at all could get round a policy: the policy and a catalogue in, the proof for each key out (karpenter.md 1.4). */
import { type LabelPresence, labelPresence } from "../karpenter/label-presence.ts";
import {
  admitsAbsence,
  formatRequirement,
  intersection,
  isEmpty,
  type Requirement,
  requirementOf,
} from "../karpenter/requirement.ts";
import { indexesOf, type TypeMask, without } from "../karpenter/type-mask.ts";
import type { TypeFilter } from "../karpenter/type-filter.ts";
import type { Resource } from "../krm/resource.ts";
import type { NodeSelectorRequirement } from "../model/requirement.ts";
import { type Demand, demandsOf } from "../render/demands.ts";
import { type RenderContext, renderContext } from "../render/render-context.ts";
import { type RenderOptions, settingsOf } from "../render/settings.ts";
import type { Bundle } from "../model/bundle.ts";
import { openWays, type Way } from "./open-ways.ts";

export interface Proof {
  readonly hostedCluster: string | undefined;
  /** Undefined: there is no policy, so there is nothing to get round. */
  readonly policy: { readonly keys: readonly KeyProof[]; readonly admitted: Admitted } | undefined;
  /** Ways to nodes that lead past the wrappers. */
  readonly ways: readonly Way[];
}

interface Admitted {
  readonly total: number;
  readonly names: readonly string[];
}

/**
 * `holds`: Karpenter itself never launches what the key's entries do not admit. `guarded`: Karpenter would, for the
 * wrapper entry shown; anp refuses to render such a wrapper, or blocks it (`policy-bypassed`). `void`: the policy's own
 * entries contradict each other on a label that may be absent, and Karpenter passes them all by.
 */
export interface KeyProof {
  readonly key: string;
  readonly presence: LabelPresence;
  readonly demands: readonly Demand[];
  readonly policy: Requirement;
  readonly result: "holds" | "guarded" | "void";
  readonly escape: Escape | undefined;
}

interface Escape {
  /** What a user would write. */
  readonly entry: NodeSelectorRequirement;
  /** What the merge becomes, in Karpenter's print form. */
  readonly effective: string;
  /** The instance types that it lets in and the policy does not; none for custom labels, which no type has. */
  readonly types: readonly string[];
}

/** Undefined for a hosted cluster whose policy or settings cannot be read: its findings are rendering's. */
export function prove(bundle: Bundle, options: RenderOptions, filter: TypeFilter): Proof | undefined {
  const settings = settingsOf(bundle, options).value;
  const context = settings && renderContext(bundle, settings).value;
  if (context === undefined) return undefined;
  const { resource } = context.policy;
  const policy = resource === undefined ? undefined : provePolicy(context, resource, filter);
  return { hostedCluster: bundle.hostedCluster, policy, ways: openWays(context) };
}

function provePolicy({ policy }: RenderContext, resource: Resource, filter: TypeFilter): Proof["policy"] {
  const groups = Map.groupBy(demandsOf(resource, [], {}, policy), ({ requirement }) => requirement.key);
  const keys = [...groups].map(([key, demands]) => proveKey(key, demands, filter));
  const admitted = filter.compatible(new Map(keys.map((proof) => [proof.key, proof.policy])));
  return { keys, admitted: { total: filter.catalogue.names.length, names: namesOf(admitted, filter) } };
}

/**
 * A label that is always there has a value on both sides, so a merge is never wider than the policy's own set. A label
 * that may be absent is lost once the merge becomes DoesNotExist or NotIn, and some entry makes it so unless the
 * policy itself admits its absence.
 */
function proveKey(key: string, demands: readonly Demand[], filter: TypeFilter): KeyProof {
  const policy = demands.map(({ requirement }) => requirement).reduce((a, b) => intersection(a, b));
  const presence = labelPresence(key, filter.catalogue);
  const base = { key, presence, demands, policy };
  const contradicts = isEmpty(policy) && !demands.some(({ requirement }) => isEmpty(requirement));
  if (presence !== "always" && contradicts) return { ...base, result: "void", escape: undefined };
  if (presence === "always" || admitsAbsence(policy)) return { ...base, result: "holds", escape: undefined };
  const entry: NodeSelectorRequirement = { key, operator: "DoesNotExist" };
  const effective = intersection(policy, requirementOf(entry));
  const of = (requirement: Requirement) => filter.compatible(new Map([[key, requirement]]));
  const letIn = presence === "custom" ? [] : namesOf(without(of(effective), of(policy)), filter);
  return { ...base, result: "guarded", escape: { entry, effective: formatRequirement(effective), types: letIn } };
}

function namesOf(types: TypeMask, { catalogue }: TypeFilter): string[] {
  return indexesOf(types).map((type) => catalogue.names[type]!);
}
