/** Writes a catalogue in its compact form, as JSON. */
import {
  type CompactCatalogue,
  type CompactColumn,
  type CompactLabel,
  NOWHERE,
  type Places,
  SCHEMA_VERSION,
  type WrittenOrigin,
} from "../../model/catalogue/compact-catalogue.ts";
import { OPTIONAL_LABELS, WELL_KNOWN_LABELS } from "../../model/requirements/labels.ts";
import { type Catalogue, INSTANCE_TYPE, type PriceOrigin, UNKNOWN } from "./catalogue.ts";
import { type Requirement, sortedValues } from "../requirements/requirement.ts";

/** One line for each column. Labels are `In` or DoesNotExist, as cloud providers describe instance types. */
export function writeCatalogue(catalogue: Catalogue): string {
  const { source, date, names, namesOnly, wellKnown, optional, prices } = catalogue;
  const written: CompactCatalogue = {
    schemaVersion: SCHEMA_VERSION,
    source,
    date,
    names,
    ...(namesOnly === undefined ? {} : { namesOnly: [...namesOnly] }),
    labels: labelColumns(catalogue),
    offerings: offeringColumn(catalogue),
    allocatable: resourceColumns(catalogue),
    ...(prices === undefined ? {} : { prices: writtenOrigin(prices) }),
    ...(same(wellKnown, WELL_KNOWN_LABELS) ? {} : { wellKnownLabels: [...wellKnown] }),
    ...(same(optional, OPTIONAL_LABELS) ? {} : { optionalLabels: [...optional] }),
  };
  return `{\n${Object.entries(written).map(field).join(",\n")}\n}\n`;
}

function field([key, value]: [string, unknown]): string {
  const isTable = key === "labels" || key === "allocatable";
  const text = isTable
    ? `{\n${Object.entries(value as object)
        .map(field)
        .join(",\n")}\n}`
    : JSON.stringify(value);
  return `${JSON.stringify(key)}:${text}`;
}

/** An unknown region is not written. */
export function writtenOrigin({ source, region, date, currency }: PriceOrigin): WrittenOrigin {
  return { source, ...(region === undefined ? {} : { region }), date, currency };
}

function labelColumns({ labels }: Catalogue): CompactCatalogue["labels"] {
  const written = [...labels].filter(([key]) => key !== INSTANCE_TYPE);
  return Object.fromEntries(
    written.map(([key, { sets, of }]) => [key, { values: sets.map(compactLabel), of: places(of) }]),
  );
}

function compactLabel(requirement: Requirement): CompactLabel {
  if (requirement.complement) throw new TypeError(`the compact form cannot express ${requirement.key}`);
  return requirement.values.size === 0 ? null : sortedValues(requirement);
}

function offeringColumn({ offerings }: Catalogue): CompactCatalogue["offerings"] {
  const values = offerings.sets.map((set) =>
    set.map(({ requirements, ...rest }) => ({
      requirements: Object.fromEntries([...requirements].map(([key, value]) => [key, compactLabel(value)])),
      ...rest,
    })),
  );
  return { values, of: places(offerings.of) };
}

function resourceColumns({ allocatable }: Catalogue): CompactCatalogue["allocatable"] {
  const column = (amounts: readonly (string | undefined)[]): CompactColumn<string> => {
    const values = [...new Set(amounts.filter((amount) => amount !== undefined))];
    const placeOf = new Map(values.map((value, place) => [value, place]));
    return { values, of: places(amounts.map((amount) => (amount === undefined ? UNKNOWN : placeOf.get(amount)!))) };
  };
  return Object.fromEntries([...allocatable].map(([name, amounts]) => [name, column(amounts)]));
}

/** Instance types of a family are adjacent, so values repeat and run-length encoding pays. */
function places(of: Iterable<number>): Places {
  const runs: [place: number, times: number][] = [];
  for (const at of of) {
    const place = at === UNKNOWN ? NOWHERE : at;
    const last = runs.at(-1);
    if (last?.[0] === place) last[1]++;
    else runs.push([place, 1]);
  }
  return runs.map(([place, times]) => (times === 1 ? place : [place, times]));
}

function same(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && a.isSubsetOf(b);
}
