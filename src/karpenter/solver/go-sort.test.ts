/** The order of equal elements is that of Go's sort.Slice, by sums that Go 1.26.8 computed. */
import { expect, it } from "vitest";
import { goSort, goSortMoved } from "./go-sort.ts";

interface Element {
  key: number;
  readonly id: number;
}

it.each<[size: number, values: number, sum: number]>([
  [5, 2, 855174],
  [12, 3, 246466],
  [13, 2, 237868],
  [20, 3, 169247],
  [49, 2, 542602],
  [50, 3, 878864],
  [64, 1, 732337],
  [100, 4, 899275],
  [300, 3, 185012],
  [1000, 5, 896542],
  [1000, 1000, 595560],
])("%i elements of %i keys, with one raised at a time", (size, values, expected) => {
  let seed = 7;
  const next = (below: number): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return (seed >>> 8) % below;
  };
  const list = Array.from({ length: size }, (_, id): Element => ({ key: next(values), id }));
  let sum = 0;
  const sort = (): void => {
    goSort(list, (a, b) => a.key < b.key);
    for (const [at, { id }] of list.entries()) sum = (sum * 31 + id + at) % 1_000_003;
  };
  sort();
  for (let round = 0; round < 200; round++) {
    list[next(size)]!.key++;
    sort();
  }
  expect(sum).toBe(expected);
});

it.each([13, 49, 50, 51, 64, 200, 1000])("one element of %i moves to the place that a whole sort gives it", (size) => {
  let seed = size;
  const next = (below: number): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return (seed >>> 8) % below;
  };
  const isLess = (a: Element, b: Element): boolean => a.key < b.key;
  const list = Array.from({ length: size }, (_, id): Element => ({ key: next(4), id }));
  goSort(list, isLess);
  for (let round = 0; round < 500; round++) {
    // A claim gets a pod, or there is a new claim with one pod.
    const isNew = next(3) === 0;
    const at = isNew ? list.push({ key: 1, id: size + round }) - 1 : next(next(2) === 0 ? 3 : list.length);
    if (!isNew) list[at]!.key++;
    const whole = [...list];
    goSort(whole, isLess);
    goSortMoved(list, at, isLess);
    expect(list.map(({ id }) => id)).toEqual(whole.map(({ id }) => id));
  }
});
