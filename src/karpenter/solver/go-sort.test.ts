/** The order of equal elements is that of Go's sort.Slice, by sums that Go 1.26.8 computed. */
import { expect, it } from "vitest";
import { goSort } from "./go-sort.ts";

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
