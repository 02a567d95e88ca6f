/** The instance types of a market as plain data for pictures: family, size, memory and price. */
import { valuesOf } from "../../karpenter/catalogue/type-filter.ts";
import { indexedPrices } from "../../karpenter/catalogue/type-prices.ts";
import { oncePerObject } from "../../model/once.ts";
import type { Catalogue } from "../../karpenter/catalogue/catalogue.ts";
import type { PriceIndex } from "../../karpenter/catalogue/price-index.ts";
import { type DescribedOrigin, describeOrigin } from "../explain/describe-prices.ts";
import type { Market } from "../explain/remaining-types.ts";

/** One that the catalogue knows; 0 and null where it does not know a figure. */
export interface PictureType {
  readonly name: string;
  readonly family: string;
  readonly category: string;
  readonly vcpus: number;
  /** In MiB. */
  readonly memory: number;
  /** An hour on demand. */
  readonly price: number | null;
  /** An hour as Spot, the lowest of all zones. */
  readonly spot: number | null;
}

export interface TypeTable {
  readonly source: string;
  readonly date: string;
  /** Null where nobody knows prices. */
  readonly prices: DescribedOrigin | null;
  /** In the order of the catalogue, which is by name. */
  readonly types: readonly PictureType[];
}

/** Each market's table once, in the order in which they are asked for. */
export class TypeTables {
  readonly tables: TypeTable[] = [];
  readonly #places = new Map<TypeTable, number>();

  /** The place of a market's table among `tables`. */
  placeOf({ filter, prices }: Market): number {
    const table = tableOf(filter.catalogue)(prices ?? NOBODY_KNOWS);
    const known = this.#places.get(table) ?? this.tables.push(table) - 1;
    this.#places.set(table, known);
    return known;
  }
}

const NOBODY_KNOWS = {};

const tableOf = oncePerObject((catalogue: Catalogue) =>
  oncePerObject((index: PriceIndex | typeof NOBODY_KNOWS): TypeTable => {
    const known = "origin" in index ? index : undefined;
    const prices = known && indexedPrices(catalogue, known);
    return {
      source: catalogue.source,
      date: catalogue.date,
      prices: known === undefined ? null : describeOrigin(known.origin),
      types: catalogue.names.map((name, type) => ({
        ...sizeOf(name, (label) => valuesOf(catalogue, type, `karpenter.k8s.aws/instance-${label}`)[0] ?? ""),
        price: prices?.onDemand.get(name) ?? null,
        spot: prices?.spot.get(name) ?? null,
      })),
    };
  }),
);

/** A type of whose family the catalogue says nothing has it in its name: `m5.xlarge`. */
function sizeOf(name: string, aws: (label: string) => string): Omit<PictureType, "price" | "spot"> {
  return {
    name,
    family: aws("family") || name.split(".", 1)[0]!,
    category: aws("category"),
    vcpus: Number(aws("cpu")) || 0,
    memory: Number(aws("memory")) || 0,
  };
}
