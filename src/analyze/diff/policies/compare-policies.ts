/** Compares the nodes that two policies admit, with an example node for each difference. */
import { both, haveCommon } from "../../../karpenter/catalogue/type-mask.ts";
import { intersection, type Requirement } from "../../../karpenter/requirements/requirement.ts";
import type { EffectivePolicy } from "../../../resolve/policy.ts";
import type { InstanceTypes } from "../../explain/remaining-types.ts";
import { knownSamples } from "./label-samples.ts";
import { admits, admitsAnyNode, type PolicyTerms, termsOf, typesAdmitted } from "./policy-terms.ts";
import { findNewerWitness, findWitness, mayDiffer, type Witness } from "./policy-witness.ts";

/**
 * The second policy compared with the first. It admits the same nodes; fewer; more; no node that the first admits; or
 * both more and fewer.
 */
export type Relation = "equivalent" | "tighter" | "looser" | "disjoint" | "incomparable";

/**
 * The instance types for which the relation holds. `always`: any. `catalogue`: those of the catalogue; others may
 * differ. `newer-types`: only those that the catalogue lacks; for the others the policies are equivalent.
 */
type Scope = "always" | "catalogue" | "newer-types";

export interface PolicyComparison {
  readonly relation: Relation;
  readonly scope: Scope;
  /** A node that only the second policy admits. */
  readonly gained: Witness | undefined;
  /** A node that only the first policy admits. */
  readonly lost: Witness | undefined;
}

/**
 * Compares the nodes that valid wrappers can get. Wrappers that bypass a policy are refused (docs/design.md#bypass).
 * Root volumes are not compared.
 */
export function comparePolicies(
  from: EffectivePolicy,
  to: EffectivePolicy,
  knownTypes: InstanceTypes,
): PolicyComparison {
  const [old, now] = [termsOf(from, knownTypes), termsOf(to, knownTypes)];
  const [gained, lost] = [findWitness(now, old), findWitness(old, now)];
  const [mayGain, mayLose] = [mayDiffer(now, old), mayDiffer(old, now)];
  if (gained !== undefined && lost !== undefined)
    return { relation: haveCommonNodes(old, now) ? "incomparable" : "disjoint", scope: "always", gained, lost };
  if (gained !== undefined) return { relation: "looser", scope: mayLose ? "catalogue" : "always", gained, lost };
  if (lost !== undefined) return { relation: "tighter", scope: mayGain ? "catalogue" : "always", gained, lost };
  if (mayGain === mayLose) return { relation: "equivalent", scope: mayGain ? "catalogue" : "always", gained, lost };
  return mayGain
    ? { relation: "looser", scope: "newer-types", gained: findNewerWitness(now, old), lost }
    : { relation: "tighter", scope: "newer-types", gained, lost: findNewerWitness(old, now) };
}

/** A policy that admits no node is tighter than any other, and never disjoint. */
function haveCommonNodes(a: PolicyTerms, b: PolicyTerms): boolean {
  if (!admitsAnyNode(a) || !admitsAnyNode(b)) return true;
  const { filter } = a.knownTypes;
  const together = new Map<string, Requirement>([...a.merged, ...b.merged]);
  for (const [key, requirement] of a.merged) {
    const other = b.merged.get(key);
    if (other === undefined) continue;
    const samples = [undefined, ...knownSamples(key, [requirement, other], filter.catalogue)];
    if (!samples.some((value) => admits(requirement, value) && admits(other, value))) return false;
    together.set(key, intersection(requirement, other));
  }
  const [ofA, ofB] = [typesAdmitted(a, []), typesAdmitted(b, [])];
  return haveCommon(both(ofA, ofB), typesAdmitted({ ...a, merged: together }, []));
}
