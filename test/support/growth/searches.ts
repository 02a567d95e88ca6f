/** How many items the built-in functions go through that search or copy lists: coverage does not see into them. */

type Search = (this: readonly unknown[], ...args: unknown[]) => unknown;

/** Items that a call goes through, by what it answers. */
const LENGTHS: Readonly<Record<string, (list: readonly unknown[], answer: unknown) => number>> = {
  includes: (list) => list.length,
  indexOf: (list, answer) => (answer === -1 ? list.length : Number(answer) + 1),
  lastIndexOf: (list) => list.length,
  slice: (_list, answer) => (answer as unknown[]).length,
  concat: (_list, answer) => (answer as unknown[]).length,
  shift: (list) => list.length,
  unshift: (list) => list.length,
  splice: (list) => list.length,
};

/** From now on until its end. */
export function countSearches(): { readonly end: () => ReadonlyMap<string, number> } {
  const counts = new Map<string, number>();
  const own = Array.prototype as unknown as Record<string, Search>;
  const before = Object.keys(LENGTHS).map((name) => [name, own[name]!] as const);
  for (const [name, search] of before)
    own[name] = function counted(...args) {
      const answer: unknown = Reflect.apply(search, this, args);
      counts.set(`Array ${name}`, (counts.get(`Array ${name}`) ?? 0) + LENGTHS[name]!(this, answer));
      return answer;
    };
  return {
    end: () => {
      Object.assign(own, Object.fromEntries(before));
      return counts;
    },
  };
}
