/** Sets of instance types as bits, by their place in the catalogue. */

/** As bits, because questions are asked of thousands of pools. */
export type TypeMask = Uint32Array;

/** @param size the number of instance types in the catalogue */
export function maskOf(size: number, includes: (index: number) => boolean): TypeMask {
  const mask = new Uint32Array(Math.ceil(size / 32));
  for (let index = 0; index < size; index++) {
    if (includes(index)) mask[index >>> 5]! |= 1 << (index & 31);
  }
  return mask;
}

export function both(a: TypeMask, b: TypeMask): TypeMask {
  return a.map((word, index) => word & b[index]!);
}

export function without(a: TypeMask, b: TypeMask): TypeMask {
  return a.map((word, index) => word & ~b[index]!);
}

export function either(a: TypeMask, b: TypeMask): TypeMask {
  return a.map((word, index) => word | b[index]!);
}

export function isNone(mask: TypeMask): boolean {
  return mask.every((word) => word === 0);
}

export function includesType(mask: TypeMask, index: number): boolean {
  return ((mask[index >>> 5]! >>> (index & 31)) & 1) === 1;
}

export function countTypes(mask: TypeMask): number {
  let count = 0;
  for (let word of mask) {
    while (word !== 0) {
      word &= word - 1;
      count++;
    }
  }
  return count;
}

/** The places of the instance types, ascending. */
export function indexesOf(mask: TypeMask): number[] {
  const indexes: number[] = [];
  for (const [at, word] of mask.entries()) {
    for (let bit = 0; bit < 32; bit++) if ((word >>> bit) & 1) indexes.push(at * 32 + bit);
  }
  return indexes;
}
