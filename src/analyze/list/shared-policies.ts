/** Which hosted clusters extend a shared policy, and in what the others differ from it. */
import { identityOf } from "../../karpenter/catalogue/type-filter.ts";
import { formatRequirement, type Requirement } from "../../karpenter/requirements/requirement.ts";
import { requirementsOf } from "../../karpenter/requirements/requirements.ts";
import type { Bundle } from "../../model/inputs/bundle.ts";
import { extendsOf } from "../../model/inputs/extended-policies.ts";
import { memoizeByObject } from "../../model/schema/memoize.ts";
import { type EffectivePolicy, readPolicy } from "../../resolve/policy.ts";
import type { DescribedRepository } from "./doctor-answer.ts";

type SharedPolicy = DescribedRepository["sharedPolicies"][number];
type Difference = SharedPolicy["others"][number]["differences"][number];

/** Policies of their own are compared with the bases that most clusters extend: each with each would take too long. */
const MOST_BASES = 10;

interface Base {
  readonly file: string;
  readonly policy: EffectivePolicy;
  readonly extendedBy: readonly string[];
}

/** Each policy that a RenderConfig extends. A cluster with a policy of its own is listed once, at the nearest of them. */
export function sharedPolicies(bundles: readonly Bundle[]): SharedPolicy[] {
  const bases = basesOf(bundles);
  const compared = bases.toSorted((a, b) => b.extendedBy.length - a.extendedBy.length).slice(0, MOST_BASES);
  const others = bundles.flatMap((bundle) => {
    const policy = policyOf(bundle);
    if (policy === undefined || extendsOf(bundle.renderConfig) !== undefined) return [];
    const [nearest] = compared
      .map((base) => ({ base, differences: differencesOf(base.policy, policy) }))
      .toSorted((a, b) => a.differences.length - b.differences.length);
    return nearest === undefined ? [] : [{ ...nearest, bundle }];
  });
  const byBase = Map.groupBy(others, ({ base }) => base);
  return bases.map((base) => ({
    file: base.file,
    extendedBy: [...base.extendedBy],
    others: (byBase.get(base) ?? []).map(({ bundle, differences }) => ({
      hostedCluster: bundle.hostedCluster ?? null,
      file: bundle.policy?.document.source.file ?? "",
      differences,
    })),
  }));
}

/** In the order of the first clusters that extend them. */
function basesOf(bundles: readonly Bundle[]): Base[] {
  const extending = bundles.filter(({ policy, renderConfig }) => policy && extendsOf(renderConfig) !== undefined);
  const byFile = Map.groupBy(extending, ({ policy }) => policy!.document.source.file);
  return [...byFile].flatMap(([file, some]) => {
    const policy = policyOf(some[0]!);
    return policy === undefined ? [] : [{ file, policy, extendedBy: some.flatMap((one) => one.hostedCluster ?? []) }];
  });
}

const readOnce = memoizeByObject(readPolicy);

/** Undefined if there is none, or an invalid one. */
function policyOf({ policy }: Bundle): EffectivePolicy | undefined {
  return policy && readOnce(policy).value;
}

/** By meaning, so the order and the spelling of requirements do not count. */
function differencesOf(base: EffectivePolicy, own: EffectivePolicy): Difference[] {
  const [ofBase, ofOwn] = [requirementsOf(base.requirements), requirementsOf(own.requirements)];
  const keys = new Set([...ofBase.keys(), ...ofOwn.keys()]);
  const onLabels = [...keys].flatMap((key) => {
    const [theirs, mine] = [ofBase.get(key), ofOwn.get(key)];
    return isSame(theirs, mine) ? [] : [{ field: key, base: requirementText(theirs), own: requirementText(mine) }];
  });
  const [theirs, mine] = [base.rootVolume ?? {}, own.rootVolume ?? {}];
  const fields = ["volumeSize", "volumeType", "encrypted", "iops", "throughput"] as const;
  const ofVolume = fields.flatMap((field) =>
    theirs[field] === mine[field]
      ? []
      : [{ field: `rootVolume.${field}`, base: valueText(theirs[field]), own: valueText(mine[field]) }],
  );
  return [...onLabels, ...ofVolume];
}

function isSame(a: Requirement | undefined, b: Requirement | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return identityOf(a) === identityOf(b) && a.minValues === b.minValues;
}

function requirementText(requirement: Requirement | undefined): string | null {
  return requirement === undefined ? null : formatRequirement(requirement);
}

function valueText(value: string | number | boolean | undefined): string | null {
  return value === undefined ? null : String(value);
}
