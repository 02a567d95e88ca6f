/** List prices of instance types by region, as the package ships them. */
import type { Catalogue, CataloguePrices } from "./catalogue.ts";

export interface PriceTable {
  readonly source: string;
  readonly date: string;
  /** By region the currency; prices stand in the same order. */
  readonly regions: Readonly<Record<string, string>>;
  /** By family the sizes, and by region their prices an hour on demand: 0 for a size, null for a family that has none. */
  readonly families: Readonly<Record<string, readonly [sizes: readonly string[], ...prices: RegionalPrices[]]>>;
}

type RegionalPrices = readonly number[] | null;

/** Where nobody names a region: the one with the most types. Each figure says that it is of it. */
const DEFAULT_REGION = "us-east-1";

/** Our own build wrote it, so it is not checked. */
export function parsePriceTable(text: string): PriceTable {
  return JSON.parse(text) as PriceTable;
}

/**
 * The prices that are told of a catalogue's types: its own, or else those of the table. Undefined where nobody knows any;
 * prices of one region are never taken for another's.
 *
 * @param region that somebody names; else it is the one of the catalogue
 */
export function choosePrices(
  catalogue: Catalogue,
  table: () => PriceTable,
  region?: string,
): CataloguePrices | undefined {
  if (catalogue.prices !== undefined) return catalogue.prices;
  const { source, date, regions, families } = table();
  const wanted = region ?? regionOf(catalogue) ?? DEFAULT_REGION;
  const place = Object.keys(regions).indexOf(wanted);
  if (place === -1) return undefined;
  const onDemand = Object.entries(families).flatMap(([family, [sizes, ...prices]]) =>
    (prices[place] ?? []).flatMap((price, at) => (price === 0 ? [] : [[`${family}.${sizes[at]!}`, price] as const])),
  );
  return { source, region: wanted, date, currency: regions[wanted]!, onDemand: new Map(onDemand) };
}

/** Undefined where a catalogue is of several, or says nothing of it. */
export function regionOf({ labels }: Pick<Catalogue, "labels">): string | undefined {
  const regions = new Set(labels.get("topology.kubernetes.io/region")?.sets.flatMap(({ values }) => [...values]));
  const [region, ...others] = regions;
  return others.length === 0 ? region : undefined;
}
