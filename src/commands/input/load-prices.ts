/** The prices of instance types: those of the catalogue, or the built-in list. */
import type { Command } from "commander";
import type { CatalogueFor, PricesFor } from "../../analyze/explain/explain.ts";
import type { Catalogue } from "../../karpenter/catalogue/catalogue.ts";
import { choosePrices, parsePriceTable, type PriceTable } from "../../karpenter/catalogue/price-table.ts";
import { memoize, memoizeByKey, memoizeByObject } from "../../model/schema/memoize.ts";
import type { Context } from "../cli/context.ts";
import { UsageError } from "../cli/exit-codes.ts";

export interface RegionOption {
  readonly region?: string;
}

export function addRegionOption(command: Command): Command {
  return command.option("--region <name>", "the region of list prices, if the catalogue has no prices");
}

/** Read when the first price is needed. */
export function priceTable({ files }: Context): () => PriceTable {
  return memoize(() => parsePriceTable(files.readShipped("prices.json")));
}

/**
 * Prices of the region that a hosted cluster's settings name. A region that the command line names takes precedence.
 *
 * @throws UsageError for a region that can have no effect
 */
export function pricesFor(catalogueFor: CatalogueFor, { region }: RegionOption, context: Context): PricesFor {
  const table = priceTable(context);
  if (region !== undefined) refuseRegion(region, catalogueFor(), table());
  const pricesOf = memoizeByObject((catalogue: Catalogue) =>
    memoizeByKey((named: string | undefined) => choosePrices(catalogue, table, named)),
  );
  return (settings) => pricesOf(catalogueFor(settings))(region ?? settings?.config.hostedCluster?.region);
}

function refuseRegion(region: string, { prices }: Catalogue, { regions }: PriceTable): void {
  if (prices !== undefined)
    throw new UsageError("--region: the catalogue has prices of its own, so leave the option out");
  if (Object.hasOwn(regions, region)) return;
  const known = Object.keys(regions).join(", ");
  throw new UsageError(
    `--region: there are no list prices for ${region}, only for ${known}; anp catalogue build adds others`,
  );
}
