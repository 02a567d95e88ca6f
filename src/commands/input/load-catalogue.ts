/** Loads the catalogue and prices that an option or a RenderConfig names, or the built-in ones. */
import type { Command } from "commander";
import type { CatalogueFor, PricesFor } from "../../analyze/explain/explain.ts";
import { parseShippedCatalogue } from "../../karpenter/catalogue/catalogue-of-compact.ts";
import type { Catalogue } from "../../karpenter/catalogue/catalogue.ts";
import { choosePrices, parsePriceTable, type PriceTable } from "../../karpenter/catalogue/price-table.ts";
import { isRegionName } from "../../karpenter/catalogue/price-region.ts";
import { readCatalogue } from "../../karpenter/catalogue/read-catalogue.ts";
import { memoize, memoizeByKey } from "../../model/schema/memoize.ts";
import type { Context } from "../cli/context.ts";
import { UnreadableError, UsageError } from "../cli/exit-codes.ts";
import { configPath, readText } from "../cli/read-text.ts";

/**
 * Read only by commands that need it.
 *
 * @throws UnreadableError for a file that holds no catalogue
 */
export function loadCatalogue(path: string | undefined, context: Context): Catalogue {
  if (path === undefined) return parseShippedCatalogue(context.files.readShipped("catalogue.json"));
  const read = readCatalogue(readText(path, context), path);
  if ("problem" in read) throw new UnreadableError(path, read.problem.message, read.problem.hint);
  return read.catalogue;
}

/**
 * Reads each hosted cluster's catalogue on first use. A catalogue that the command line names takes precedence.
 *
 * @throws UnreadableError for a file that holds no catalogue
 */
export function catalogues(named: string | undefined, context: Context): CatalogueFor {
  const usual = memoize(() => loadCatalogue(named, context));
  if (named !== undefined) return usual;
  const own = memoizeByKey((path: string): Catalogue => {
    const read = readCatalogue(readText(path, context), path);
    if ("catalogue" in read) return read.catalogue;
    throw new UnreadableError(path, NO_CATALOGUE.message, NO_CATALOGUE.hint);
  });
  return (settings) => {
    const path = settings?.config.catalogue;
    if (path === undefined || settings?.resource === undefined) return usual();
    return own(configPath(settings.resource, path));
  };
}

/** Shows nothing of the content, because the author of a RenderConfig may name any file. */
const NO_CATALOGUE = {
  message: "is not a catalogue of instance types",
  hint: "a RenderConfig names it in spec.catalogue; anp catalogue --catalogue FILE shows what is wrong with it",
};

export interface RegionOption {
  readonly region?: string;
}

export function addRegionOption(command: Command): Command {
  return command.option(
    "--region <name>",
    "the region of list prices, if the catalogue has no prices (default: that of the pools' zones)",
  );
}

/** Read when the first price is needed. */
export function priceTable({ files }: Context): () => PriceTable {
  return memoize(() => parsePriceTable(files.readShipped("prices.json")));
}

/**
 * Prices of the region that a hosted cluster's settings or pools name. A region that the command line names takes
 * precedence.
 *
 * @throws UsageError for a region that can have no effect
 */
export function pricesFor(catalogueFor: CatalogueFor, { region }: RegionOption, context: Context): PricesFor {
  const table = priceTable(context);
  if (region !== undefined) refuseRegion(region, catalogueFor(), table());
  return (settings, ofPools) =>
    choosePrices(catalogueFor(settings), table, region ?? settings?.config.hostedCluster?.region, ofPools);
}

function refuseRegion(region: string, { prices }: Catalogue, { regions }: PriceTable): void {
  if (prices !== undefined)
    throw new UsageError("--region: the catalogue has prices of its own, so leave the option out");
  if (Object.hasOwn(regions, region) || isRegionName(region)) return;
  throw new UsageError(`--region: ${region} is not a region of AWS, such as ${Object.keys(regions).join(", ")}`);
}
