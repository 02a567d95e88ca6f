/** What a pool may launch, as JSON for programs. */
import type { Moved, OfferChange, Shift } from "../../analyze/diff/offers/compare-offers.ts";

/** What nobody knows is null (docs/diff.md#for-programs-and-pull-requests). */
export function offerJson(offer: OfferChange | undefined): object | null {
  if (offer === undefined) return null;
  const { types, zones, capacityTypes, market } = offer;
  return {
    catalogue: market.filter.catalogue.date,
    types: shiftJson(types),
    zones: shiftJson(zones),
    capacityTypes: shiftJson(capacityTypes),
  };
}

function shiftJson({ gained, lost }: Shift): object {
  return { gained: gained.map(movedJson), lost: lost.map(movedJson) };
}

function movedJson({ name, by }: Moved): object {
  return {
    name,
    by: by.map(({ from = null, key, requirement, file = null, line = null, gone }) => ({
      from,
      key,
      requirement,
      file,
      line,
      ...(gone ? { gone } : {}),
    })),
  };
}
