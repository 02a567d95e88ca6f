/** The order in which Go sorts strings: two texts in, which comes first out; for toSorted. */

/** Go compares the bytes of UTF-8, which are in the order of code points; UTF-16 is not where it needs two units. */
export function byBytes(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  for (let at = 0; at < end; at++) {
    const [left, right] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** Halves of a pair (d800 to dfff) stand for code points above all that need one unit. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
