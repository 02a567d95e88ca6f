/** Sequences of choices among ties: all of them if they are few, or some that lead far apart. */
import type { TieChoice } from "../../karpenter/solver/topology-group.ts";

/** The choices of one run, and how many there were each time. */
export interface Taken {
  readonly picks: readonly number[];
  readonly counts: readonly number[];
}

export interface Turn {
  readonly choose: TieChoice;
  /** What it has chosen so far. */
  readonly taken: Taken;
  /** A number below one, the next of the turn. */
  readonly random: () => number;
}

/** Takes the choices of `before` and then the first each time. */
export function replay(before: readonly number[]): Turn {
  return turnOf(
    () => 0,
    before,
    () => 0,
  );
}

/**
 * The next sequence after one that `replay` has taken, in the order of an odometer; undefined after the last. All runs
 * of a round are those of all sequences, because the rest of it leaves nothing to chance.
 */
export function following({ picks, counts }: Taken): readonly number[] | undefined {
  const at = picks.findLastIndex((pick, nth) => pick + 1 < counts[nth]!);
  return at === -1 ? undefined : [...picks.slice(0, at), picks[at]! + 1];
}

/**
 * Turns of different kinds, the same for the same number: domains that always come first in an order of the turn; those
 * that come first most of the time, as in small maps of Go; any with equal chance.
 *
 * @param before choices to begin with
 */
export function turn(number: number, before: readonly number[] = []): Turn {
  const random = randomOf(number);
  if (number === 1) return turnOf((sorted) => sorted.length - 1, before, random);
  switch (number % 3) {
    case 0:
      return turnOf((sorted) => nearest(sorted, number, 0), before, random);
    case 1:
      return turnOf((sorted) => nearest(sorted, number, random()), before, random);
    default:
      return turnOf((sorted) => Math.floor(random() * sorted.length), before, random);
  }
}

function turnOf(choose: TieChoice, before: readonly number[], random: () => number): Turn {
  const [picks, counts]: [number[], number[]] = [[], []];
  return {
    taken: { picks, counts },
    random,
    choose: (sorted) => {
      const given = before[picks.length];
      const pick = given === undefined ? choose(sorted) : given % sorted.length;
      picks.push(pick);
      counts.push(sorted.length);
      return pick;
    },
  };
}

/** The names stand on a circle, each turn in another order; the first from a place on it is taken. */
function nearest(sorted: readonly string[], number: number, from: number): number {
  const places = sorted.map((name) => (hash(name, number) - from + 1) % 1);
  return places.indexOf(Math.min(...places));
}

const RANGE = 2 ** 32;

/** FNV-1a, mixed; below one. */
function hash(text: string, seed: number): number {
  let state = seed >>> 0;
  for (let at = 0; at < text.length; at++) {
    state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
    state ^= state >>> 15;
  }
  return mixed(state) / RANGE;
}

function mixed(value: number): number {
  let state = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
  return (state ^ (state >>> 16)) >>> 0;
}

/** The same numbers for the same seed. */
function randomOf(seed: number): () => number {
  let state = mixed(seed);
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    return mixed(state) / RANGE;
  };
}
