/** The prices that a command tells of instance types: the catalogue's, or the shipped list. */
import type { Command } from "commander";
import type { PricesFor } from "../../analyze/explain/explain.ts";
import type { Catalogue, CataloguePrices } from "../../karpenter/catalogue/catalogue.ts";
import { choosePrices, parsePriceTable, type PriceTable } from "../../karpenter/catalogue/price-table.ts";
import { once, oncePer } from "../../model/once.ts";
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
export function pricesFor(catalogue: Catalogue, options: RegionOption, context: Context): PricesFor {
  const ofRegion = pricesOfRegion(catalogue, options, context);
  return (settings) => ofRegion(settings?.config.hostedCluster?.region);
}

/** The same by the region itself. @throws UsageError for a region that can have no effect */
export function pricesOfRegion(
  catalogue: Catalogue,
  { region }: RegionOption,
  context: Context,
): (named: string | undefined) => CataloguePrices | undefined {
  const table = priceTable(context);
  if (region !== undefined) refuseRegion(region, catalogue, table());
  const ofRegion = oncePer((named: string | undefined) => choosePrices(catalogue, table, named));
  return (named) => ofRegion(region ?? named);
}

function refuseRegion(region: string, { prices }: Catalogue, { regions }: PriceTable): void {
  if (prices !== undefined) throw new UsageError("--region: the catalogue brings prices of its own, so leave it out");
  if (Object.hasOwn(regions, region)) return;
  const known = Object.keys(regions).join(", ");
  throw new UsageError(
    `--region: there are no list prices of ${region}, but of ${known}; anp catalogue build brings others`,
  );
}
