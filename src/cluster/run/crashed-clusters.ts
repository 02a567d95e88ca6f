/** Quarantine after a crash: passes of the cluster run in a process of their own, with backoff. */
import type { StatusReporter } from "../fleet/fleet-state.ts";
import type { CrashBook } from "../lease/crashes.ts";
import type { Crash } from "../lease/crashes.ts";
import type { LogEntry } from "../objects/log-entry.ts";
import { pause } from "../waiting/pause.ts";
import { semaphore } from "../waiting/semaphore.ts";
import { AFTER_CUT_MS } from "./end-work.ts";
import type { passAlone } from "./pass-alone.ts";

export interface CrashedOptions {
  readonly book: CrashBook;
  /** Writes the crashes of a cluster to the Lease, for its next holder. */
  readonly save: (cluster: string) => void;
  /** Until when this replica may work, by `performance.now()`. */
  readonly worksUntil: () => number;
  readonly log: (entry: LogEntry) => void;
  readonly passAlone: typeof passAlone;
}

interface Waiting {
  /** Its name in notes on Leases. */
  readonly key: string;
  readonly name: string;
  readonly reporter: StatusReporter;
  readonly signal: AbortSignal;
  /** Reports it to the users of this cluster. */
  readonly writeReady: (words: string) => Promise<void>;
}

export interface CrashedClusters {
  /** Ends when the cluster may have passes in this process: at once unless it was in a pass at a crash. */
  readonly untilWell: (cluster: Waiting) => Promise<void>;
  /** Lines for the probes. */
  readonly notes: () => readonly string[];
}

/** The other clusters of its shard begin first. */
const LAST_MS = 1000;
const FIRST_MS = 30_000;
const LONGEST_MS = 10 * 60_000;
/** Between two passes of a cluster that stays in a process of its own. */
const AGAIN_MS = 60_000;

const ALIVE_MS = 60_000;

/** One crash may have any cause: the node, the kernel, another cluster that was in a pass. */
const CHANCE = 1;

export function crashedClusters({ book, save, worksUntil, log, passAlone: pass }: CrashedOptions): CrashedClusters {
  const turns = semaphore(1);
  const waiting = new Map<string, string>();
  /** By cluster: the last crash after which a pass succeeded. */
  const well = new Map<string, Crash>();

  const rest = async (
    { key, name, reporter, signal, writeReady }: Waiting,
    crash: Crash,
    isWell: boolean,
  ): Promise<void> => {
    const waitMs = isWell ? AGAIN_MS : waitMsOf(crash);
    const words = wordsOf(crash, waitMs);
    waiting.set(key, `${name}: ${words}`);
    reporter.ended({ result: undefined, broken: words, end: new Date() });
    const fields = { cluster: name, crashes: crash.count, reason: words };
    log({ level: "error", msg: "in a pass at a crash", fields });
    // After one crash a pass follows at once, and a pass that ended has written the current state.
    if (crash.count > CHANCE && !isWell) await writeReady(words);
    const next = performance.now() + waitMs;
    for (let left = waitMs; left > 0 && !signal.aborted; left = next - performance.now()) {
      // Reported repeatedly: the liveness probe takes a long phase for a timer that never fires.
      reporter.report("backing-off", new Date(Date.now() + left));
      await pause(Math.min(left, ALIVE_MS), signal);
    }
  };
  const passOf = async ({ key, name, reporter, signal }: Waiting): Promise<void> => {
    reporter.report("queued");
    const release = await turns.acquire(false, signal);
    if (release === undefined) return;
    const before = book.of(key);
    if (before === undefined) return release();
    reporter.started();
    log({ level: "info", msg: "passes alone", fields: { cluster: name, crashes: before.count } });
    const why = await pass({ name, worksUntil, log, signal }).finally(release);
    // The API server may still execute requests that its process has sent.
    if (signal.aborted) await pause(AFTER_CUT_MS, new AbortController().signal);
    else if (why === undefined) well.set(key, before);
    else {
      log({ level: "error", msg: "pass crashed", fields: { cluster: name, reason: why } });
      book.add(key);
      save(key);
    }
  };

  return {
    untilWell: async (cluster) => {
      const { key, reporter, signal } = cluster;
      for (;;) {
        const crash = book.of(key);
        const isWell = crash !== undefined && well.get(key) === crash;
        if (crash === undefined || signal.aborted || (isWell && crash.count <= CHANCE)) break;
        await rest(cluster, crash, isWell);
        if (!signal.aborted) await passOf(cluster);
      }
      if (waiting.delete(key)) reporter.report("waiting");
    },
    notes: () => [...waiting.values()],
  };
}

function waitMsOf({ count, last }: Crash): number {
  if (count <= CHANCE) return LAST_MS;
  const backoff = Math.min(FIRST_MS * 2 ** (count - CHANCE - 1), LONGEST_MS);
  // The machine's clock may have been set in the meantime.
  return Math.min(Math.max(LAST_MS, last + backoff - Date.now()), backoff);
}

function wordsOf({ count }: Crash, waitMs: number): string {
  const often = count === 1 ? "once" : `${count} times`;
  const seconds = Math.ceil(waitMs / 1000);
  return (
    `a process of this watch crashed ${often} while a pass of this cluster was running. ` +
    `The cluster has its next pass in ${seconds} s, in a process of its own; other clusters are not affected. ` +
    "If it happens again, look for what is unusual in this guest cluster, such as many or large objects, and report it."
  );
}
