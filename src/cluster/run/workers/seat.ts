/** The place of a worker: its clusters, and a thread for as long as there are some. */
import { backoffMs } from "../../waiting/backoff.ts";
import { AFTER_CUT_MS } from "../end-work.ts";
import type { FromWorker, ToWorker } from "./messages.ts";
import { isRunning, type Placed, waitFor } from "./placed.ts";
import type { Thread } from "./thread.ts";

export interface SeatOptions {
  readonly open: (heard: (message: FromWorker) => void) => Thread;
  /** Of no cluster alone. */
  readonly heard: (message: FromWorker) => void;
  /** Who of its clusters may have ended the thread. */
  readonly accused: (clusters: readonly Placed[]) => readonly Placed[];
  /** The thread ended: those that may have done it are in the seat no more. */
  readonly ended: (why: string, clusters: number, suspects: readonly Placed[]) => void;
  readonly cut: AbortSignal;
}

export interface Seat {
  readonly size: () => number;
  readonly take: (one: Placed) => void;
  readonly tell: (one: Placed, kind: Exclude<ToWorker["kind"], "begin">) => void;
  readonly has: (one: Placed) => boolean;
  readonly thread: () => Thread | undefined;
}

/** A thread that lasted for so long did not end because of how it began. */
const LASTED_MS = 10 * 60_000;

export function seatOf({ open, heard, accused, ended, cut }: SeatOptions): Seat {
  const placed = new Map<string, Placed>();
  let thread: Thread | undefined;
  let failures = 0;
  let reopening: NodeJS.Timeout | undefined;

  const hear = (message: FromWorker): void => {
    if (!("namespace" in message)) return heard(message);
    const one = placed.get(message.namespace);
    one?.heard(message);
    if (one !== undefined && message.kind === "stopped") remove(one);
  };
  const remove = (one: Placed): void => {
    placed.delete(one.found.namespace);
    one.stopped();
  };

  const start = (): void => {
    reopening = undefined;
    if (placed.size === 0 || cut.aborted) return;
    const begun = performance.now();
    const mine = open(hear);
    thread = mine;
    for (const { found } of placed.values()) mine.tell({ kind: "begin", cluster: found });
    void mine.ended.then((why) => close(why, performance.now() - begun));
  };
  const close = (why: string, lasted: number): void => {
    thread = undefined;
    const here = [...placed.values()];
    const suspects = accused(here);
    failures = lasted > LASTED_MS ? 1 : failures + 1;
    const again = Math.max(AFTER_CUT_MS, backoffMs(failures, Math.random));
    for (const one of here) {
      one.bereft(isRunning(one) ? brokenBy(why) : undefined);
      if (one.isStopping() || cut.aborted) remove(one);
      else if (suspects.includes(one)) placed.delete(one.found.namespace);
      else waitFor(one, again);
    }
    if (cut.aborted) return;
    reopening = setTimeout(start, again);
    ended(why, here.length, suspects);
  };

  return {
    size: () => placed.size,
    has: (one) => placed.get(one.found.namespace) === one,
    thread: () => thread,
    take: (one) => {
      placed.set(one.found.namespace, one);
      if (thread !== undefined) thread.tell({ kind: "begin", cluster: one.found });
      else if (reopening === undefined) start();
    },
    tell: (one, kind) => {
      if (thread !== undefined) thread.tell({ kind, namespace: one.found.namespace });
      else if (kind === "end") remove(one);
    },
  };
}

export function brokenBy(why: string): string {
  return `the worker that kept it ended: ${why.split("\n")[0] ?? ""}`;
}
