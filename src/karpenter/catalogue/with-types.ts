/** Restricts a catalogue to some of its instance types. */
import type { Catalogue } from "./catalogue.ts";

/** @param wanted gets the place of a type */
export function withTypes(catalogue: Catalogue, wanted: (type: number) => boolean): Catalogue {
  const places = catalogue.names.flatMap((_name, type) => (wanted(type) ? [type] : []));
  const narrowed = (of: Uint16Array): Uint16Array => Uint16Array.from(places, (type) => of[type]!);
  return {
    ...catalogue,
    names: places.map((type) => catalogue.names[type]!),
    labels: new Map([...catalogue.labels].map(([key, { sets, of }]) => [key, { sets, of: narrowed(of) }])),
    offerings: { ...catalogue.offerings, of: narrowed(catalogue.offerings.of) },
    allocatable: new Map(
      [...catalogue.allocatable].map(([name, amounts]) => [name, places.map((type) => amounts[type])]),
    ),
  };
}
