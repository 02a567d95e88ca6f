/** The zones and capacity types in which instance types are offered for given requirements. */
import type { Catalogue, Offering } from "../../../karpenter/catalogue/catalogue.ts";
import { indexesOf, type TypeMask } from "../../../karpenter/catalogue/type-mask.ts";
import { has } from "../../../karpenter/requirements/requirement.ts";
import { compatible, type Requirements } from "../../../karpenter/requirements/requirements.ts";

export const ZONE = "topology.kubernetes.io/zone";
export const CAPACITY_TYPE = "karpenter.sh/capacity-type";

/** @param known possible values for offerings without one */
export function placesOffered(
  key: string,
  types: TypeMask,
  asked: Requirements,
  catalogue: Catalogue,
  known: readonly string[],
): ReadonlySet<string> {
  const requirement = asked.get(key);
  const found = new Set<string>();
  for (const offering of offeringsOf(types, catalogue)) {
    if (!isOpenTo(asked, offering, catalogue)) continue;
    for (const value of offering.requirements.get(key)?.values ?? known) {
      if (requirement === undefined || has(requirement, value)) found.add(value);
    }
  }
  return found;
}

/** The available offerings of the types, each once. */
export function offeringsOf(types: TypeMask, { offerings }: Catalogue): Offering[] {
  const sets = new Set(indexesOf(types).map((type) => offerings.of[type]!));
  return [...sets].flatMap((set) => offerings.sets[set]!.filter(({ available }) => available));
}

/** Whether nodes with these requirements may use the offering. */
export function isOpenTo(asked: Requirements, offering: Offering, { wellKnown }: Catalogue): boolean {
  return offering.available && compatible(asked, offering.requirements, wellKnown) === undefined;
}
