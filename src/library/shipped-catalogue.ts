/** The instance types and prices that the package ships, read when first asked for. */
import { FILES } from "../commands/cli/context.ts";
import type { Catalogue, CataloguePrices } from "../karpenter/catalogue/catalogue.ts";
import type { Settings } from "../resolve/settings.ts";
import { choosePrices, parsePriceTable, type PriceTable } from "../karpenter/catalogue/price-table.ts";
import { once, oncePer } from "../model/once.ts";
import { parseShippedCatalogue } from "../karpenter/catalogue/parse-shipped-catalogue.ts";

let catalogue: Catalogue | undefined;

export function shippedCatalogue(): Catalogue {
  catalogue ??= parseShippedCatalogue(FILES.readShipped("catalogue.json"));
  return catalogue;
}

/** Of the region that the settings of a hosted cluster name. */
export function shippedPrices(settings?: Settings): CataloguePrices | undefined {
  return shippedPricesOf(settings?.config.hostedCluster?.region);
}

const table = once((): PriceTable => parsePriceTable(FILES.readShipped("prices.json")));

const shippedPricesOf = oncePer((region: string | undefined) => choosePrices(shippedCatalogue(), table, region));
