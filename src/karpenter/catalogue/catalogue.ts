/** The instance types of a cloud as Karpenter's provider knows them, in columns. */
import type { WrittenOrigin } from "../../model/catalogue/compact-catalogue.ts";
import type { KnownLabels } from "../requirements/label-presence.ts";
import type { Requirement } from "../requirements/requirement.ts";
import type { Requirements } from "../requirements/requirements.ts";

export interface Catalogue {
  /** What it was made from, for display: `Amazon EC2, all regions`. */
  readonly source: string;
  /** When its data was taken: `2026-08`, `2026-11-20`. */
  readonly date: string;
  /**
   * Set for the catalogue that anp ships, which has only instance types of EC2. Any other catalogue may be of any
   * provider.
   */
  readonly shipped?: true;
  /** Sorted by name. */
  readonly names: readonly string[];
  /** Instance types that exist, and of which nothing else is known. */
  readonly namesOnly?: ReadonlySet<string> | undefined;
  /** By label key; a label that no instance type has is not listed. */
  readonly labels: ReadonlyMap<string, LabelColumn>;
  readonly offerings: OfferingColumn;
  /** Allocatable resources by name (cpu, memory, pods, nvidia.com/gpu, …), each by instance type; undefined: has none. */
  readonly allocatable: ReadonlyMap<string, readonly (string | undefined)[]>;
  /** Before any reserve, of resources that a node class decides on; undefined without a node class. */
  readonly capacity?: ReadonlyMap<string, readonly (string | undefined)[]>;
  /**
   * The label keys that the provider of Karpenter knows: pods may ask for them although a pool does not define them.
   */
  readonly wellKnown: ReadonlySet<string>;
  /** Well-known keys that an instance type may lack. */
  readonly optional: ReadonlySet<string>;
  /** Set only if the instance types are unknown. */
  readonly unlisted?: KnownLabels["unlisted"];
  /** Undefined if the catalogue has no prices. */
  readonly prices?: CataloguePrices;
}

/** Where prices come from. Prices of two currencies are never compared. */
export interface PriceOrigin {
  readonly source: string;
  /** Undefined if unknown. */
  readonly region: string | undefined;
  readonly date: string;
  /** Three letters: `USD`, `CNY`. */
  readonly currency: string;
  /**
   * The region that the prices are shown for, if none of its own are known: only the order and the ratios of the prices
   * hold there.
   */
  readonly insteadOf?: string;
}

/** Prices of the offerings and of `onDemand`. */
export interface CataloguePrices extends PriceOrigin {
  /**
   * Price per hour, on demand with Linux, by instance type, wherever the type is offered. Offerings may have prices
   * too.
   */
  readonly onDemand: ReadonlyMap<string, number>;
}

/** One label over all instance types. Few different values occur, so each is stored once. */
export interface LabelColumn {
  /** `In […]`, or DoesNotExist for a label that an instance type is known to lack. */
  readonly sets: readonly Requirement[];
  /** By instance type, the place in `sets`. UNKNOWN excludes no type. */
  readonly of: Uint16Array;
}

/** What can be bought: an instance type needs one offering that satisfies zone, zone id and capacity type together. */
export interface OfferingColumn {
  readonly sets: readonly (readonly Offering[])[];
  readonly of: Uint16Array;
}

export interface Offering {
  /** Capacity type, zone and zone id; empty if unknown. */
  readonly requirements: Requirements;
  readonly available: boolean;
  /** Per hour, in the currency of the catalogue. */
  readonly price?: number;
  /** Of reserved capacity: how many more instances the reservation has. */
  readonly reservationCapacity?: number;
}

export const UNKNOWN = 0xffff;

/** The label that every instance type has, and that names it. */
export const INSTANCE_TYPE = "node.kubernetes.io/instance-type";

interface Given {
  readonly source: string;
  readonly date: string;
  readonly prices?: WrittenOrigin | undefined;
}

/** Undefined without prices. Source, date and region default to those of the catalogue. */
export function pricesOfCatalogue(
  { source, date, prices = {} }: Given,
  sets: readonly (readonly Offering[])[],
  region: string | undefined,
  onDemand: ReadonlyMap<string, number> = new Map(),
): CataloguePrices | undefined {
  if (onDemand.size === 0 && !sets.some((set) => set.some(({ price }) => price !== undefined))) return undefined;
  return {
    source: prices.source ?? source,
    region: prices.region ?? region,
    date: prices.date ?? date,
    currency: prices.currency ?? "USD",
    onDemand,
  };
}
