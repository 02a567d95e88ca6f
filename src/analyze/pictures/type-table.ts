/** The instance types of a cluster as data for pictures: family, size, memory and price. */
import type { DescribedOrigin } from "../explain/pool-answer.ts";
import { valuesOf } from "../../karpenter/catalogue/type-filter.ts";
import { indexedPrices } from "../../karpenter/catalogue/type-prices.ts";
import { memoizeByObject } from "../../model/schema/memoize.ts";
import type { Catalogue } from "../../karpenter/catalogue/catalogue.ts";
import type { PriceIndex } from "../../karpenter/catalogue/price-index.ts";
import { describeOrigin } from "../explain/describe-explanation.ts";
import type { InstanceTypes } from "../explain/remaining-types.ts";

/** An instance type of the catalogue. Unknown figures are 0, unknown prices null. */
export interface PictureType {
  readonly name: string;
  readonly family: string;
  readonly category: string;
  readonly vcpus: number;
  /** In MiB. */
  readonly memory: number;
  /** Per hour, on demand. */
  readonly price: number | null;
  /** Per hour as Spot, the lowest of all zones. */
  readonly spot: number | null;
}

export interface TypeTable {
  readonly source: string;
  readonly date: string;
  /** Null without prices. */
  readonly prices: DescribedOrigin | null;
  /** In the order of the catalogue, which is by name. */
  readonly types: readonly PictureType[];
}

/** Collects each table once, in the order of its first use. */
export class TypeTables {
  readonly tables: TypeTable[] = [];
  readonly #places = new Map<TypeTable, number>();

  /** The index of the table of these types in `tables`. */
  placeOf({ filter, prices }: InstanceTypes): number {
    const table = tableOf(filter.catalogue)(prices ?? NO_PRICES);
    const known = this.#places.get(table) ?? this.tables.push(table) - 1;
    this.#places.set(table, known);
    return known;
  }
}

const NO_PRICES = {};

const tableOf = memoizeByObject((catalogue: Catalogue) =>
  memoizeByObject((index: PriceIndex | typeof NO_PRICES): TypeTable => {
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

/** Without a family in the catalogue, the name is used: `m5.xlarge` has the family `m5`. */
function sizeOf(name: string, aws: (label: string) => string): Omit<PictureType, "price" | "spot"> {
  return {
    name,
    family: aws("family") || name.split(".", 1)[0]!,
    category: aws("category"),
    vcpus: Number(aws("cpu")) || 0,
    memory: Number(aws("memory")) || 0,
  };
}
