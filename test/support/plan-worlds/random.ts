/** Random choices that a seed repeats. */
export interface Random {
  /** From 0 up to, and without, `below`. */
  readonly nat: (below: number) => number;
  readonly between: (least: number, most: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: <T>(values: readonly T[]) => T;
  /** Different ones, in the order of `values`. */
  readonly some: <T>(values: readonly T[], count: number) => T[];
}

export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  // mulberry32
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const nat = (below: number): number => Math.floor(next() * below);
  const pick = <T>(values: readonly T[]): T => values[nat(values.length)]!;
  return {
    nat,
    pick,
    between: (least, most) => least + nat(most - least + 1),
    chance: (probability) => next() < probability,
    some: (values, count) => {
      const left = values.map((value, at) => ({ value, at }));
      const chosen = Array.from({ length: Math.min(count, values.length) }, () => left.splice(nat(left.length), 1)[0]!);
      return chosen.toSorted((a, b) => a.at - b.at).map(({ value }) => value);
    },
  };
}
