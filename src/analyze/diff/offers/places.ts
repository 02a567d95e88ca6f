/** In which zones and capacity types instance types are offered to those who ask for something. */
import type { Catalogue, Offering } from "../../../karpenter/catalogue/catalogue.ts";
import { indexesOf, type TypeMask } from "../../../karpenter/catalogue/type-mask.ts";
import { has } from "../../../karpenter/requirements/requirement.ts";
import { compatible, type Requirements } from "../../../karpenter/requirements/requirements.ts";

/** @param known values that an offering may have which does not say its own */
export function advertisedPlaces(
  key: string,
  types: TypeMask,
  asked: Requirements,
  catalogue: Catalogue,
  known: readonly string[],
): ReadonlySet<string> {
  const requirement = asked.get(key);
  const found = new Set<string>();
  for (const { requirements } of openOfferings(types, asked, catalogue)) {
    for (const value of requirements.get(key)?.values ?? known) {
      if (requirement === undefined || has(requirement, value)) found.add(value);
    }
  }
  return found;
}

/** The offerings of the types that go with what is asked for. */
function openOfferings(types: TypeMask, asked: Requirements, { offerings, wellKnown }: Catalogue): Offering[] {
  const sets = new Set(indexesOf(types).map((type) => offerings.of[type]!));
  return [...sets].flatMap((set) =>
    offerings.sets[set]!.filter(
      (offering) => offering.available && compatible(asked, offering.requirements, wellKnown) === undefined,
    ),
  );
}
