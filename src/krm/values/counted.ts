/** Counts for sentences: `1 node`, `3 nodes`, `a, b and 3 others`; and the first of many places. */

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${String(count)} ${count === 1 ? one : many}`;
}

/** How many there are of each kind, in the order of the kinds; kinds without any are left out. */
export function tally<Kind, Item>(
  kinds: readonly Kind[],
  items: readonly Item[],
  kindOf: (item: Item) => Kind,
): (readonly [kind: Kind, count: number])[] {
  const counts = kinds.map((kind) => [kind, items.filter((item) => kindOf(item) === kind).length] as const);
  return counts.filter(([, count]) => count > 0);
}

/** The first `most` names, and the number of the rest. */
export function someOf(texts: readonly string[], most: number): string {
  const shown = texts.slice(0, most).join(", ");
  return texts.length > most ? `${shown} and ${counted(texts.length - most, "other")}` : shown;
}

/** At most this many places of equal findings, proofs or changes are shown, and the rest counted. */
const PLACES_SHOWN = 5;

/** The first places, each once; `--all` lists the others. */
export function firstPlaces(places: readonly string[], most = PLACES_SHOWN): string {
  const distinct = [...new Set(places)];
  const more = distinct.length > most ? ` and ${distinct.length - most} more; --all lists them` : "";
  return `${distinct.slice(0, most).join(", ")}${more}`;
}
