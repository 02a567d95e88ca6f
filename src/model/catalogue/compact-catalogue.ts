/** The compact form of a catalogue, as the package ships it. */
import * as z from "zod/mini";
import { mapOf } from "../schema/map-of.ts";
import { currencyCode } from "../values/money.ts";
import { memoize } from "../schema/memoize.ts";

export const SCHEMA_VERSION = 1;

export interface CompactCatalogue {
  readonly schemaVersion: typeof SCHEMA_VERSION;
  readonly source: string;
  readonly date: string;
  /** Sorted. The label node.kubernetes.io/instance-type is not repeated in `labels`. */
  readonly names: readonly string[];
  /** Instance types that exist, and of which nothing else is known. */
  readonly namesOnly?: readonly string[] | undefined;
  readonly labels: Readonly<Record<string, CompactColumn<CompactLabel>>>;
  readonly offerings: CompactColumn<readonly CompactOffering[]>;
  readonly allocatable: Readonly<Record<string, CompactColumn<string>>>;
  /** What the prices of its offerings are of. */
  readonly prices?: WrittenOrigin | undefined;
  /** Left out if they are those of Karpenter's AWS provider. */
  readonly wellKnownLabels?: readonly string[] | undefined;
  readonly optionalLabels?: readonly string[] | undefined;
}

export interface CompactColumn<T> {
  readonly values: readonly T[];
  readonly of: Places;
}

/**
 * Indexes in `values`, by instance type; `[index, times]` for a repeated one; NOWHERE for an unknown or absent value.
 */
export type Places = readonly (number | readonly [place: number, times: number])[];

export const NOWHERE = -1;

/** The values that a label may have, or null for a label that an instance type is known to lack. */
export type CompactLabel = readonly string[] | null;

interface CompactOffering {
  readonly requirements: Readonly<Record<string, CompactLabel>>;
  readonly available: boolean;
  readonly price?: number | undefined;
}

/**
 * Provider, region, date and currency of prices, the same in both forms. When left out, those of the catalogue, and
 * USD.
 */
export interface WrittenOrigin {
  readonly source?: string | undefined;
  readonly region?: string | undefined;
  readonly date?: string | undefined;
  readonly currency?: string | undefined;
}

export const priceOrigin = memoize((): z.ZodMiniType<WrittenOrigin> => {
  const text = () => z.optional(z.string().check(z.minLength(1)));
  return z.object({ source: text(), region: text(), date: text(), currency: z.optional(currencyCode()) });
});

/** Per hour. */
export const price = memoize(() => z.number().check(z.gte(0)));

/** `anp catalogue build` writes it as well (docs/catalogue.md). */
export const compactCatalogue = memoize((): z.ZodMiniType<CompactCatalogue> => {
  const label = z.nullable(z.array(z.string()));
  const offering = z.object({
    requirements: mapOf(label),
    available: z.boolean(),
    price: z.optional(price()),
  });
  return z.object({
    schemaVersion: z.literal(SCHEMA_VERSION),
    source: z.string(),
    date: z.string(),
    names: z.array(z.string().check(z.minLength(1))),
    namesOnly: z.optional(z.array(z.string())),
    labels: mapOf(column(label)),
    offerings: column(z.array(offering)),
    allocatable: mapOf(column(z.string())),
    prices: z.optional(priceOrigin()),
    wellKnownLabels: z.optional(z.array(z.string())),
    optionalLabels: z.optional(z.array(z.string())),
  });
});

function column<T extends z.ZodMiniType>(value: T) {
  const place = z.int().check(z.gte(NOWHERE));
  const error = "write a place in `values`, or [place, times]";
  return z.object({
    values: z.array(value),
    of: z.array(z.union([place, z.tuple([place, z.int().check(z.gte(1))])], { error })),
  });
}
