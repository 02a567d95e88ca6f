/** How long it takes at least until nodes of a pool are replaced, by budgets over time. */
import { allowedDisruptions, type ReadBudget, UNLIMITED } from "../../karpenter/disruption/disruption-budget.ts";
import { DAY_MS, YEAR_MS } from "../../model/civil-date.ts";

/** What the pool lets happen. */
export interface Pace {
  readonly budgets: readonly ReadBudget[];
  /** How many replacements may stand beside the nodes that they are for; undefined: any number. */
  readonly room: number | undefined;
  /** The nodes that percentages are taken of. */
  readonly counted: number;
}

/** A node that has to go. */
export interface LeavingNode {
  /** When it goes by itself, whatever the budgets say; undefined: never. */
  readonly expires: number | undefined;
  /** Whether drift may take it. */
  readonly drifts: boolean;
}

export interface Roll {
  readonly nodes: number;
  /** When the first node goes; undefined where none may within a year. */
  readonly begins: number | undefined;
  /** When the last one is replaced; undefined where that takes more than a year. */
  readonly ends: number | undefined;
  /** The most nodes that are replaced at the same time. */
  readonly atOnce: number;
  /** How many are gone from each moment on, in order. */
  readonly steps: readonly { readonly at: number; readonly gone: number }[];
}

/**
 * A lower bound: every node is replaced in `nodeTime`, nothing but the budgets and the room holds it back, all nodes are
 * ready, and what goes already has gone. A node that has begun to go is finished, whatever window closes meanwhile; one
 * that expires is gone that very moment. Those that stay longest are replaced first.
 */
export function rollOf(pace: Pace, nodes: readonly LeavingNode[], at: number, nodeTime: number): Roll {
  const waiting = expiriesOf(nodes, true);
  const gone = expiriesOf(nodes, false).filter((expiry) => expiry <= at + HORIZON);
  const begins = gone.map((expiry) => Math.max(at, expiry));
  const changes = changesOf(pace.budgets, at);
  let [busy, atOnce]: [readonly number[], number] = [[], 0];
  // From the front drift takes them, at the back they expire.
  let [first, left] = [0, waiting.length];
  for (let now = at; first < left && now <= at + HORIZON;) {
    const moment = now;
    busy = busy.filter((end) => end > moment);
    while (first < left && waiting[left - 1]! <= now) {
      left -= 1;
      gone.push(now);
      begins.push(now);
    }
    const more = Math.min(left - first, mayGo(pace, now, busy.length));
    const ends = waiting.slice(first, first + more).map((expiry) => Math.min(moment + nodeTime, expiry));
    first += more;
    gone.push(...ends);
    busy = [...busy, ...ends];
    atOnce = Math.max(atOnce, busy.length);
    if (more > 0) begins.push(now);
    now = Math.min(least(busy), waiting[left - 1] ?? Infinity, changes.after(now));
  }
  const done = gone.map((moment) => Math.max(at, moment)).toSorted((a, b) => a - b);
  return {
    nodes: nodes.length,
    begins: begins.length === 0 ? undefined : least(begins),
    ends: done.length === nodes.length ? (done.at(-1) ?? at) : undefined,
    atOnce,
    steps: done.flatMap((moment, index) => (done[index + 1] === moment ? [] : [{ at: moment, gone: index + 1 }])),
  };
}

export const HORIZON = YEAR_MS;

/** The latest first; what never expires is later than all. */
function expiriesOf(nodes: readonly LeavingNode[], drifting: boolean): number[] {
  const expiries = nodes.filter(({ drifts }) => drifts === drifting).map(({ expires = Infinity }) => expires);
  return expiries.toSorted((a, b) => (a === b ? 0 : b - a));
}

function least(moments: readonly number[]): number {
  return moments.reduce((a, b) => Math.min(a, b), Infinity);
}

/** Each replacement stands beside the node that it replaces until that is gone. */
function mayGo({ budgets, room = Infinity, counted }: Pace, at: number, busy: number): number {
  const { nodes } = allowedDisruptions(budgets, "Drifted", counted, at);
  return Math.max(0, Math.min(nodes === UNLIMITED ? Infinity : nodes, room) - busy);
}

/** Looked up a day, two, four at a time: most pools are through by then. What is asked about only grows. */
function changesOf(budgets: readonly ReadBudget[], from: number) {
  let known: number[] = [];
  let index = 0;
  let until = from;
  let length = DAY_MS;
  return {
    after: (at: number): number => {
      for (;;) {
        while (index < known.length && known[index]! <= at) index += 1;
        const next = known[index];
        if (next !== undefined) return next;
        if (until > from + HORIZON) return Infinity;
        index = 0;
        known = edgesWithin(budgets, until, until + length);
        until += length;
        length = Math.min(2 * length, 32 * DAY_MS);
      }
    },
  };
}

/** The moments at which a budget begins or ends, and the end of the span itself, so that none is lost between two. */
function edgesWithin(budgets: readonly ReadBudget[], from: number, to: number): number[] {
  const spans = budgets.flatMap(({ window }) => ("error" in window ? [] : window.spans(from, to)));
  return [...new Set([...spans.flatMap((span) => [span.from, span.to]), to])].toSorted((a, b) => a - b);
}
