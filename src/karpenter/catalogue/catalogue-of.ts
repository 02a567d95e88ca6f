/** Makes a catalogue of single instance types and stores shared values once. */
import { type Catalogue, type LabelColumn, type Offering, type OfferingColumn, UNKNOWN } from "./catalogue.ts";
import type { Requirement } from "../requirements/requirement.ts";
import type { Requirements } from "../requirements/requirements.ts";
import { identityOf } from "./type-filter.ts";

export interface InstanceType {
  readonly name: string;
  /** A label that is not listed is unknown. */
  readonly labels: Requirements;
  readonly offerings: readonly Offering[];
  readonly allocatable: Readonly<Record<string, string>>;
}

type Head = Pick<Catalogue, "source" | "date" | "wellKnown" | "optional">;

/** @param types in any order, at most 65,535 */
export function catalogueOf(head: Head, types: readonly InstanceType[]): Catalogue {
  const sorted = types.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return {
    ...head,
    names: sorted.map(({ name }) => name),
    labels: labelColumns(sorted),
    offerings: offeringColumn(sorted),
    allocatable: resourceColumns(sorted),
  };
}

function labelColumns(types: readonly InstanceType[]): ReadonlyMap<string, LabelColumn> {
  const keys = new Set(types.flatMap(({ labels }) => [...labels.keys()]));
  const column = (key: string): LabelColumn => {
    const { kept, place } = collection<Requirement>(identityOf);
    const of = Uint16Array.from(types, ({ labels }) => {
      const requirement = labels.get(key);
      return requirement === undefined ? UNKNOWN : place(requirement);
    });
    return { sets: kept, of };
  };
  return new Map([...keys].toSorted().map((key) => [key, column(key)]));
}

function offeringColumn(types: readonly InstanceType[]): OfferingColumn {
  const { kept, place } = collection<readonly Offering[]>((offerings) => offerings.map(offeringIdentity).join("\n"));
  const of = Uint16Array.from(types, ({ offerings }) => place(offerings));
  return { sets: kept, of };
}

function offeringIdentity({ requirements, available, price, reservationCapacity }: Offering): string {
  return [
    available,
    price ?? "",
    reservationCapacity ?? "",
    ...[...requirements.values()].map(identityOf).toSorted(),
  ].join(" ");
}

function resourceColumns(types: readonly InstanceType[]): Catalogue["allocatable"] {
  const names = new Set(types.flatMap(({ allocatable }) => Object.keys(allocatable)));
  return new Map([...names].toSorted().map((name) => [name, types.map(({ allocatable }) => allocatable[name])]));
}

/** Keeps each value once, in the order they come. */
function collection<T>(identity: (value: T) => string): { kept: readonly T[]; place: (value: T) => number } {
  const kept: T[] = [];
  const places = new Map<string, number>();
  const place = (value: T): number => {
    const id = identity(value);
    const known = places.get(id);
    if (known !== undefined) return known;
    places.set(id, kept.length);
    return kept.push(value) - 1;
  };
  return { kept, place };
}
