/** Places for passes: first come first served, never too many, and suspects only in half of them. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { silence } from "../../../src/cluster/api/silence.ts";
import { type Release, type Slots, slots } from "../../../src/cluster/waiting/slots.ts";

const tick = () => new Promise((resolve) => setImmediate(resolve));
const never = new AbortController().signal;

/** Takes places in this order: who has one, and what gives it back. */
function queue(places: Slots, signals: Readonly<Record<string, AbortSignal>> = {}) {
  const begun: string[] = [];
  const releases = new Map<string, Release>();
  const take = async (name: string): Promise<void> => {
    const release = await places.take(name.startsWith("s"), signals[name] ?? never);
    if (release === undefined) return;
    begun.push(name);
    releases.set(name, release);
  };
  return {
    begun,
    take,
    release: (name: string) => releases.get(name)?.(),
    slow: (name: string) => releases.get(name)?.slow(),
  };
}

test("whoever asks first is first", async () => {
  const { begun, take, release } = queue(slots(2));
  for (const name of ["a", "b", "c", "d"]) void take(name);
  await tick();
  expect(begun).toEqual(["a", "b"]);
  release("b");
  await tick();
  expect(begun).toEqual(["a", "b", "c"]);
});

test("suspects wait for each other, and nobody waits for them", async () => {
  const { begun, take, release } = queue(slots(4));
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

test("who turns slow keeps no place of those who are well, and there is an end of that, too", async () => {
  const { begun, take, release, slow } = queue(slots(1));
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
  // It has left already.
  expect(await after(() => slow("a"))).toBe("e");
});

test("one place is for everybody, and who gives up waiting leaves no gap", async () => {
  const end = new AbortController();
  const { begun, take, release } = queue(slots(1), { s2: end.signal });
  for (const name of ["s1", "s2", "a"]) void take(name);
  await tick();
  end.abort();
  release("s1");
  await tick();
  expect(begun).toEqual(["s1", "a"]);
});

test("however they come and go, there are never too many, and all get their turn", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 5 }), fc.array(fc.boolean(), { maxLength: 20 }), async (atOnce, all) => {
      const places = slots(atOnce);
      let running = 0;
      let suspects = 0;
      const done = all.map(async (isSuspect) => {
        const release = await places.take(isSuspect, never);
        running++;
        if (isSuspect) suspects++;
        expect(running).toBeLessThanOrEqual(atOnce);
        expect(suspects).toBeLessThanOrEqual(Math.max(1, Math.floor(atOnce / 2)));
        await tick();
        running--;
        if (isSuspect) suspects--;
        release?.();
      });
      await Promise.all(done);
    }),
    { numRuns: 50 },
  );
});

test("a server that was silent twice is left alone for a while, and asked again after it", () => {
  let now = 0;
  const server = silence(10_000, () => now);
  server.unanswered();
  expect(server.isFresh()).toBe(false);
  server.unanswered();
  expect(server.isFresh()).toBe(true);
  now = 10_000;
  expect(server.isFresh()).toBe(false);
  server.unanswered();
  expect(server.isFresh()).toBe(true);
  server.answered();
  expect(server.isFresh()).toBe(false);
});
