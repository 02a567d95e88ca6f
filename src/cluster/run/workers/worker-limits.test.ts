/** How many workers there are, and what each may have of the memory. */
import { expect, test } from "vitest";
import { memoryOf, workersOf } from "./worker-limits.ts";

test.each([
  [0, 1],
  [1, 1],
  [2, 2],
  [64, 4],
])("%i processors: %i workers", (processors, workers) => {
  expect(workersOf(processors)).toBe(workers);
});

test.each([
  ["a container of 512 MiB", 512, 4, 128],
  ["a container of 1 GiB", 1024, 4, 153],
  ["a container of 1 GiB and two workers", 1024, 2, 256],
  ["a container of 4 GiB", 4096, 4, 768],
  ["a machine", 262_144, 4, 1024],
])("in %s (%i MiB) each of %i workers has %i MiB", (_where, total, workers, memory) => {
  expect(memoryOf(total, workers)).toBe(memory);
});
