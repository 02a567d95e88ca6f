/** Reads the shipped instance types and prices on first use. */
import type { PricesFor } from "../analyze/explain/explain.ts";
import { FILES } from "../commands/cli/context.ts";
import type { Catalogue, CataloguePrices } from "../karpenter/catalogue/catalogue.ts";
import type { Settings } from "../resolve/settings.ts";
import { choosePrices, parsePriceTable, type PriceTable } from "../karpenter/catalogue/price-table.ts";
import { memoize } from "../model/schema/memoize.ts";
import { parseShippedCatalogue } from "../karpenter/catalogue/catalogue-of-compact.ts";

export const shippedCatalogue = memoize((): Catalogue => parseShippedCatalogue(FILES.readShipped("catalogue.json")));

export function shippedPrices(settings?: Settings, ofPools?: string): CataloguePrices | undefined {
  return pricesOf(shippedCatalogue())(settings, ofPools);
}

/** Prices of the catalogue, or of the region that the settings or the pools of a hosted cluster name. */
export function pricesOf(catalogue: Catalogue): PricesFor {
  return (settings, ofPools) => choosePrices(catalogue, table, settings?.config.hostedCluster?.region, ofPools);
}

const table = memoize((): PriceTable => parsePriceTable(FILES.readShipped("prices.json")));
