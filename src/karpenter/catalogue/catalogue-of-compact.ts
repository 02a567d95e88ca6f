/** Reads a catalogue from its compact form. */
import {
  type CompactCatalogue,
  type CompactColumn,
  type CompactLabel,
  NOWHERE,
  type Places,
} from "../../model/catalogue/compact-catalogue.ts";
import { memoizeByKey } from "../../model/schema/memoize.ts";
import { OPTIONAL_LABELS, WELL_KNOWN_LABELS } from "../../model/requirements/labels.ts";
import {
  type Catalogue,
  INSTANCE_TYPE,
  type LabelColumn,
  type Offering,
  pricesOfCatalogue,
  UNKNOWN,
} from "./catalogue.ts";
import { regionOf } from "./price-table.ts";
import type { Requirement } from "../requirements/requirement.ts";

/**
 * The shipped catalogue is read this way, so the work is kept to a minimum.
 *
 * @param compact must pass `misplaced`
 */
export function catalogueOfCompact(compact: CompactCatalogue): Catalogue {
  const { source, date, names, namesOnly, labels, offerings, allocatable, wellKnownLabels, optionalLabels } = compact;
  const size = names.length;
  const columns = Object.entries(labels).map(([key, { values, of }]): [string, LabelColumn] => [
    key,
    { sets: values.map((value) => requirement(key, value)), of: expand(of, size) },
  ]);
  const sets = offerings.values.map((set) => set.map(offering));
  const prices = pricesOfCatalogue(compact, sets, regionOf({ labels: new Map(columns) }));
  const namesColumn = {
    sets: names.map((name) => requirement(INSTANCE_TYPE, [name])),
    of: Uint16Array.from(names.keys()),
  };
  return {
    source,
    date,
    names,
    ...(namesOnly === undefined ? {} : { namesOnly: new Set(namesOnly) }),
    labels: new Map([...columns, [INSTANCE_TYPE, namesColumn]]),
    offerings: { sets, of: expand(offerings.of, size) },
    allocatable: new Map(Object.entries(allocatable).map(([name, column]) => [name, amounts(column, size)])),
    wellKnown: wellKnownLabels === undefined ? WELL_KNOWN_LABELS : new Set(wellKnownLabels),
    optional: optionalLabels === undefined ? OPTIONAL_LABELS : new Set(optionalLabels),
    ...(prices === undefined ? {} : { prices }),
  };
}

/** Finds what the schema cannot check: columns of another length than the names, and places without a value. */
export function misplaced(compact: CompactCatalogue): string | undefined {
  const { names, labels, offerings, allocatable } = compact;
  const twice = names.find((name, index) => index > 0 && name <= names[index - 1]!);
  if (twice !== undefined) return `names: ${twice} must be listed once, in order`;
  const columns: readonly NamedColumn[] = [
    ...named("labels", labels, NOWHERE),
    ["offerings", offerings, 0],
    ...named("allocatable", allocatable, NOWHERE),
  ];
  for (const [name, { values, of }, least] of columns) {
    const length = of.reduce<number>((sum, run) => sum + (typeof run === "number" ? 1 : run[1]), 0);
    if (length !== names.length) return `${name}.of is for ${length} instance types, and there are ${names.length}`;
    const outside = of.map(placeOf).find((place) => place < least || place >= Math.min(values.length, UNKNOWN));
    if (outside !== undefined) return `${name}.of names place ${outside}, and there are ${values.length} values`;
  }
  return undefined;
}

type NamedColumn = readonly [name: string, column: CompactColumn<unknown>, least: number];

function named(table: string, columns: Readonly<Record<string, CompactColumn<unknown>>>, least: number): NamedColumn[] {
  return Object.entries(columns).map(([key, column]) => [`${table}[${JSON.stringify(key)}]`, column, least]);
}

function placeOf(run: Places[number]): number {
  return typeof run === "number" ? run : run[0];
}

function requirement(key: string, values: CompactLabel): Requirement {
  return { key, complement: false, values: new Set(values) };
}

function offering({
  requirements,
  available,
  price,
}: CompactCatalogue["offerings"]["values"][number][number]): Offering {
  return {
    requirements: new Map(Object.entries(requirements).map(([key, values]) => [key, requirement(key, values)])),
    available,
    ...(price === undefined ? {} : { price }),
  };
}

function amounts({ values, of }: CompactColumn<string>, size: number): (string | undefined)[] {
  return Array.from(expand(of, size), (place) => values[place]);
}

/** NOWHERE becomes UNKNOWN, which is the same number in 16 bits. */
function expand(of: Places, size: number): Uint16Array {
  const places = new Uint16Array(size);
  let at = 0;
  for (const run of of) {
    if (typeof run === "number") places[at++] = run;
    else {
      places.fill(run[0], at, at + run[1]);
      at += run[1];
    }
  }
  return places;
}

/** Written by our own build. Validation would take longer than parsing. One text is one catalogue for the whole process. */
export const parseShippedCatalogue = memoizeByKey((text: string): Catalogue => {
  return { ...catalogueOfCompact(JSON.parse(text) as CompactCatalogue), shipped: true };
});
