/** Compares two texts as Go does, for toSorted. */

/** Go compares the bytes of UTF-8, which sort as the code points do; UTF-16 does not for characters of two units. */
export function byBytes(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  for (let at = 0; at < end; at++) {
    const [left, right] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** Surrogates (d800 to dfff) encode code points above all those of one unit. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
