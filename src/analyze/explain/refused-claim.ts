/** NodeClaims that Karpenter creates and the API server refuses because of minValues. */
import { CAPACITY_TYPE } from "../../model/requirements/label-keys.ts";
import type { Catalogue } from "../../karpenter/catalogue/catalogue.ts";
import { intersection, type Requirement, requirementOf } from "../../karpenter/requirements/requirement.ts";
import { addRequirements, compatible, type Requirements } from "../../karpenter/requirements/requirements.ts";
import { indexesOf, type TypeMask } from "../../karpenter/catalogue/type-mask.ts";

/**
 * The number of values that the NodeClaim would list, for each key with fewer than minValues. The API server refuses
 * such a NodeClaim. Karpenter counts the values of the instance types (before 1.15 even values that no requirement
 * allows), but the CRD's rule counts the list. Karpenter retries forever and never tries another pool (seen with
 * 1.14.1; test/suites/karpenter).
 */
export function refusedKeys(
  types: TypeMask,
  requirements: Requirements,
  ofClass: Requirements,
  catalogue: Catalogue,
): ReadonlyMap<string, number> {
  const asking = [...requirements.values()].filter(({ minValues }) => minValues !== undefined);
  const refused = asking.flatMap((requirement): [string, number][] => {
    const { complement, values } = asWritten(requirement, types, addRequirements(requirements, ofClass), catalogue);
    const few = !complement && values.size > 0 && values.size < requirement.minValues!;
    return few ? [[requirement.key, values.size]] : [];
  });
  return new Map(refused);
}

/**
 * Karpenter lists the capacity types of the remaining offerings instead of the requested ones (nodeclaimtemplate.go).
 */
function asWritten(
  requirement: Requirement,
  types: TypeMask,
  offered: Requirements,
  { offerings, wellKnown }: Catalogue,
): Requirement {
  if (requirement.key !== CAPACITY_TYPE) return requirement;
  const sets = new Set(indexesOf(types).map((type) => offerings.sets[offerings.of[type]!]!));
  const left = [...sets]
    .flat()
    .filter((offering) => offering.available && compatible(offered, offering.requirements, wellKnown) === undefined);
  const values = left.flatMap((offering) => [...(offering.requirements.get(CAPACITY_TYPE)?.values ?? [])]);
  if (values.length === 0) return offered.get(CAPACITY_TYPE)!;
  return intersection(requirement, requirementOf({ key: CAPACITY_TYPE, operator: "In", values }));
}
