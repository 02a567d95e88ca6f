/** Counts for sentences: `1 node`, `3 nodes`, `a, b and 3 others`. */

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
