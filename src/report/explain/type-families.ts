/** Names of instance types by family, the largest first: `c5.{xlarge,2xlarge}  m5.xlarge`. */

export function typeFamilies(names: readonly string[]): string[] {
  return families(names).map(([family, members]) => describe(family, members));
}

/** Up to this number each type is named; above it, each family is counted. */
const TYPES_SHOWN = 24;

/** @param limit how many families are named */
export function typesOrFamilies(names: readonly string[], limit: number): string[] {
  return names.length <= TYPES_SHOWN ? typeFamilies(names) : familyCounts(names, limit);
}

/** `m5 (8)  c5 (7)  and 40 others`. */
function familyCounts(names: readonly string[], limit: number): string[] {
  const all = families(names);
  const rest = all.slice(limit).reduce((sum, [, members]) => sum + members.length, 0);
  const shown = all
    .slice(0, limit)
    .map(([family, { length }]) => (family === "" ? `${length} others` : `${family} (${length})`));
  return rest === 0 ? shown : [...shown, `and ${rest} of other families`];
}

function families(names: readonly string[]): [string, string[]][] {
  const grouped = Map.groupBy(names, (name) => (name.includes(".") ? name.slice(0, name.indexOf(".")) : ""));
  return [...grouped].toSorted(([a, of], [b, others]) => others.length - of.length || (a < b ? -1 : 1));
}

function describe(family: string, names: readonly string[]): string {
  if (family === "") return names.join(" ");
  const sizes = names.map((name) => name.slice(family.length + 1)).toSorted(bySize);
  return sizes.length === 1 ? `${family}.${sizes[0]!}` : `${family}.{${sizes.join(",")}}`;
}

const SMALL = ["nano", "micro", "small", "medium", "large", "xlarge"];

/** In the order of AWS: large, xlarge, 2xlarge, …, then metal. */
function bySize(a: string, b: string): number {
  return rank(a) - rank(b) || (a < b ? -1 : 1);
}

function rank(size: string): number {
  const small = SMALL.indexOf(size);
  if (small !== -1) return small;
  const times = /^(?:metal-)?(\d+)xl(?:arge)?$/.exec(size)?.[1];
  return (times === undefined ? 0 : Number(times) + SMALL.length) + (size.startsWith("metal") ? 1000 : 0);
}
