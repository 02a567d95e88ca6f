/** Watches as hints: their events are limited, and a collection with more events waits for the next pass by the clock. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { failed, succeeded, unreachable } from "../../../src/cluster/api/api-answer.ts";
import type { ClusterApi, WatchEvent, WatchOptions } from "../../../src/cluster/api/cluster-api.ts";
import { watchQuota } from "../../../src/cluster/api/read-quota.ts";
import { OPENSHIFT_EC2_NODE_CLASSES, OPENSHIFT_NODE_POOLS } from "../../../src/cluster/api/served-kind.ts";
import { listAndWatch } from "../../../src/cluster/discover/list-and-watch.ts";
import { triggerOnChange } from "../../../src/cluster/run/watch-triggers.ts";
import { pause } from "../../../src/cluster/waiting/pause.ts";
import { wakeUp } from "../../../src/cluster/waiting/wake-up.ts";

let end: AbortController;

beforeEach(() => {
  vi.useFakeTimers();
  end = new AbortController();
});

afterEach(() => {
  end.abort();
  vi.useRealTimers();
});

function event(type: WatchEvent["type"], name: string): WatchEvent {
  const metadata = { name, uid: name, resourceVersion: "7" };
  return { type, object: { ...OPENSHIFT_NODE_POOLS, metadata } };
}

/** Tells so many objects whenever it is opened, and goes on. */
function telling(count: number, bytesOfEach = 100) {
  const told = { opened: 0, events: 0, closed: 0, from: [] as string[] };
  const watch: ClusterApi["watch"] = async function* (_collection, { resourceVersion, signal, onBytes }: WatchOptions) {
    told.opened++;
    told.from.push(resourceVersion);
    try {
      for (let index = 0; index < count; index++) {
        told.events++;
        onBytes?.(bytesOfEach);
        yield succeeded(event("ADDED", `p${index}`));
      }
      await pause(3_600_000, signal);
    } finally {
      told.closed++;
    }
  };
  return { told, api: { watch } };
}

const MINUTES = 60_000;
const PLENTY = { bytes: 1e9, objects: 1e6 };

test.each([
  ["objects", { ...PLENTY, objects: 30 }, 31, "more than 30 objects"],
  ["bytes", { ...PLENTY, bytes: 1024 * 1024 }, 11, "more than 1 MiB in 10 minutes"],
])("a watch that tells more %s than it may is closed, told once and tried again much later", async (...given) => {
  const [, limits, most, words] = given;
  const { told, api } = telling(1000, 100_000);
  const unwatched: string[] = [];
  let broke = 0;
  void triggerOnChange(api, OPENSHIFT_NODE_POOLS, wakeUp(), {
    signal: end.signal,
    random: () => 0,
    budget: watchQuota(limits),
    pulse: { heard: () => undefined, broke: () => broke++ },
    onUnwatched: ({ kind }, why) => unwatched.push(`${kind}: ${why}`),
  });
  await vi.advanceTimersByTimeAsync(9 * MINUTES);
  expect(told).toEqual({ opened: 1, events: most, closed: 1, from: [""] });
  expect(broke).toBe(1);
  expect(unwatched).toEqual([expect.stringContaining(words)]);
  await vi.advanceTimersByTimeAsync(2 * MINUTES);
  // From the beginning: what was known is not kept.
  expect(told).toMatchObject({ opened: 2, from: ["", ""] });
  expect(told.events).toBeGreaterThan(most);
  expect(unwatched).toHaveLength(1);
});

test("all watches of a cluster together may know so many objects, and one that is given up takes none from the others", async () => {
  const budget = watchQuota({ ...PLENTY, objects: 30 });
  const [few, many] = [telling(20), telling(20)];
  const options = { signal: end.signal, random: () => 0, budget };
  void triggerOnChange(few.api, OPENSHIFT_NODE_POOLS, wakeUp(), options);
  await vi.advanceTimersByTimeAsync(1);
  void triggerOnChange(many.api, OPENSHIFT_EC2_NODE_CLASSES, wakeUp(), options);
  await vi.advanceTimersByTimeAsync(1);
  expect([few.told.closed, many.told.closed]).toEqual([0, 1]);
  expect(budget.spent()).toBe(undefined);
});

/** Each watch tells that there is nothing to tell, and ends after so long. */
function ending(afterMs: number) {
  const told = { opened: 0 };
  const watch: ClusterApi["watch"] = async function* (_collection, { signal }: WatchOptions) {
    told.opened++;
    yield succeeded(event("BOOKMARK", ""));
    await pause(afterMs, signal);
  };
  return { told, api: { watch } };
}

test("a server that ends each watch at once is asked ever more seldom, one that ends it after a while is asked on at once", async () => {
  const [hasty, well] = [ending(0), ending(11_000)];
  const options = { signal: end.signal, random: () => 0 };
  void triggerOnChange(hasty.api, OPENSHIFT_NODE_POOLS, wakeUp(), options);
  void triggerOnChange(well.api, OPENSHIFT_NODE_POOLS, wakeUp(), options);
  await vi.advanceTimersByTimeAsync(11 * MINUTES);
  // After 0.5 seconds, 1, 2 … 32, and then each minute.
  expect(hasty.told.opened).toBeLessThan(20);
  expect(well.told.opened).toBe(61);
});

test("a collection that is followed is watched as seldom where each watch ends at once", async () => {
  const [hasty, expired, well] = [ending(0), { opened: 0 }, ending(11_000)];
  let lists = 0;
  const list: ClusterApi["list"] = async () => {
    lists++;
    return succeeded({ items: [], resourceVersion: "1" });
  };
  const tooOld: ClusterApi["watch"] = async function* () {
    expired.opened++;
    yield failed({ ...unreachable("too old"), kind: "expired" });
  };
  const options = {
    signal: end.signal,
    random: () => 0,
    changed: () => undefined,
    gone: () => undefined,
    trouble: () => undefined,
  };
  void listAndWatch({ list, ...hasty.api }, OPENSHIFT_NODE_POOLS, options);
  void listAndWatch({ list, watch: tooOld }, OPENSHIFT_NODE_POOLS, options);
  void listAndWatch({ list, ...well.api }, OPENSHIFT_NODE_POOLS, options);
  await vi.advanceTimersByTimeAsync(11 * MINUTES);
  expect(hasty.told.opened).toBeLessThan(20);
  expect(expired.opened).toBeLessThan(20);
  expect(well.told.opened).toBe(61);
  expect(lists).toBeLessThan(25);
});

test("what was told long ago is forgiven, and what is gone is not counted", () => {
  let now = 0;
  const budget = watchQuota({ bytes: 1000, objects: 10 }, () => now);
  for (let minute = 0; minute < 60; minute++) {
    now += MINUTES;
    budget.heard(100);
    budget.knows(10);
    expect(budget.spent()).toBe(undefined);
    budget.knows(-10);
  }
  budget.heard(1000);
  expect(budget.spent()).toMatchObject({ kind: "tooLarge" });
});
