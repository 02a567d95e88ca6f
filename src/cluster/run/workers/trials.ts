/** Clusters whose worker ended, tried by halves until it is known which one of them did it. */
import type { FromWorker, ToWorker } from "./messages.ts";
import { isRunning, type Placed, waitFor } from "./placed.ts";
import { brokenBy } from "./seat.ts";
import { suspects } from "./suspects.ts";
import type { Thread } from "./thread.ts";

export interface TrialOptions {
  readonly open: (heard: (message: FromWorker) => void) => Thread;
  /** Of no cluster alone. */
  readonly heard: (message: FromWorker) => void;
  /** For how long one is tried. */
  readonly trialMs: number;
  /** They are tried now. */
  readonly tried: (ones: readonly Placed[]) => void;
  /** The worker ended with them. */
  readonly ended: (ones: readonly Placed[], why: string) => void;
  /** It was alone, so that nobody else can have done that. */
  readonly guilty: (one: Placed, why: string, waitMs: number) => void;
  /** There was time enough for the worker to end: it goes back to the others. */
  readonly acquitted: (one: Placed) => void;
  readonly cut: AbortSignal;
}

export interface Trials {
  /** The worker of all of these ended. */
  readonly accuse: (ones: readonly Placed[]) => void;
  /** Under suspicion from an earlier time. */
  readonly mustWait: (one: Placed) => boolean;
  /** Waits for its turn. */
  readonly add: (one: Placed) => void;
  readonly has: (one: Placed) => boolean;
  readonly tell: (one: Placed, kind: Exclude<ToWorker["kind"], "begin">) => void;
  readonly count: () => number;
  readonly thread: () => Thread | undefined;
  readonly lastGuilty: () => number;
}

/** A pass that ends does not acquit: it may be what a watch tells that ends the worker. */
export const TRIAL_MS = 30_000;
/** More than one have their first pass one after another. */
const EACH_MS = 1000;

export function trials(options: TrialOptions): Trials {
  const { open, heard, trialMs, tried, ended, guilty, acquitted, cut } = options;
  const book = suspects(() => performance.now());
  /** Groups that are tried together. */
  const waiting = new Set<Set<Placed>>();
  let current: Set<Placed> | undefined;
  let thread: Thread | undefined;
  let turn: NodeJS.Timeout | undefined;
  let trial: NodeJS.Timeout | undefined;
  let lastGuilty = -Infinity;

  const hear = (message: FromWorker): void => {
    if (!("namespace" in message)) return heard(message);
    const group = current;
    const one = [...(group ?? [])].find(({ found }) => found.namespace === message.namespace);
    if (group === undefined || one === undefined) return;
    // Until the first of them has begun, the worker itself takes its time.
    trial ??= setTimeout(acquit, trialMs + EACH_MS * (group.size - 1));
    one.heard(message);
    if (message.kind !== "stopped") return;
    group.delete(one);
    if (one.isStopping()) one.stopped();
    else acquitted(one);
    if (group.size > 0) return;
    close();
    next();
  };
  const close = (): void => {
    clearTimeout(trial);
    trial = undefined;
    current = undefined;
  };
  const acquit = (): void => {
    // One that has ended is heard of in a moment.
    if (thread === undefined || thread.vitals.isOver()) return;
    for (const one of current ?? []) {
      book.acquit(one.found.namespace);
      if (!one.isStopping()) thread.tell({ kind: "end", namespace: one.found.namespace });
    }
  };

  const waitMs = (group: Iterable<Placed>): number =>
    Math.max(...[...group].map(({ found }) => book.waitMs(found.namespace)));
  const next = (): void => {
    if (current !== undefined || cut.aborted) return;
    clearTimeout(turn);
    const waits = [...waiting].map((group) => ({ group, ms: waitMs(group) }));
    const first = waits.toSorted((a, b) => a.ms - b.ms)[0];
    if (first === undefined) return thread?.end("nobody is under suspicion any more");
    if (first.ms > 0) turn = setTimeout(next, first.ms);
    else begin(first.group);
    return undefined;
  };
  const begin = (group: Set<Placed>): void => {
    // One that is ending is followed by another.
    if (thread?.vitals.isOver() === true) return;
    waiting.delete(group);
    current = group;
    thread ??= start();
    tried([...group]);
    for (const { found } of group) thread.tell({ kind: "begin", cluster: found });
  };
  const start = (): Thread => {
    const mine = open(hear);
    void mine.ended.then(over);
    return mine;
  };
  const over = (why: string): void => {
    thread = undefined;
    const group = [...(current ?? [])];
    const isAlone = group.length === 1;
    close();
    for (const one of group) one.bereft(isAlone || isRunning(one) ? brokenBy(why) : undefined);
    const left = group.filter((one) => !one.isStopping() && !cut.aborted);
    for (const one of group) if (!left.includes(one)) one.stopped();
    if (left.length > 0) ended(left, why);
    if (isAlone) for (const one of left) convict(one, why);
    else accuse(left);
    next();
  };
  const convict = (one: Placed, why: string): void => {
    lastGuilty = performance.now();
    book.convict(one.found.namespace);
    guilty(one, why, book.waitMs(one.found.namespace));
    add(one);
  };
  const accuse = (ones: readonly Placed[]): void => {
    for (const { found } of ones) book.suspect(found.namespace);
    // Others do not wait for as long as who was guilty before.
    const others = ones.filter(({ found }) => !book.wasGuilty(found.namespace));
    const half = Math.ceil(others.length / 2);
    queue(others.slice(0, half));
    queue(others.slice(half));
    for (const one of ones) if (!others.includes(one)) add(one);
  };
  const queue = (group: readonly Placed[]): void => {
    if (group.length === 0) return;
    for (const one of group) waitFor(one, waitMs(group));
    waiting.add(new Set(group));
    next();
  };
  const add = (one: Placed): void => queue([one]);

  return {
    accuse,
    mustWait: ({ found }) => book.isSuspect(found.namespace),
    add,
    has: (one) => current?.has(one) === true || [...waiting].some((group) => group.has(one)),
    tell: (one, kind) => {
      if (current?.has(one) === true) thread?.tell({ kind, namespace: one.found.namespace });
      if (kind !== "end") return;
      for (const group of waiting) {
        if (!group.delete(one)) continue;
        if (group.size === 0) waiting.delete(group);
        one.stopped();
      }
    },
    count: () => [...waiting].reduce((sum, group) => sum + group.size, current?.size ?? 0),
    thread: () => thread,
    lastGuilty: () => lastGuilty,
  };
}
