/** The changes of policies as plain data for programs. */
import type { DescribedPolicyChange, DescribedWitness } from "../diff-answer.ts";
import type { PolicyChange } from "./policy-changes.ts";
import type { Witness } from "./policy-witness.ts";
import { witnessWrapper } from "./witness-wrapper.ts";

export function describePolicyChange(change: PolicyChange): DescribedPolicyChange {
  const { hostedCluster, action, relation, scope, catalogueDate, gained, lost, rootVolume, pools } = change;
  return {
    ...(hostedCluster === undefined ? {} : { hostedCluster }),
    action,
    relation,
    scope,
    catalogue: catalogueDate,
    witnesses: { gained: describeWitness(gained), lost: describeWitness(lost) },
    rootVolume:
      rootVolume === undefined
        ? null
        : { relation: rootVolume.relation, from: rootVolume.from ?? null, to: rootVolume.to ?? null },
    pools,
  };
}

function describeWitness(witness: Witness | undefined): DescribedWitness | null {
  if (witness === undefined) return null;
  const { instanceType, label, fewerThan, asked } = witness;
  return {
    instanceType: instanceType ?? null,
    label: label === undefined ? null : { key: label.key, value: label.value ?? null },
    fewerThan: fewerThan ?? null,
    wrapper: witnessWrapper(asked),
  };
}
