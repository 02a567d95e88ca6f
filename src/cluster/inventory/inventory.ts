/** The inventory: entries for the objects that anp created in a guest cluster, in parts. */

/** One object. */
export interface Entry {
  readonly kind: string;
  readonly name: string;
  /** Undefined until the object is created. */
  readonly uid?: string | undefined;
  /** The hash of the object as anp left it; undefined if it is not known. */
  readonly left?: string | undefined;
  /** anp deletes the object, and then removes the entry. */
  readonly goes?: true | undefined;
  /** Added by a repair: only the object's marks say that anp created it. It is applied and never deleted. */
  readonly repaired?: true | undefined;
  /** It lost its wrapper while users may write NodePools: it is theirs until the wrapper is back. */
  readonly released?: true | undefined;
}

/**
 * Users of the guest cluster cannot write it. Each entry stays in the part in which it was first written, so that a write
 * of one part never loses an entry of another part.
 */
export type Parts = readonly (readonly Entry[])[];

/** By `Kind/name`. */
export type Known = ReadonlyMap<string, Entry>;

export interface Change {
  /** Entries of objects that are about to be created. Entries that exist stay. */
  readonly enter: readonly Entry[];
  /** New values of entries. */
  readonly set: readonly Entry[];
  /** Entries of deleted objects, by uid too: a new object with the same name is another entry. */
  readonly drop: readonly Entry[];
}

/** A ConfigMap holds a megabyte, and each part also holds its earlier copy. */
const PART_BYTES = 480 * 1024;

/** Fields that an entry may get later: a uid, a hash and all flags. */
const GROWN = { uid: "-".repeat(36), left: "-".repeat(16), goes: true, repaired: true, released: true } as const;

export function knownOf(parts: Parts): Known {
  return new Map(parts.flat().map((entry) => [entryId(entry), entry]));
}

export function entryId({ kind, name }: Pick<Entry, "kind" | "name">): string {
  return `${kind}/${name}`;
}

/** Whether the inventory has an object of this kind and name that anp has not released. */
export function isListed(known: Known | undefined, id: string): boolean {
  const entry = known?.get(id);
  return entry !== undefined && entry.released !== true;
}

export function isEmpty({ enter, set, drop }: Change): boolean {
  return enter.length + set.length + drop.length === 0;
}

/** @param partBytes the size of a part, for tests */
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
  // And the comma and the newline.
  return Buffer.byteLength(JSON.stringify({ ...entry, ...GROWN })) + 2;
}
