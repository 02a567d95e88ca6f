/** When the next pass comes: by the clock, when there is news, later while passes fail; and that the end ends it. */
import { expect, test, vi } from "vitest";
import { wakeUp } from "../../../src/cluster/waiting/wake-up.ts";
import type { Fleet } from "../../../src/cluster/fleet/fleet.ts";
import { fleetState } from "../../../src/cluster/fleet/fleet-state.ts";
import { loop, type LoopOptions } from "../../../src/cluster/run/loop.ts";
import { backoffMs } from "../../../src/cluster/waiting/backoff.ts";
import type { PassResult } from "../../../src/cluster/status/outcomes.ts";
import { watchLiveness } from "../../../src/cluster/run/watch-triggers.ts";
import { semaphore } from "../../../src/cluster/waiting/semaphore.ts";

interface Given {
  readonly news: { raise: () => void };
  readonly fleet: Fleet;
}

/** The times of the passes in seconds, as long as results are left. */
async function times(
  results: PassResult[],
  happens: (given: Given) => void = () => undefined,
  more: Partial<Pick<LoopOptions, "mayRest" | "intervalMs" | "answers" | "slots">> = {},
) {
  vi.useFakeTimers();
  const start = Date.now();
  const seen: number[] = [];
  const end = new AbortController();
  const news = wakeUp();
  const { reporters, fleet } = fleetState([{ name: "c1", hostedCluster: "clusters-c1" }], () => end.abort());
  const options = {
    intervalMs: 60_000,
    signal: end.signal,
    random: () => 0.5,
    prepare: async () => undefined,
    answers: async () => true,
    slots: semaphore(1),
    ...more,
  };
  const pass = async (): Promise<PassResult> => {
    seen.push((Date.now() - start) / 1000);
    const result = results.shift();
    if (results.length === 0) end.abort();
    return result ?? "ok";
  };
  try {
    const running = loop(pass, news, { ...options, reporter: reporters[0]! });
    happens({ news, fleet });
    await vi.advanceTimersByTimeAsync(3_600_000);
    await running;
    return seen;
  } finally {
    vi.useRealTimers();
  }
}

test("by the clock without news", async () => {
  expect(await times(["ok", "held", "ok"])).toEqual([0, 60, 120]);
});

test("as soon as its servers answer, however many hang", async () => {
  const places = semaphore(2);
  // One of those that hang has the only place that suspects may take.
  await places.acquire(true, new AbortController().signal);
  const answers = [false, false, true];
  const asked = async (): Promise<boolean> => answers.shift()!;
  // Asked at once, after 3 seconds and after 6 more.
  expect(await times(["ok", "ok"], undefined, { slots: places, answers: asked })).toEqual([9, 69]);
  expect(answers).toEqual([]);
});

test("among those that hang, if a place is free there", async () => {
  const answers = vi.fn(async () => false);
  expect(await times(["ok", "ok"], undefined, { slots: semaphore(2), answers })).toEqual([0, 60]);
  expect(answers).toHaveBeenCalledTimes(1);
});

test("soon after news, once for many", async () => {
  const raise = ({ news }: Given) => {
    setTimeout(news.raise, 5000);
    setTimeout(news.raise, 5100);
  };
  expect(await times(["ok", "ok", "ok"], raise)).toEqual([0, 5.1, 65.1]);
});

test("news that never ends is followed at once for a while, and then every three seconds", async () => {
  const raise = ({ news }: Given) => void setInterval(news.raise, 10);
  const seen = await times(
    Array.from({ length: 120 }, () => "ok" as const),
    raise,
  );
  const between = seen.slice(1).map((time, index) => Math.round((time - seen[index]!) * 10) / 10);
  expect(between.slice(0, 20).every((seconds) => seconds < 0.4)).toBe(true);
  expect(between.slice(60).every((seconds) => seconds >= 2.9 && seconds <= 3.4)).toBe(true);
});

test("later and later while passes fail, and then as before", async () => {
  expect(await times(["failed", "failed", "failed", "ok", "failed", "ok"])).toEqual([0, 0.75, 2.25, 5.25, 65.25, 66]);
});

test("reconcileNow: at once, also while it backs off, and not while it is paused", async () => {
  const now = ({ fleet }: Given) => {
    setTimeout(() => fleet.reconcileNow("c1"), 10_000);
    setTimeout(() => fleet.reconcileNow("c1"), 10_100);
  };
  expect(await times(["ok", "failed", "failed", "ok"], now)).toEqual([0, 10, 10.1, 11.6]);
  const paused = ({ fleet }: Given) => {
    setTimeout(() => fleet.pause("c1"), 10_000);
    setTimeout(() => fleet.reconcileNow("c1"), 20_000);
    setTimeout(() => fleet.resume("c1"), 30_000);
  };
  expect(await times(["ok", "ok", "ok"], paused)).toEqual([0, 30, 90]);
});

test("quit ends it, whatever it is waiting for", async () => {
  for (const wait of ["waiting", "paused"]) {
    const quit = ({ fleet }: Given) => {
      if (wait === "paused") setTimeout(() => fleet.pause("c1"), 1000);
      setTimeout(fleet.quit, 10_000);
    };
    expect(await times(["ok", "ok"], quit)).toEqual([0]);
  }
});

test("never longer than two minutes", () => {
  expect(backoffMs(50, () => 1)).toBe(120_000);
  expect(backoffMs(1, () => 0)).toBe(500);
});

test("while all watches go on and nothing comes, the clock looks after ten minutes; news and failures wait for nothing", async () => {
  const mayRest = () => true;
  expect(await times(["ok", "ok", "ok"], undefined, { mayRest })).toEqual([0, 600, 1200]);
  const raise = ({ news }: Given) => void setTimeout(news.raise, 125_000);
  expect(await times(["ok", "ok", "ok"], raise, { mayRest })).toEqual([0, 125.1, 725.1]);
  expect((await times(["failed", "ok", "ok"], undefined, { mayRest })).slice(0, 2)).toEqual([0, 0.75]);
  let calls = 0;
  // A watch breaks in the third minute.
  expect(await times(["ok", "ok"], undefined, { mayRest: () => ++calls < 3 })).toEqual([0, 180]);
  expect(await times(["ok", "ok"], undefined, { mayRest, intervalMs: 10_000 })).toEqual([0, 10]);
});

test("it is quiet while each watch was heard not long ago, and none has broken since the last pass", () => {
  let now = 0;
  const watches = watchLiveness(() => now);
  expect(watches.isQuiet()).toBe(false);
  const [one, two] = [watches.pulse(), watches.pulse()];
  one.heard();
  expect(watches.isQuiet()).toBe(false);
  two.heard();
  expect(watches.isQuiet()).toBe(true);
  one.broke();
  one.heard();
  expect(watches.isQuiet()).toBe(false);
  watches.passed();
  expect(watches.isQuiet()).toBe(true);
  now = 200_000;
  expect(watches.isQuiet()).toBe(false);
});

test("a pass that takes long, such as behind a slow webhook, keeps the others waiting for ten seconds", async () => {
  vi.useFakeTimers();
  try {
    const start = Date.now();
    const { reporters, fleet } = fleetState(
      ["slow", "well"].map((name) => ({ name, hostedCluster: name })),
      () => end.abort(),
    );
    const end = new AbortController();
    const places = semaphore(1);
    const begun: [string, number][] = [];
    const running = ["slow", "well"].map((name, index) => {
      const pass = async (): Promise<PassResult> => {
        begun.push([name, (Date.now() - start) / 1000]);
        await new Promise((resolve) => setTimeout(resolve, name === "slow" ? 100_000 : 100));
        return "ok";
      };
      const options = {
        intervalMs: 60_000,
        signal: end.signal,
        random: () => 0.5,
        reporter: reporters[index]!,
        slots: places,
      };
      const known = { prepare: async () => undefined, answers: async () => true };
      return loop(pass, wakeUp(), { ...options, ...known });
    });
    await vi.advanceTimersByTimeAsync(75_000);
    fleet.quit();
    await vi.advanceTimersByTimeAsync(100_000);
    await Promise.all(running);
    expect(begun).toEqual([
      ["slow", 0],
      ["well", 10],
      ["well", 70.1],
    ]);
  } finally {
    vi.useRealTimers();
  }
});

test("who failed once and answers again waits for none that hang, however many they are", async () => {
  vi.useFakeTimers();
  try {
    const start = Date.now();
    const hanging = Array.from({ length: 10 }, (_, index) => `h${index}`);
    const names = [...hanging, "back"];
    const { reporters, fleet } = fleetState(
      names.map((name) => ({ name, hostedCluster: name })),
      () => end.abort(),
    );
    const end = new AbortController();
    const places = semaphore(2);
    const begun: number[] = [];
    const running = names.map((name, index) => {
      const pass = async (): Promise<PassResult> => {
        if (name === "back") begun.push((Date.now() - start) / 1000);
        await new Promise((resolve) => setTimeout(resolve, name === "back" ? 100 : 30_000));
        return name === "back" && begun.length > 1 ? "ok" : "failed";
      };
      const answers = async () => name === "back";
      const options = {
        intervalMs: 600_000,
        signal: end.signal,
        random: () => 0.5,
        reporter: reporters[index]!,
        slots: places,
      };
      return loop(pass, wakeUp(), { ...options, prepare: async () => undefined, answers });
    });
    await vi.advanceTimersByTimeAsync(120_000);
    fleet.quit();
    await vi.advanceTimersByTimeAsync(100_000);
    await Promise.all(running);
    expect(begun).toEqual([0, 0.85]);
  } finally {
    vi.useRealTimers();
  }
});
