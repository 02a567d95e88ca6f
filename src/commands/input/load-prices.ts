/** The prices that a command tells of instance types: the catalogue's, or the shipped list. */
import type { Command } from "commander";
import type { CatalogueFor, PricesFor } from "../../analyze/explain/explain.ts";
import type { Catalogue } from "../../karpenter/catalogue/catalogue.ts";
import { choosePrices, parsePriceTable, type PriceTable } from "../../karpenter/catalogue/price-table.ts";
import { once, oncePer, oncePerObject } from "../../model/once.ts";
import type { Context } from "../cli/context.ts";
import { UsageError } from "../cli/exit-codes.ts";

export interface RegionOption {
  readonly region?: string;
}

export function addRegionOption(command: Command): Command {
  return command.option("--region <name>", "whose list prices are told, where the catalogue brings none");
}

/** Read when the first price is asked for. */
export function priceTable({ files }: Context): () => PriceTable {
  return once(() => parsePriceTable(files.readShipped("prices.json")));
}

/**
 * By the region that the settings of a hosted cluster name; what the command line names goes before it.
 *
 * @throws UsageError for a region that can have no effect
 */
export function pricesFor(catalogueFor: CatalogueFor, { region }: RegionOption, context: Context): PricesFor {
  const table = priceTable(context);
  if (region !== undefined) refuseRegion(region, catalogueFor(), table());
  const pricesOf = oncePerObject((catalogue: Catalogue) =>
    oncePer((named: string | undefined) => choosePrices(catalogue, table, named)),
  );
  return (settings) => pricesOf(catalogueFor(settings))(region ?? settings?.config.hostedCluster?.region);
}

function refuseRegion(region: string, { prices }: Catalogue, { regions }: PriceTable): void {
  if (prices !== undefined) throw new UsageError("--region: the catalogue brings prices of its own, so leave it out");
  if (Object.hasOwn(regions, region)) return;
  const known = Object.keys(regions).join(", ");
  throw new UsageError(
    `--region: there are no list prices of ${region}, but of ${known}; anp catalogue build brings others`,
  );
}
