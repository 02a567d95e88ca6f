/** The compared offers of a pool as plain data for reports. */
import type { DescribedAttribution, DescribedOffer, DescribedShift } from "../diff-answer.ts";
import type { AttributedChange, OfferChange, Shift } from "./compare-offers.ts";

export function describeOffer({ types, zones, capacityTypes, knownTypes }: OfferChange): DescribedOffer {
  return {
    catalogue: knownTypes.filter.catalogue.date,
    types: describeShift(types),
    zones: describeShift(zones),
    capacityTypes: describeShift(capacityTypes),
  };
}

function describeShift({ gained, lost }: Shift): DescribedShift {
  return { gained: gained.map(describeAttribution), lost: lost.map(describeAttribution) };
}

function describeAttribution({ name, by }: AttributedChange): DescribedAttribution {
  return {
    name,
    by: by.map(({ from, key, requirement, file, line, gone }) => ({
      from: from ?? null,
      key,
      requirement,
      file: file ?? null,
      line: line ?? null,
      ...(gone ? { gone } : {}),
    })),
  };
}
