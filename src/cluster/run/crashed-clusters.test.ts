/** Clusters that were in a pass at a crash: how long they wait, and what ends that. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { fleetState } from "../fleet/fleet-state.ts";
import { crashBook } from "../lease/crashes.ts";
import type { LogEntry } from "../objects/log-entry.ts";
import { crashedClusters } from "./crashed-clusters.ts";

const MINUTE = 60_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** @param crashes how often each cluster was in a pass at a crash @param pass what comes of one in a process of its own */
function start(crashes: Readonly<Record<string, number>>, pass: (name: string) => Promise<string | undefined>) {
  const begun = Date.now();
  const lines: LogEntry[] = [];
  const passes: string[] = [];
  const saved: string[] = [];
  const book = crashBook(Date.now);
  for (const [cluster, count] of Object.entries(crashes)) for (let index = 0; index < count; index++) book.add(cluster);
  const state = fleetState([], () => undefined);
  const { untilWell, notes } = crashedClusters({
    book,
    save: (cluster) => void saved.push(cluster),
    worksUntil: () => Infinity,
    log: (entry) => void lines.push(entry),
    passAlone: ({ name }) => {
      passes.push(`${name} ${Math.round((Date.now() - begun) / 1000)}`);
      return pass(name);
    },
  });
  const well: string[] = [];
  const written: string[] = [];
  const end = new AbortController();
  for (const name of ["a", "b", "c"]) {
    const reporter = state.add({ name, hostedCluster: name });
    const writeReady = (words: string) => Promise.resolve(void written.push(`${name} ${words}`));
    void untilWell({ key: name, name, reporter, signal: end.signal, writeReady }).then(() => well.push(name));
  }
  const of = (name: string) => state.fleet.clusters().find((one) => one.name === name);
  return { lines, passes, saved, notes, well, written, end, of, book };
}

const ends = () => Promise.resolve(undefined);
const crashes = () => Promise.resolve("it was ended by SIGKILL");

test("all others begin at once, and one that crashed once after a pass alone", async () => {
  const { well, passes, of, notes, written } = start({ b: 1 }, ends);
  await vi.advanceTimersByTimeAsync(0);
  expect(well).toEqual(["a", "c"]);
  expect(of("b")).toMatchObject({ phase: "backing-off", broken: expect.stringContaining("crashed once") as string });
  expect(notes()).toEqual([expect.stringMatching(/^b: a process of this watch crashed once/)]);
  await vi.advanceTimersByTimeAsync(2000);
  expect([well, passes, notes()]).toEqual([["a", "c", "b"], ["b 1"], []]);
  expect(written).toEqual([]);
});

test("one that crashes alone is tried again after 30 seconds, and twice as long each time", async () => {
  const { passes, saved, lines, book, written } = start({ a: 1 }, crashes);
  await vi.advanceTimersByTimeAsync(45 * MINUTE);
  const at = passes.map((text) => Number(text.split(" ")[1]));
  expect(at.slice(0, 6)).toEqual([1, 31, 91, 211, 451, 931]);
  expect(at.slice(6).map((seconds, index) => seconds - at[index + 5]!)).toEqual(
    [600, 600, 600].slice(0, at.length - 6),
  );
  expect(saved).toHaveLength(passes.length);
  expect(written).toHaveLength(passes.length);
  expect(written[0]).toContain("a a process of this watch crashed 2 times while a pass of this cluster was running");
  expect(book.of("a")?.count).toBe(passes.length + 1);
  expect(lines.filter(({ msg }) => msg === "pass crashed")).toHaveLength(passes.length);
});

test("it waits no longer when the clock of the machine is set back, and a probe sees that it is alive", async () => {
  const { passes, of } = start({ a: 8 }, ends);
  vi.setSystemTime(Date.now() - 24 * 60 * MINUTE);
  let since = of("a")?.nextRun;
  for (let minutes = 0; minutes < 9; minutes += 1.5) {
    await vi.advanceTimersByTimeAsync(1.5 * MINUTE);
    expect(of("a")?.nextRun).not.toBe(since);
    since = of("a")?.nextRun;
  }
  await vi.advanceTimersByTimeAsync(1.5 * MINUTE);
  expect(passes).toHaveLength(1);
});

test("several have their passes one after another", async () => {
  let atOnce = 0;
  let most = 0;
  const { well } = start({ a: 1, b: 1, c: 1 }, async () => {
    most = Math.max(most, ++atOnce);
    await new Promise((resolve) => void setTimeout(resolve, 3000));
    atOnce--;
    return undefined;
  });
  await vi.advanceTimersByTimeAsync(15_000);
  expect([well, most]).toEqual([["a", "b", "c"], 1]);
});

test("two crashes within an hour: it has its passes in a process of its own until an hour has passed", async () => {
  const { well, passes } = start({ a: 2 }, ends);
  await vi.advanceTimersByTimeAsync(59 * MINUTE);
  expect(well).toEqual(["b", "c"]);
  expect(passes.length).toBeGreaterThan(55);
  await vi.advanceTimersByTimeAsync(3 * MINUTE);
  expect(well).toEqual(["b", "c", "a"]);
});

test("one that is not ours any more waits for nothing, and for what its process had sent", async () => {
  const { well, end } = start({ a: 3 }, ends);
  end.abort();
  await vi.advanceTimersByTimeAsync(0);
  expect(well).toContain("a");
  const second = start({ a: 1 }, () => new Promise((resolve) => void setTimeout(() => resolve(undefined), 2000)));
  await vi.advanceTimersByTimeAsync(1500);
  second.end.abort();
  await vi.advanceTimersByTimeAsync(5000);
  expect(second.well).not.toContain("a");
  await vi.advanceTimersByTimeAsync(2000);
  expect(second.well).toContain("a");
});
