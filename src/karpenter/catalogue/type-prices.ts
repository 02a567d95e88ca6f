/** What each instance type of a catalogue costs by itself, on demand and as Spot. */
import type { Catalogue, CataloguePrices } from "./catalogue.ts";
import { type PriceIndex, priceIndex } from "./price-index.ts";
import { requirementsOf } from "../requirements/requirements.ts";
import { maskOf } from "./type-mask.ts";

/** An hour, by instance type: the lowest of all zones. A type that is not there has no price. */
export interface TypePrices {
  readonly onDemand: ReadonlyMap<string, number>;
  readonly spot: ReadonlyMap<string, number>;
}

/** An offering that does not say its capacity type counts as on demand; what is reserved is paid already. */
export function typePrices(catalogue: Catalogue, prices: CataloguePrices | undefined): TypePrices {
  return prices === undefined ? NO_PRICES : indexedPrices(catalogue, priceIndex(catalogue, prices));
}

const NO_PRICES: TypePrices = { onDemand: new Map(), spot: new Map() };

/** The same of prices that are indexed already. */
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
