/** Checks each comparison of two policies: the relation by brute force, and each witness by `anp explain`. */
import { expect } from "vitest";
import { comparePolicies, type PolicyComparison } from "../../../src/analyze/diff/policies/compare-policies.ts";
import { admits, type PolicyTerms, termsOf } from "../../../src/analyze/diff/policies/policy-terms.ts";
import { type Witness, witnessWrapper } from "../../../src/analyze/diff/policies/policy-witness.ts";
import { explainPool } from "../../../src/analyze/explain/explain-pool.ts";
import type { InstanceTypes } from "../../../src/analyze/explain/remaining-types.ts";
import type { Catalogue } from "../../../src/karpenter/catalogue/catalogue.ts";
import { offeredTypes } from "../../../src/karpenter/catalogue/reserved-capacity.ts";
import { newerInstanceType } from "../../../src/analyze/explain/unknown-types.ts";
import { type EffectivePolicy, NO_POLICY } from "../../../src/resolve/policy.ts";
import { resolve } from "../../../src/resolve/resolve.ts";
import { makeBundle } from "../bundle.ts";
import { entry } from "../instance-types.ts";
import { bruteRelation, SMALL } from "./policy-pairs.ts";
import { policyManifest } from "./questions.ts";

export const policyOf = (entries: readonly string[]): EffectivePolicy => ({
  ...NO_POLICY,
  requirements: entries.map(entry),
});

export function checkPair([from, to]: readonly [readonly string[], readonly string[]]): PolicyComparison {
  const compared = comparePolicies(policyOf(from), policyOf(to), SMALL);
  const { relation, scope, gained, lost } = compared;
  expect(scope === "newer-types" ? "equivalent" : relation).toBe(bruteRelation(from, to));
  const needs = { gained: ["looser", "incomparable", "disjoint"], lost: ["tighter", "incomparable", "disjoint"] };
  if (scope !== "newer-types")
    expect({ gained: gained !== undefined, lost: lost !== undefined }).toStrictEqual({
      gained: needs.gained.includes(relation),
      lost: needs.lost.includes(relation),
    });
  if (gained !== undefined) checkWitness(gained, to, from, SMALL);
  if (lost !== undefined) checkWitness(lost, from, to, SMALL);
  return compared;
}

/** For a catalogue that cannot be enumerated: witnesses, and that results for all catalogues hold for another one. */
export function checkElsewhere(
  [from, to]: readonly [readonly string[], readonly string[]],
  { relation: known, scope }: PolicyComparison,
  catalogue: Catalogue,
): void {
  const knownTypes: InstanceTypes = { filter: offeredTypes(catalogue), profile: "hypershift" };
  const { relation, gained, lost } = comparePolicies(policyOf(from), policyOf(to), knownTypes);
  if (gained !== undefined) checkWitness(gained, to, from, knownTypes);
  if (lost !== undefined) checkWitness(lost, from, to, knownTypes);
  if (scope === "always" && ["equivalent", "tighter", "looser"].includes(known))
    expect([known, "equivalent"]).toContain(relation);
}

/** One policy admits the wrapper's node, the other does not. */
function checkWitness(
  witness: Witness,
  admitting: readonly string[],
  refusing: readonly string[],
  knownTypes: InstanceTypes,
): void {
  expect({ witness, gets: [gets(witness, admitting, knownTypes), gets(witness, refusing, knownTypes)] }).toStrictEqual({
    witness,
    gets: [true, false],
  });
}

function gets(
  { instanceType, label, fewerThan, asked }: Witness,
  policy: readonly string[],
  known: InstanceTypes,
): boolean {
  const bundle = makeBundle({
    "policy.json": JSON.stringify(policyManifest(policy)),
    "witness.json": JSON.stringify(witnessWrapper(asked)),
  });
  const [pool] = resolve(bundle, {}).pools;
  const knownTypes = instanceType === undefined ? newerInstanceType(known) : known;
  const { verdict, instanceTypes, requirements } = explainPool(pool!, knownTypes);
  if (verdict === "unsatisfiable" || verdict === "bypassed" || !instanceTypes.names.includes(instanceType ?? ""))
    return false;
  if (label === undefined || fewerThan !== undefined) return true;
  const terms: PolicyTerms = {
    ...termsOf(policyOf([]), knownTypes),
    merged: new Map(requirements.map(({ key, effective }) => [key, effective])),
  };
  return admits(terms.merged.get(label.key), label.value);
}
