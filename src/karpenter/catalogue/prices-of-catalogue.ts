/** Determines source, region, date and currency of the prices in a catalogue. */
import type { WrittenOrigin } from "../../model/catalogue/compact-catalogue.ts";
import type { CataloguePrices, Offering } from "./catalogue.ts";

interface Given {
  readonly source: string;
  readonly date: string;
  readonly prices?: WrittenOrigin | undefined;
}

/** Undefined without prices. Source, date and region default to those of the catalogue. */
export function pricesOfCatalogue(
  { source, date, prices = {} }: Given,
  sets: readonly (readonly Offering[])[],
  region: string | undefined,
  onDemand: ReadonlyMap<string, number> = new Map(),
): CataloguePrices | undefined {
  if (onDemand.size === 0 && !sets.some((set) => set.some(({ price }) => price !== undefined))) return undefined;
  return {
    source: prices.source ?? source,
    region: prices.region ?? region,
    date: prices.date ?? date,
    currency: prices.currency ?? "USD",
    onDemand,
  };
}
