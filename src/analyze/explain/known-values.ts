/** The values of each label that occur in a catalogue. */
import { type Catalogue, UNKNOWN } from "../../karpenter/catalogue/catalogue.ts";
import { KNOWN_VALUES } from "../../model/labels.ts";

export type KnownValues = ReadonlyMap<string, ReadonlySet<string>>;

/** One set for each key. A key is left out if the catalogue may lack some of its values. */
export function knownValues({ labels, offerings }: Catalogue): KnownValues {
  const known = new Map<string, ReadonlySet<string>>();
  for (const [key, { sets, of }] of labels) {
    if (!of.includes(UNKNOWN)) known.set(key, new Set(sets.flatMap(({ values }) => [...values])));
  }
  const offered = offerings.sets.flat();
  for (const key of new Set(offered.flatMap(({ requirements }) => [...requirements.keys()]))) {
    const asked = offered.map(({ requirements }) => requirements.get(key));
    // An offering without the key may have any value.
    if (asked.includes(undefined)) continue;
    known.set(key, new Set(asked.flatMap((requirement) => [...(requirement?.values ?? [])])));
  }
  // Karpenter compares with these values. No catalogue lists reserved capacity.
  for (const [key, values] of Object.entries(KNOWN_VALUES)) known.set(key, new Set(values));
  return known;
}
