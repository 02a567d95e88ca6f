/** Work on clusters in worker threads: shared out among them, and begun anew where one ends. */
import type { Worker } from "node:worker_threads";
import type { LogEntry } from "../../objects/log-entry.ts";
import type { BeginWork } from "../cluster-work.ts";
import { accused } from "./accused.ts";
import type { FromWorker, ToWorker, WorkerTask } from "./messages.ts";
import { type Placed, placedCluster } from "./placed.ts";
import { type Seat, seatOf } from "./seat.ts";
import { newThread, type Thread } from "./thread.ts";
import { trials } from "./trials.ts";
import type { WorkerFacts } from "../../serve/metrics.ts";

export interface WorkersOptions {
  readonly count: number;
  readonly task: Omit<WorkerTask, "vitals">;
  /** @param name for people who look at threads */
  readonly start: (name: string, task: WorkerTask) => Worker;
  /** For how many seconds the loop of one may stand still. */
  readonly blockedSeconds: number;
  /** For how long a cluster under suspicion is tried. */
  readonly trialMs: number;
  readonly log: (entry: LogEntry) => void;
  readonly took: (cluster: string, seconds: number) => void;
  /** Why a catalogue cannot be read. */
  readonly unread: (reason: string) => void;
  /** Ends all of them at once. */
  readonly cut: AbortSignal;
}

export interface Workers {
  readonly begin: BeginWork;
  readonly facts: () => readonly WorkerFacts[];
  readonly suspects: () => number;
}

/** Of the worker in which suspects are tried. */
const TRIALS = "trials";

export function workInWorkers(options: WorkersOptions): Workers {
  const { count, task, start, blockedSeconds, trialMs, log, took, cut } = options;
  const names = [...Array.from({ length: count }, (_, index) => String(index + 1)), TRIALS];
  const ends = new Map(names.map((name) => [name, 0]));
  const opener = (name: string) => (heard: (message: FromWorker) => void) => {
    log({ level: "info", msg: "worker started", fields: { worker: name, memory: `${task.memoryMiB}Mi` } });
    const thread = newThread({ task, start: (whole) => start(`anp worker ${name}`, whole), heard, blockedSeconds });
    const end = (): void => thread.end("the watch ends");
    cut.addEventListener("abort", end);
    void thread.ended.then(() => cut.removeEventListener("abort", end));
    return thread;
  };
  const heard = (message: FromWorker): void => {
    if (message.kind === "log") for (const entry of message.entries) log(entry);
    if (message.kind === "unread") options.unread(message.reason);
  };
  const told = (worker: string, reason: string, fields: LogEntry["fields"]): void => {
    ends.set(worker, (ends.get(worker) ?? 0) + 1);
    log({ level: "error", msg: "worker ended", fields: { worker, reason, ...fields } });
  };

  const place = (one: Placed): void => {
    if (one.isStopping()) one.stopped();
    else if (court.mustWait(one)) court.add(one);
    else seats.reduce((best, seat) => (seat.size() < best.size() ? seat : best)).take(one);
  };
  const court = trials({
    open: opener(TRIALS),
    heard,
    cut,
    trialMs,
    tried: (ones) =>
      ones.length === 1
        ? log({ level: "info", msg: "tried by itself", fields: { cluster: namesOf(ones) } })
        : log({ level: "info", msg: "tried together", fields: { clusters: ones.length, suspects: namesOf(ones) } }),
    ended: (ones, why) => told(TRIALS, why, { clusters: ones.length, suspects: namesOf(ones) }),
    guilty: ({ name }, why, waitMs) => {
      const again = `${Math.round(waitMs / 1000)}s`;
      log({ level: "error", msg: "ends its worker", fields: { cluster: name, reason: why, again } });
    },
    acquitted: place,
  });
  const seats = names.slice(0, count).map((name): Seat =>
    seatOf({
      open: opener(name),
      heard,
      cut,
      accused: accused({ lastGuilty: court.lastGuilty, now: () => performance.now() }),
      ended: (why, clusters, suspects) => {
        told(name, why, { clusters, suspects: namesOf(suspects) || undefined });
        court.accuse(suspects.filter((one) => !one.isStopping()));
      },
    }),
  );

  return {
    begin: (found, name, desk) => {
      const one = placedCluster({ found, name, desk, took, cut });
      const tell = (kind: Exclude<ToWorker["kind"], "begin">): void =>
        (seats.find((seat) => seat.has(one)) ?? court).tell(one, kind);
      place(one);
      return {
        news: () => tell("news"),
        credentials: () => tell("credentials"),
        guest: { requests: () => one.requests().guest },
        management: { requests: () => one.requests().management },
        stop: () => one.stop(() => tell("end")),
      };
    },
    facts: () => {
      const of = (worker: string, clusters: number, thread: Thread | undefined): WorkerFacts => ({
        worker,
        clusters,
        heapMiB: thread?.vitals.heapMiB() ?? 0,
        outsideMiB: thread?.vitals.outsideMiB() ?? 0,
        ends: ends.get(worker) ?? 0,
      });
      return [
        ...seats.map((seat, index) => of(String(index + 1), seat.size(), seat.thread())),
        of(TRIALS, court.count(), court.thread()),
      ];
    },
    suspects: court.count,
  };
}

function namesOf(ones: readonly Placed[]): string {
  return ones.map(({ name }) => name).join(",");
}
