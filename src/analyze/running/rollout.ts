/** How long the replacement of nodes takes at least, by the disruption budgets over time. */
import { allowedDisruptions, type ReadBudget, UNLIMITED } from "../../karpenter/disruption/disruption-budget.ts";
import { DAY_MS, YEAR_MS } from "../../model/values/civil-date.ts";

/** The limits of a pool on disruption. */
export interface RolloutPace {
  readonly budgets: readonly ReadBudget[];
  /** How many replacements may exist beside the nodes that they replace; undefined: any number. */
  readonly room: number | undefined;
  /** How many nodes the percentages of budgets refer to. */
  readonly counted: number;
}

/** A node to be replaced. */
export interface LeavingNode {
  /** When it expires, which no budget blocks; undefined: never. */
  readonly expires: number | undefined;
  /** Whether drift may replace it. */
  readonly drifts: boolean;
}

export interface Rollout {
  readonly nodes: number;
  /** When the first replacement begins; undefined if none may begin within a year. */
  readonly begins: number | undefined;
  /** When the last node is replaced; undefined if that takes more than a year. */
  readonly ends: number | undefined;
  /** The most nodes that are replaced at the same time. */
  readonly atOnce: number;
  /** How many nodes are replaced from each moment on, in order. */
  readonly steps: readonly { readonly at: number; readonly gone: number }[];
}

/**
 * A lower bound. It assumes that each replacement takes `nodeTime`, that only budgets and room delay it, that all nodes
 * are ready, and that disruptions under way are done. A replacement that has begun is completed even if a window closes
 * meanwhile. A node that expires is gone at that moment. Nodes that expire last are replaced first.
 */
export function rolloutOf(pace: RolloutPace, nodes: readonly LeavingNode[], at: number, nodeTime: number): Rollout {
  const waiting = expiriesOf(nodes, true);
  const gone = expiriesOf(nodes, false).filter((expiry) => expiry <= at + HORIZON);
  const begins = gone.map((expiry) => Math.max(at, expiry));
  const changes = changesOf(pace.budgets, at);
  let [busy, atOnce]: [readonly number[], number] = [[], 0];
  // Drift takes nodes from the front of the list, expiry from its end.
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

/** The latest expiry first; nodes that never expire come before all. */
function expiriesOf(nodes: readonly LeavingNode[], drifting: boolean): number[] {
  const expiries = nodes.filter(({ drifts }) => drifts === drifting).map(({ expires = Infinity }) => expires);
  return expiries.toSorted((a, b) => (a === b ? 0 : b - a));
}

function least(moments: readonly number[]): number {
  return moments.reduce((a, b) => Math.min(a, b), Infinity);
}

/** A replacement takes up room until the node that it replaces is gone. */
function mayGo({ budgets, room = Infinity, counted }: RolloutPace, at: number, busy: number): number {
  const { nodes } = allowedDisruptions(budgets, "Drifted", counted, at);
  return Math.max(0, Math.min(nodes === UNLIMITED ? Infinity : nodes, room) - busy);
}

/** Looks ahead one day, then two, then four, because most rollouts end early. `at` must not decrease between calls. */
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

/** The moments at which a budget begins or ends, and the end of the span, where the next lookup begins. */
function edgesWithin(budgets: readonly ReadBudget[], from: number, to: number): number[] {
  const spans = budgets.flatMap(({ window }) => ("error" in window ? [] : window.spans(from, to)));
  return [...new Set([...spans.flatMap((span) => [span.from, span.to]), to])].toSorted((a, b) => a - b);
}
