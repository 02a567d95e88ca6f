/** What becomes of policies as plain data for programs. */
import type { Verdict } from "../../explain/explanation.ts";
import type { RootVolumeChange } from "./compare-root-volumes.ts";
import type { PolicyChange } from "./policy-changes.ts";
import type { Witness } from "./policy-witness.ts";
import { witnessWrapper } from "./witness-wrapper.ts";

/** What nobody knows, and what is not there, is null (docs/diff.md#policies). */
export interface DescribedPolicyChange {
  readonly hostedCluster?: string;
  readonly action: PolicyChange["action"];
  readonly relation: PolicyChange["relation"];
  readonly scope: PolicyChange["scope"];
  readonly catalogue: string;
  readonly witnesses: { readonly gained: DescribedWitness | null; readonly lost: DescribedWitness | null };
  readonly rootVolume: {
    readonly relation: RootVolumeChange["relation"];
    readonly from: object | null;
    readonly to: object | null;
  } | null;
  readonly pools: readonly {
    readonly name: string;
    readonly verdict: { readonly from: Verdict; readonly to: Verdict };
    readonly types: { readonly gained: number; readonly lost: number };
  }[];
}

interface DescribedWitness {
  readonly instanceType: string | null;
  readonly label: { readonly key: string; readonly value: string | null } | null;
  readonly fewerThan: number | null;
  readonly wrapper: object;
}

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
