/** The semaphore for passes: first come first served, bounded, half of it for failed callers. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { circuitBreaker } from "../../../src/cluster/api/circuit-breaker.ts";
import { type ReleaseSlot, type Semaphore, semaphore } from "../../../src/cluster/waiting/semaphore.ts";

const tick = () => new Promise((resolve) => setImmediate(resolve));
const never = new AbortController().signal;

/** Acquires slots in this order: which callers have one, and how to release it. */
function queue(slots: Semaphore, signals: Readonly<Record<string, AbortSignal>> = {}) {
  const begun: string[] = [];
  const releases = new Map<string, ReleaseSlot>();
  const take = async (name: string): Promise<void> => {
    const release = await slots.acquire(name.startsWith("s"), signals[name] ?? never);
    if (release === undefined) return;
    begun.push(name);
    releases.set(name, release);
  };
  return {
    begun,
    take,
    release: (name: string) => releases.get(name)?.(),
    slow: (name: string) => releases.get(name)?.markSlow(),
  };
}

test("the first caller is served first", async () => {
  const { begun, take, release } = queue(semaphore(2));
  for (const name of ["a", "b", "c", "d"]) void take(name);
  await tick();
  expect(begun).toEqual(["a", "b"]);
  release("b");
  await tick();
  expect(begun).toEqual(["a", "b", "c"]);
});

test("callers that failed wait for each other, and healthy callers do not wait for them", async () => {
  const { begun, take, release } = queue(semaphore(4));
  for (const name of ["s1", "s2", "s3", "a", "b", "c"]) void take(name);
  await tick();
  expect(begun).toEqual(["s1", "s2", "a", "b"]);
  release("a");
  await tick();
  expect(begun.at(-1)).toBe("c");
  release("s1");
  await tick();
  expect(begun.at(-1)).toBe("s3");
});

test("a slow holder frees its slot for healthy callers, up to four times the slots", async () => {
  const { begun, take, release, slow } = queue(semaphore(1));
  for (const name of ["a", "b", "c", "d", "e"]) void take(name);
  const after = async (act: () => void) => {
    act();
    await tick();
    return begun.at(-1);
  };
  await tick();
  expect(await after(() => slow("a"))).toBe("b");
  expect(await after(() => slow("a"))).toBe("b");
  expect(await after(() => slow("b"))).toBe("c");
  expect(await after(() => slow("c"))).toBe("d");
  expect(await after(() => slow("d"))).toBe("d");
  expect(await after(() => release("a"))).toBe("e");
  // It was released already.
  expect(await after(() => slow("a"))).toBe("e");
});

test("a single slot serves all callers, and a caller that gives up leaves no gap", async () => {
  const end = new AbortController();
  const { begun, take, release } = queue(semaphore(1), { s2: end.signal });
  for (const name of ["s1", "s2", "a"]) void take(name);
  await tick();
  end.abort();
  release("s1");
  await tick();
  expect(begun).toEqual(["s1", "a"]);
});

test("in any order of calls, the bounds hold and every caller gets a slot", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 5 }), fc.array(fc.boolean(), { maxLength: 20 }), async (atOnce, all) => {
      const slots = semaphore(atOnce);
      let running = 0;
      let failed = 0;
      const done = all.map(async (hasFailed) => {
        const release = await slots.acquire(hasFailed, never);
        running++;
        if (hasFailed) failed++;
        expect(running).toBeLessThanOrEqual(atOnce);
        expect(failed).toBeLessThanOrEqual(Math.max(1, Math.floor(atOnce / 2)));
        await tick();
        running--;
        if (hasFailed) failed--;
        release?.();
      });
      await Promise.all(done);
    }),
    { numRuns: 50 },
  );
});

test("the circuit breaker opens after two requests without an answer, and closes later", () => {
  let now = 0;
  const server = circuitBreaker(10_000, () => now);
  server.timedOut();
  expect(server.isOpen()).toBe(false);
  server.timedOut();
  expect(server.isOpen()).toBe(true);
  now = 10_000;
  expect(server.isOpen()).toBe(false);
  server.timedOut();
  expect(server.isOpen()).toBe(true);
  server.answered();
  expect(server.isOpen()).toBe(false);
});
