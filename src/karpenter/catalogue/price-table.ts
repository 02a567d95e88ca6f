/** List prices of instance types by region, as the package ships them. */
import { memoizeByKey, memoizeByObject } from "../../model/schema/memoize.ts";
import type { Catalogue, CataloguePrices } from "./catalogue.ts";
import { isRegionName } from "./price-region.ts";

export interface PriceTable {
  readonly source: string;
  readonly date: string;
  /** Currency by region; prices are in the same order. */
  readonly regions: Readonly<Record<string, string>>;
  /**
   * Sizes by family, and their on-demand prices per hour by region: 0 if a size has no price, null if a family has
   * none.
   */
  readonly families: Readonly<Record<string, readonly [sizes: readonly string[], ...prices: RegionalPrices[]]>>;
}

type RegionalPrices = readonly number[] | null;

/** Used if no region is known, or none of its prices: the region with the most types. Output always names the region. */
const DEFAULT_REGION = "us-east-1";
/** Used for the other regions of China, whose currency it shares. */
const CHINA = "cn-north-1";

/** Written by our own build, so it is not validated. One text is one table for the whole process. */
export const parsePriceTable = memoizeByKey((text: string) => JSON.parse(text) as PriceTable);

/**
 * The prices for the types of a catalogue: its own, or else those of the table. Undefined if neither has prices.
 * Prices of one region are used for another only with `insteadOf`.
 *
 * @param region as requested by the user; defaults to the region of the catalogue
 * @param ofPools the region that the pools' zones name, if nothing else names one
 */
export function choosePrices(
  catalogue: Catalogue,
  table: () => PriceTable,
  region?: string,
  ofPools?: string,
): CataloguePrices | undefined {
  if (catalogue.prices !== undefined) return catalogue.prices;
  const { regions } = table();
  const wanted = region ?? regionOf(catalogue) ?? ofPools ?? DEFAULT_REGION;
  if (Object.hasOwn(regions, wanted)) return pricesOfTable(table())(wanted);
  return isRegionName(wanted) ? pricesInstead(table())(wanted) : undefined;
}

const pricesInstead = memoizeByObject((table: PriceTable) =>
  memoizeByKey((wanted: string): CataloguePrices | undefined => {
    const known = [wanted.startsWith("cn-") ? CHINA : DEFAULT_REGION].find((region) =>
      Object.hasOwn(table.regions, region),
    );
    return known === undefined ? undefined : { ...pricesOfTable(table)(known), insteadOf: wanted };
  }),
);

const pricesOfTable = memoizeByObject(({ source, date, regions, families }: PriceTable) =>
  memoizeByKey((region: string): CataloguePrices => {
    const place = Object.keys(regions).indexOf(region);
    const onDemand = Object.entries(families).flatMap(([family, [sizes, ...prices]]) =>
      (prices[place] ?? []).flatMap((price, at) => (price === 0 ? [] : [[`${family}.${sizes[at]!}`, price] as const])),
    );
    return { source, region, date, currency: regions[region]!, onDemand: new Map(onDemand) };
  }),
);

/** Undefined if a catalogue has several regions or none. */
export function regionOf({ labels }: Pick<Catalogue, "labels">): string | undefined {
  const regions = new Set(labels.get("topology.kubernetes.io/region")?.sets.flatMap(({ values }) => [...values]));
  const [region, ...others] = regions;
  return others.length === 0 ? region : undefined;
}
