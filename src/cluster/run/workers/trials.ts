/** Clusters that were in a pass when their worker ended, each tried by itself. */
import type { FromWorker, ToWorker } from "./messages.ts";
import { type Placed, waitFor } from "./placed.ts";
import { brokenBy } from "./seat.ts";
import { suspects } from "./suspects.ts";
import type { Thread } from "./thread.ts";

export interface TrialOptions {
  readonly open: (heard: (message: FromWorker) => void) => Thread;
  /** Of no cluster alone. */
  readonly heard: (message: FromWorker) => void;
  /** It is tried now. */
  readonly tried: (one: Placed) => void;
  /** The worker ended with it, and nobody else can have done that. */
  readonly guilty: (one: Placed, why: string, waitMs: number) => void;
  /** A pass came to its end, or there was time enough for the worker to end: it goes back to the others. */
  readonly acquitted: (one: Placed) => void;
  readonly cut: AbortSignal;
}

export interface Trials {
  readonly accuse: (one: Placed) => void;
  /** Under suspicion from an earlier time. */
  readonly mustWait: (one: Placed) => boolean;
  /** Waits for its turn. */
  readonly add: (one: Placed) => void;
  readonly has: (one: Placed) => boolean;
  readonly tell: (one: Placed, kind: Exclude<ToWorker["kind"], "begin">) => void;
  readonly count: () => number;
  readonly thread: () => Thread | undefined;
}

const TRIAL_MS = 30_000;

export function trials({ open, heard, tried, guilty, acquitted, cut }: TrialOptions): Trials {
  const book = suspects(() => performance.now());
  const waiting = new Set<Placed>();
  let current: Placed | undefined;
  let thread: Thread | undefined;
  let clock: NodeJS.Timeout | undefined;

  const hear = (message: FromWorker): void => {
    if (!("namespace" in message)) return heard(message);
    const one = current;
    if (one === undefined || one.found.namespace !== message.namespace) return;
    one.heard(message);
    if (message.kind === "ended") acquit(one);
    if (message.kind !== "stopped") return;
    current = undefined;
    if (one.isStopping()) one.stopped();
    else acquitted(one);
    next();
  };
  const acquit = (one: Placed): void => {
    if (current !== one || one.isStopping() || !book.isSuspect(one.found.namespace)) return;
    book.acquit(one.found.namespace);
    thread?.tell({ kind: "end", namespace: one.found.namespace });
  };

  const next = (): void => {
    if (current !== undefined || cut.aborted) return;
    clearTimeout(clock);
    const waits = [...waiting].map((one) => ({ one, ms: book.waitMs(one.found.namespace) }));
    const first = waits.toSorted((a, b) => a.ms - b.ms)[0];
    if (first === undefined) return thread?.end("nobody is under suspicion any more");
    if (first.ms > 0) clock = setTimeout(next, first.ms);
    else begin(first.one);
    return undefined;
  };
  const begin = (one: Placed): void => {
    // One that is ending is followed by another.
    if (thread?.vitals.isOver() === true) return;
    waiting.delete(one);
    current = one;
    thread ??= start();
    tried(one);
    thread.tell({ kind: "begin", cluster: one.found });
    clock = setTimeout(() => acquit(one), TRIAL_MS);
  };
  const start = (): Thread => {
    const mine = open(hear);
    void mine.ended.then(close);
    return mine;
  };
  const close = (why: string): void => {
    thread = undefined;
    const one = current;
    current = undefined;
    one?.bereft(brokenBy(why));
    if (one !== undefined && (one.isStopping() || cut.aborted)) one.stopped();
    else if (one !== undefined) {
      book.accuse(one.found.namespace);
      guilty(one, why, book.waitMs(one.found.namespace));
      add(one);
    }
    next();
  };
  const add = (one: Placed): void => {
    waitFor(one, book.waitMs(one.found.namespace));
    waiting.add(one);
    next();
  };

  return {
    accuse: ({ found }) => book.accuse(found.namespace),
    mustWait: ({ found }) => book.isSuspect(found.namespace),
    add,
    has: (one) => current === one || waiting.has(one),
    tell: (one, kind) => {
      if (current === one) thread?.tell({ kind, namespace: one.found.namespace });
      else if (kind === "end" && waiting.delete(one)) one.stopped();
    },
    count: () => waiting.size + (current === undefined ? 0 : 1),
    thread: () => thread,
  };
}
