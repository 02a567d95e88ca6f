/** Reads the shipped instance types and prices on first use. */
import { FILES } from "../commands/cli/context.ts";
import type { Catalogue, CataloguePrices } from "../karpenter/catalogue/catalogue.ts";
import type { Settings } from "../resolve/settings.ts";
import { choosePrices, parsePriceTable, type PriceTable } from "../karpenter/catalogue/price-table.ts";
import { memoize } from "../model/schema/memoize.ts";
import { parseShippedCatalogue } from "../karpenter/catalogue/catalogue-of-compact.ts";

export const shippedCatalogue = memoize((): Catalogue => parseShippedCatalogue(FILES.readShipped("catalogue.json")));

export function shippedPrices(settings?: Settings): CataloguePrices | undefined {
  return pricesOf(shippedCatalogue())(settings);
}

/** Prices of the catalogue, or of the region in the settings of a hosted cluster. */
export function pricesOf(catalogue: Catalogue): (settings?: Settings) => CataloguePrices | undefined {
  return (settings) => choosePrices(catalogue, table, settings?.config.hostedCluster?.region);
}

const table = memoize((): PriceTable => parsePriceTable(FILES.readShipped("prices.json")));
