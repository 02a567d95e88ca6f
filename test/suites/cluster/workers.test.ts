/** Real threads that are blocked, run out of memory or break: who pays for it, who is tried by itself, and what is told. */
import { Worker } from "node:worker_threads";
import { afterEach, describe, expect, test } from "vitest";
import { fleetState } from "../../../src/cluster/fleet/fleet-state.ts";
import type { LogEntry } from "../../../src/cluster/objects/log-entry.ts";
import { keepClusters } from "../../../src/cluster/run/keep-clusters.ts";
import { workInWorkers } from "../../../src/cluster/run/workers/work-in-workers.ts";

const SCRIPT = new URL("../../support/watch-workers/scripted-worker.ts", import.meta.url);
const MEMORY_MIB = 32;
const NO_SETTINGS = { value: {}, problem: undefined, print: "" };

interface Started {
  readonly count: number;
  readonly blockedSeconds?: number;
}

let cut = new AbortController();

afterEach(() => {
  cut.abort();
  cut = new AbortController();
});

function start({ count, blockedSeconds = 60 }: Started, ...names: readonly string[]) {
  const lines: LogEntry[] = [];
  const state = fleetState([], () => undefined);
  const log = (entry: LogEntry): void => void lines.push(entry);
  const workers = workInWorkers({
    count,
    task: {
      discover: {} as never,
      intervalMs: 0,
      concurrency: 2,
      shards: 1,
      fence: new SharedArrayBuffer(16),
      memoryMiB: MEMORY_MIB,
      catalogue: "",
    },
    start: (name, workerData) =>
      new Worker(SCRIPT, { name, workerData, resourceLimits: { maxOldGenerationSizeMb: MEMORY_MIB } }),
    blockedSeconds,
    trialMs: 5000,
    log,
    took: () => undefined,
    unread: () => undefined,
    cut: cut.signal,
  });
  const { begin } = workers;
  const keeper = keepClusters({ nameOf: (namespace) => namespace, state, log, isOurs: () => true, begin });
  for (const namespace of names) keeper.found({ namespace, settings: NO_SETTINGS });
  const of = (name: string) => state.fleet.clusters().find((one) => one.name === name);
  const told = (msg: string) => lines.filter((line) => line.msg === msg).map(({ fields }) => fields);
  return { workers, keeper, of, told };
}

const PATIENCE = { timeout: 60_000 };

describe("a worker", () => {
  test.each([
    ["blocks-a", 2, "its loop stood still for 2 seconds"],
    ["fills-a", 60, `it needed more than ${MEMORY_MIB} MiB of memory`],
    ["throws-a", 60, "Error: a slip of ours"],
  ])(
    "that %s ends: others go on, its own come back, and the culprit is found",
    { timeout: 120_000 },
    async (culprit, blockedSeconds, why) => {
      const { of, told, workers } = start({ count: 2, blockedSeconds }, culprit, "well-other", "well-own");
      await expect.poll(() => of("well-other")?.phase, PATIENCE).toBe("waiting");
      await expect.poll(() => told("worker ended").length, PATIENCE).toBe(1);
      const [first] = told("worker ended");
      expect(first).toMatchObject({ worker: "1", clusters: 2, suspects: expect.stringContaining(culprit) as string });
      expect(String(first?.["reason"])).toContain(why);
      // Whatever becomes of the culprit, the other one of its worker has its pass again.
      const passes = of("well-own")?.passes.ok ?? 0;
      await expect.poll(() => of("well-own")?.passes.ok, PATIENCE).toBeGreaterThan(passes);
      await expect.poll(() => told("ends its worker"), PATIENCE).toHaveLength(1);
      expect(told("ends its worker")[0]).toMatchObject({
        cluster: culprit,
        reason: expect.stringContaining(why) as string,
        again: "30s",
      });
      expect(of(culprit)).toMatchObject({
        phase: "backing-off",
        broken: expect.stringContaining(`the worker that kept it ended: ${why}`) as string,
        passes: { ok: 0, failed: 2 },
      });
      await expect.poll(() => workers.suspects(), PATIENCE).toBe(1);
      expect(workers.facts().map(({ worker, clusters, ends }) => ({ worker, clusters, ends }))).toEqual([
        { worker: "1", clusters: 1, ends: 1 },
        { worker: "2", clusters: 1, ends: 0 },
        { worker: "trials", clusters: 1, ends: 1 },
      ]);
      expect(of("well-other")?.passes).toEqual({ ok: 1, held: 0, failed: 0 });
    },
  );

  test(
    "that ends while one of its clusters hangs: that one is tried by itself, and is let go",
    { timeout: 120_000 },
    async () => {
      const { of, told } = start({ count: 1 }, "throws-a", "hangs-b");
      await expect.poll(() => told("tried by itself").map(({ cluster }) => cluster), PATIENCE).toContain("hangs-b");
      await expect.poll(() => told("ends its worker").map(({ cluster }) => cluster), PATIENCE).toEqual(["throws-a"]);
      expect(of("hangs-b")?.passes.failed).toBe(1);
    },
  );

  test(
    "that ends while no pass is running: its clusters are tried by halves, and the culprit waits alone",
    { timeout: 180_000 },
    async () => {
      const { of, told, workers } = start({ count: 1 }, "well-b", "later-a", "well-c", "well-d", "well-e");
      await expect.poll(() => told("worker ended").length, PATIENCE).toBe(1);
      expect(told("worker ended")[0]).toMatchObject({ clusters: 5, suspects: "well-b,later-a,well-c,well-d,well-e" });
      await expect
        .poll(() => told("ends its worker")[0], PATIENCE)
        .toMatchObject({
          cluster: "later-a",
          reason: expect.stringContaining("a slip of ours") as string,
          again: "30s",
        });
      await expect.poll(() => workers.suspects(), PATIENCE).toBe(1);
      const tried = told("tried together").map(({ suspects }) => suspects);
      expect(tried).toEqual(expect.arrayContaining(["well-b,later-a,well-c", "well-d,well-e"]));
      // Nobody else is found guilty, and all others are kept again.
      expect(workers.facts()[0]).toMatchObject({ worker: "1", clusters: 4, ends: 1 });
      for (const name of ["well-b", "well-c", "well-d", "well-e"]) {
        const passes = of(name)!.passes;
        expect(passes.failed).toBe(0);
        await expect.poll(() => of(name)?.phase, PATIENCE).toBe("waiting");
      }
      expect(new Set(told("ends its worker").map(({ cluster }) => cluster))).toEqual(new Set(["later-a"]));
    },
  );

  test("gives a cluster back only when nothing of it can be under way any more", { timeout: 60_000 }, async () => {
    const { keeper, told } = start({ count: 1 }, "throws-a");
    await expect.poll(() => told("worker ended").length, PATIENCE).toBe(1);
    const ended = performance.now();
    keeper.gone("throws-a");
    await keeper.settled(() => true);
    expect(performance.now() - ended).toBeGreaterThan(4500);
    expect(keeper.clusters()).toEqual([]);
  });

  test("that stands still gives nothing back, until it has been ended", { timeout: 60_000 }, async () => {
    const { keeper, told, of } = start({ count: 1, blockedSeconds: 2 }, "blocks-a");
    await expect.poll(() => of("blocks-a")?.phase, PATIENCE).toBe("running");
    await new Promise((resolve) => void setTimeout(resolve, 500));
    keeper.gone("blocks-a");
    await keeper.settled(() => true);
    expect(told("worker ended")).toHaveLength(1);
  });

  test("ends with the watch, whatever it does", { timeout: 60_000 }, async () => {
    const { keeper, told, of } = start({ count: 1 }, "blocks-a");
    await expect.poll(() => of("blocks-a")?.phase, PATIENCE).toBe("running");
    keeper.gone("blocks-a");
    cut.abort();
    await keeper.settled(() => true);
    expect(told("worker ended")).toEqual([]);
  });
});
