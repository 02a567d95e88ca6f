/** In which zones and capacity types instance types are offered to those who ask for something. */
import type { Catalogue, Offering } from "../../../karpenter/catalogue/catalogue.ts";
import { indexesOf, type TypeMask } from "../../../karpenter/catalogue/type-mask.ts";
import { has } from "../../../karpenter/requirements/requirement.ts";
import { compatible, type Requirements } from "../../../karpenter/requirements/requirements.ts";

export const ZONE = "topology.kubernetes.io/zone";
export const CAPACITY_TYPE = "karpenter.sh/capacity-type";

/** @param known values that an offering may have which does not say its own */
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

/** Those that are available, each once. */
export function offeringsOf(types: TypeMask, { offerings }: Catalogue): Offering[] {
  const sets = new Set(indexesOf(types).map((type) => offerings.of[type]!));
  return [...sets].flatMap((set) => offerings.sets[set]!.filter(({ available }) => available));
}

/** Whether nodes that are asked for so may come of the offering. */
export function isOpenTo(asked: Requirements, offering: Offering, { wellKnown }: Catalogue): boolean {
  return offering.available && compatible(asked, offering.requirements, wellKnown) === undefined;
}
