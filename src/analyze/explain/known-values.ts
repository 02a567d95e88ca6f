/** The values of labels that a catalogue knows. */
import { type Catalogue, UNKNOWN } from "../../karpenter/catalogue/catalogue.ts";
import { KNOWN_VALUES } from "../../model/labels.ts";

export type KnownValues = ReadonlyMap<string, ReadonlySet<string>>;

/** One set for each key; none where the catalogue may not know all. */
export function knownValues({ labels, offerings }: Catalogue): KnownValues {
  const known = new Map<string, ReadonlySet<string>>();
  for (const [key, { sets, of }] of labels) {
    if (!of.includes(UNKNOWN)) known.set(key, new Set(sets.flatMap(({ values }) => [...values])));
  }
  const offered = offerings.sets.flat();
  for (const key of new Set(offered.flatMap(({ requirements }) => [...requirements.keys()]))) {
    const asked = offered.map(({ requirements }) => requirements.get(key));
    // An offering that says nothing of the key may have any value.
    if (asked.includes(undefined)) continue;
    known.set(key, new Set(asked.flatMap((requirement) => [...(requirement?.values ?? [])])));
  }
  // What Karpenter itself compares with: no catalogue lists reserved capacity.
  for (const [key, values] of Object.entries(KNOWN_VALUES)) known.set(key, new Set(values));
  return known;
}
