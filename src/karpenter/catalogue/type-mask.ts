/** Sets of instance types as bits, by their place in the catalogue. */

/** Bits, because thousands of pools are evaluated. */
export type TypeMask = Uint32Array;

/** @param size the number of instance types in the catalogue */
export function maskOf(size: number, includes: (index: number) => boolean): TypeMask {
  const mask = new Uint32Array(Math.ceil(size / 32));
  for (let index = 0; index < size; index++) {
    if (includes(index)) mask[index >>> 5]! |= 1 << (index & 31);
  }
  return mask;
}

// Loops instead of callbacks: these run some fifty thousand times for a thousand pools.
export function both(a: TypeMask, b: TypeMask): TypeMask {
  const mask = new Uint32Array(a.length);
  for (let at = 0; at < mask.length; at++) mask[at] = a[at]! & b[at]!;
  return mask;
}

export function without(a: TypeMask, b: TypeMask): TypeMask {
  const mask = new Uint32Array(a.length);
  for (let at = 0; at < mask.length; at++) mask[at] = a[at]! & ~b[at]!;
  return mask;
}

export function either(a: TypeMask, b: TypeMask): TypeMask {
  const mask = new Uint32Array(a.length);
  for (let at = 0; at < mask.length; at++) mask[at] = a[at]! | b[at]!;
  return mask;
}

export function isNone(mask: TypeMask): boolean {
  for (let at = 0; at < mask.length; at++) if (mask[at] !== 0) return false;
  return true;
}

/** Whether the two masks overlap, without creating a third. */
export function haveCommon(a: TypeMask, b: TypeMask): boolean {
  for (let at = 0; at < a.length; at++) if ((a[at]! & b[at]!) !== 0) return true;
  return false;
}

export function includesType(mask: TypeMask, index: number): boolean {
  return ((mask[index >>> 5]! >>> (index & 31)) & 1) === 1;
}

export function countTypes(mask: TypeMask): number {
  let count = 0;
  for (let at = 0; at < mask.length; at++) count += countBits(mask[at]!);
  return count;
}

/** Sums of two, four and eight bits in parallel in one word. */
function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55_55_55_55);
  const fours = (pairs & 0x33_33_33_33) + ((pairs >>> 2) & 0x33_33_33_33);
  return Math.imul((fours + (fours >>> 4)) & 0x0f_0f_0f_0f, 0x01_01_01_01) >>> 24;
}

/** The places of the instance types, ascending. */
export function indexesOf(mask: TypeMask): number[] {
  const indexes: number[] = [];
  for (let at = 0; at < mask.length; at++) {
    for (let word = mask[at]!; word !== 0; word &= word - 1) indexes.push(at * 32 + 31 - Math.clz32(word & -word));
  }
  return indexes;
}
