/** Finds the on-demand and Spot price of each instance type of a catalogue. */
import type { Catalogue, CataloguePrices } from "./catalogue.ts";
import { type PriceIndex, priceIndex } from "./price-index.ts";
import { requirementsOf } from "../requirements/requirements.ts";
import { maskOf } from "./type-mask.ts";

/** Per hour, by instance type: the lowest of all zones. Types without a price are not listed. */
export interface TypePrices {
  readonly onDemand: ReadonlyMap<string, number>;
  readonly spot: ReadonlyMap<string, number>;
}

/**
 * An offering without a capacity type counts as on demand. Reserved capacity has no price here because it is already
 * paid.
 */
export function typePrices(catalogue: Catalogue, prices: CataloguePrices | undefined): TypePrices {
  return prices === undefined ? NO_PRICES : indexedPrices(catalogue, priceIndex(catalogue, prices));
}

const NO_PRICES: TypePrices = { onDemand: new Map(), spot: new Map() };

/** As `typePrices`, of prices that are already indexed. */
export function indexedPrices(catalogue: Catalogue, index: PriceIndex): TypePrices {
  const all = maskOf(catalogue.names.length, () => true);
  const lowest = (operator: "In" | "NotIn", values: string[]): ReadonlyMap<string, number> => {
    const asked = requirementsOf([{ key: "karpenter.sh/capacity-type", operator, values }]);
    return new Map(index.prices(all, asked).perHour.map(({ type, perHour }) => [type, perHour]));
  };
  const offered = catalogue.offerings.sets.flat().some(({ requirements, price }) => {
    return price !== undefined && requirements.get("karpenter.sh/capacity-type")?.values.has("spot");
  });
  return { onDemand: lowest("NotIn", ["spot", "reserved"]), spot: offered ? lowest("In", ["spot"]) : new Map() };
}
