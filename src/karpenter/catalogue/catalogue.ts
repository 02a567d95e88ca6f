/** The instance types of a cloud as Karpenter's provider knows them, in columns. */
import type { Requirement } from "../requirements/requirement.ts";
import type { Requirements } from "../requirements/requirements.ts";

export interface Catalogue {
  /** What it was made from, for people: `Amazon EC2, all regions`. */
  readonly source: string;
  /** When its figures were taken: `2026-08`, `2026-11-20`. */
  readonly date: string;
  /** The one that comes along, which knows the types of EC2 alone; any other is of whatever provider its user means. */
  readonly shipped?: true;
  /** Sorted by name. */
  readonly names: readonly string[];
  /** By label key; what no instance type knows has no column. */
  readonly labels: ReadonlyMap<string, LabelColumn>;
  readonly offerings: OfferingColumn;
  /** Allocatable resources by name (cpu, memory, pods, nvidia.com/gpu, …), each by instance type; undefined: has none. */
  readonly allocatable: ReadonlyMap<string, readonly (string | undefined)[]>;
  /** The keys Karpenter's provider knows: a pool need not define them for pods to ask for them. */
  readonly wellKnown: ReadonlySet<string>;
  /** Well-known keys that an instance type may lack. */
  readonly optional: ReadonlySet<string>;
  /** Undefined where it brings no price. */
  readonly prices?: CataloguePrices;
}

/** What prices are of: without it a figure says nothing, and figures of two currencies are never compared. */
export interface PriceOrigin {
  readonly source: string;
  /** Undefined where nobody says it. */
  readonly region: string | undefined;
  readonly date: string;
  /** Three letters: `USD`, `CNY`. */
  readonly currency: string;
}

/** Of the offerings and of `onDemand`. */
export interface CataloguePrices extends PriceOrigin {
  /** An hour on demand with Linux, wherever a type is offered, by its name; beside what offerings say. */
  readonly onDemand: ReadonlyMap<string, number>;
}

/** One label over all instance types. Few different values occur, so each is kept once. */
export interface LabelColumn {
  /** `In […]`, or DoesNotExist for a label that an instance type is known to lack. */
  readonly sets: readonly Requirement[];
  /** By instance type, the place in `sets`; UNKNOWN where nothing is known, which excludes no type. */
  readonly of: Uint16Array;
}

/** What can be bought: an instance type needs one offering that satisfies zone, zone id and capacity type together. */
export interface OfferingColumn {
  readonly sets: readonly (readonly Offering[])[];
  readonly of: Uint16Array;
}

export interface Offering {
  /** Capacity type, zone, zone id; empty where the catalogue does not know. */
  readonly requirements: Requirements;
  readonly available: boolean;
  /** An hour, in the currency of the catalogue. */
  readonly price?: number;
}

export const UNKNOWN = 0xffff;

/** The label that every instance type has, and that names it. */
export const INSTANCE_TYPE = "node.kubernetes.io/instance-type";
