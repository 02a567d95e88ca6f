/** How what one policy lets come relates to what another does, with a node that shows it. */
import { both, haveCommon } from "../../../karpenter/catalogue/type-mask.ts";
import { intersection, type Requirement } from "../../../karpenter/requirements/requirement.ts";
import type { EffectivePolicy } from "../../../resolve/policy.ts";
import type { Market } from "../../explain/remaining-types.ts";
import { knownSamples } from "./label-samples.ts";
import { admits, letsNodesCome, type PolicyTerms, termsOf, typesAdmitted } from "./policy-terms.ts";
import { findNewerWitness, findWitness, mayDiffer, type Witness } from "./policy-witness.ts";

/**
 * Of the second policy to the first: it lets the same come; less; more; nothing that the first does; or more of one
 * and less of another.
 */
export type Relation = "equivalent" | "tighter" | "looser" | "disjoint" | "incomparable";

/**
 * For which instance types the relation holds: `always`, whatever types there are; `catalogue`, those that it knows,
 * and another may come out otherwise; `newer-types`, only those that it does not know, and over the others the two are
 * equivalent.
 */
type Scope = "always" | "catalogue" | "newer-types";

export interface PolicyComparison {
  readonly relation: Relation;
  readonly scope: Scope;
  /** A node that comes under the second policy alone. */
  readonly gained: Witness | undefined;
  /** A node that comes under the first policy alone. */
  readonly lost: Witness | undefined;
}

/**
 * A policy is what it lets come for wrappers that ask for what they mean: such as get round it are refused
 * (docs/design.md#bypass). Root volumes are not looked at.
 */
export function comparePolicies(from: EffectivePolicy, to: EffectivePolicy, market: Market): PolicyComparison {
  const [old, now] = [termsOf(from, market), termsOf(to, market)];
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

/** A policy that lets nothing come is tighter than any, and apart from none. */
function haveCommonNodes(a: PolicyTerms, b: PolicyTerms): boolean {
  if (!letsNodesCome(a) || !letsNodesCome(b)) return true;
  const { filter } = a.market;
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
