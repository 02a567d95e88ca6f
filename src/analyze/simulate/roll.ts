/** How long it takes to replace every node of a pool that has drifted. */
import { DAY_MS, YEAR_MS } from "../../model/civil-date.ts";
import { disruptionAt } from "./disruption.ts";
import type { PoolNodes } from "./pool-nodes.ts";
import type { SimulatedPool } from "./pools.ts";
import { timeline } from "./timeline.ts";

export interface Roll {
  readonly nodes: number;
  /** When the first node goes; undefined where none may within a year. */
  readonly begins: number | undefined;
  /** When the last one is replaced; undefined where that takes more than a year. */
  readonly ends: number | undefined;
  /** The most nodes that are replaced at the same time. */
  readonly atOnce: number;
}

/**
 * A lower bound: every node is replaced in `nodeTime`, nothing but the budgets and a Hard limit holds it back, all nodes
 * are ready, and what goes already has gone. A node that has begun to go is finished, whatever window closes meanwhile.
 */
export function rollOf(pool: SimulatedPool, nodes: PoolNodes, at: number, nodeTime: number): Roll {
  let left = nodes.counted - nodes.going;
  let [begins, atOnce] = [undefined as number | undefined, 0];
  const going: { readonly ends: number; readonly nodes: number }[] = [];
  const changes = changesOf(pool, nodes, at);
  let [now, ends] = [at, at];
  while (left > 0) {
    while ((going[0]?.ends ?? Infinity) <= now) going.shift();
    const busy = going.reduce((sum, group) => sum + group.nodes, 0);
    const more = Math.min(left, mayGo(pool, nodes, now, busy));
    if (more > 0) {
      begins ??= now;
      atOnce = Math.max(atOnce, busy + more);
      left -= more;
      ends = now + nodeTime;
      going.push({ ends, nodes: more });
      continue;
    }
    const next = Math.min(going[0]?.ends ?? Infinity, changes.after(now));
    if (next > at + HORIZON) return { nodes: nodes.counted - nodes.going, begins, ends: undefined, atOnce };
    now = next;
  }
  return { nodes: nodes.counted - nodes.going, begins, ends, atOnce };
}

const HORIZON = YEAR_MS;

/** Each replacement stands beside the node that it replaces until that is gone. */
function mayGo(pool: SimulatedPool, nodes: PoolNodes, at: number, busy: number): number {
  const meanwhile = { ...nodes, total: nodes.total - nodes.going + busy, going: busy, notReady: 0 };
  const drifted = disruptionAt(pool, meanwhile, at).find(({ reason }) => reason === "Drifted");
  return drifted?.allowed ?? Infinity;
}

/** Looked up a day, two, four at a time: most pools are through by then. What is asked about only grows. */
function changesOf(pool: SimulatedPool, nodes: PoolNodes, from: number) {
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
        // The end of the span counts as a change, so that none is lost between two of them.
        index = 0;
        known = timeline(pool, nodes, { from: until, to: until + length }).map((stretch) => stretch.to);
        until += length;
        length = Math.min(2 * length, 32 * DAY_MS);
      }
    },
  };
}
