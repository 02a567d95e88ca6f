/** What anp has made in a guest cluster, as a value: entries in parts, and what changes them. */

/** One object, by kind and name. */
export interface Entry {
  readonly kind: string;
  readonly name: string;
  /** Undefined until it is made. */
  readonly uid?: string | undefined;
  /** A print of how anp left it; undefined where nobody can tell. */
  readonly left?: string | undefined;
  /** anp deletes it: the entry goes with it. */
  readonly goes?: true | undefined;
}

/**
 * Written where the users of the guest cluster cannot write. Each entry stays in the part where it was first written,
 * so that no write of one part takes anything from another.
 */
export type Parts = readonly (readonly Entry[])[];

/** By `Kind/name`. */
export type Known = ReadonlyMap<string, Entry>;

export interface Change {
  /** Of objects that are about to be made; what is known of them already stays. */
  readonly enter: readonly Entry[];
  /** As they are from now on. */
  readonly set: readonly Entry[];
  /** Those that are gone. Another object of the name is another entry. */
  readonly drop: readonly Entry[];
}

/** A ConfigMap holds a megabyte; nobody should come near. */
const PART_BYTES = 512 * 1024;

/** What an entry grows to: a uid and a print. */
const GROWN = { uid: "-".repeat(36), left: "-".repeat(16), goes: true } as const;

export function knownOf(parts: Parts): Known {
  return new Map(parts.flat().map((entry) => [entryId(entry), entry]));
}

export function entryId({ kind, name }: Pick<Entry, "kind" | "name">): string {
  return `${kind}/${name}`;
}

export function isEmpty({ enter, set, drop }: Change): boolean {
  return enter.length + set.length + drop.length === 0;
}

/** @param partBytes of a part, for tests */
export function changed(parts: Parts, change: Change, partBytes = PART_BYTES): Parts {
  const known = knownOf(parts);
  const dropped = new Set(change.drop.filter((entry) => known.get(entryId(entry))?.uid === entry.uid).map(entryId));
  const set = new Map([
    ...change.enter.filter((entry) => !known.has(entryId(entry))).map((entry) => [entryId(entry), entry] as const),
    ...change.set.map((entry) => [entryId(entry), entry] as const),
  ]);
  const next = parts.map((part) =>
    part.filter((entry) => !dropped.has(entryId(entry))).map((entry) => set.get(entryId(entry)) ?? entry),
  );
  const added = [...set.values()].filter((entry) => !known.has(entryId(entry)));
  const sizes = next.map((part) => part.reduce((sum, entry) => sum + grownBytes(entry), 0));
  for (const entry of added) {
    const bytes = grownBytes(entry);
    let at = sizes.findIndex((size) => size + bytes <= partBytes);
    if (at === -1) at = next.push([]) - 1;
    next[at] = [...next[at]!, entry];
    sizes[at] = (sizes[at] ?? 0) + bytes;
  }
  return next;
}

function grownBytes(entry: Entry): number {
  // With the comma and the end of its line.
  return Buffer.byteLength(JSON.stringify({ ...entry, ...GROWN })) + 2;
}
