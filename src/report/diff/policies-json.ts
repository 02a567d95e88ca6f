/** What becomes of policies as plain data for programs. */
import { witnessWrapper } from "../../analyze/diff/policies/witness-wrapper.ts";
import type { PolicyChange } from "../../analyze/diff/policies/policy-changes.ts";
import type { Witness } from "../../analyze/diff/policies/policy-witness.ts";

/** What nobody knows, and what is not there, is null (docs/diff.md#policies). */
export function policyJson(change: PolicyChange): object {
  const { hostedCluster, action, relation, scope, catalogueDate, gained, lost, rootVolume, pools } = change;
  return {
    ...(hostedCluster === undefined ? {} : { hostedCluster }),
    action,
    relation,
    scope,
    catalogue: catalogueDate,
    witnesses: { gained: witnessJson(gained), lost: witnessJson(lost) },
    rootVolume:
      rootVolume === undefined
        ? null
        : { relation: rootVolume.relation, from: rootVolume.from ?? null, to: rootVolume.to ?? null },
    pools,
  };
}

function witnessJson(witness: Witness | undefined): object | null {
  if (witness === undefined) return null;
  const { instanceType, label, fewerThan, asked } = witness;
  return {
    instanceType: instanceType ?? null,
    label: label === undefined ? null : { key: label.key, value: label.value ?? null },
    fewerThan: fewerThan ?? null,
    wrapper: witnessWrapper(asked),
  };
}
