/** What each key and each column of the dashboard means, as lines to read. */
import type { Style } from "../terminal/style.ts";
import { padTo } from "../terminal/text-width.ts";
import { hanging, wrapWhole } from "../terminal/wrap.ts";

const KEYS: readonly (readonly [string, string])[] = [
  ["↑ ↓, k j", "move, or scroll"],
  ["PgUp PgDn", "by a page; Home and End (g G): to the first and the last"],
  ["Enter, →", "open a cluster; in a cluster: explain a pool, tell of a node class"],
  ["Esc, ←", "back; with a filter: show all"],
  ["f", "everything that is not as it should be in the cluster, to read whole"],
  ["l", "recent lines of the log: of all clusters, or of the opened one"],
  ["p", "pause the cluster: the pass that runs is finished, and no other starts; p again resumes it"],
  ["r", "reconcile the cluster now"],
  ["/", "show only rows that have these words in their name or state, such as failed"],
  ["q, Ctrl-C", "end anp watch, after the object in hand; a second time ends it at once"],
];

const COLUMNS: readonly (readonly [string, string])[] = [
  ["POLICY", "Apply: enforced. Hold: nothing is changed. Permissive: user requirements pass through"],
  ["READY", "the reason of the AutoNodePolicy's condition Ready"],
  [
    "IN SYNC",
    "objects that are as they should be, of all. Changed: by the last pass. Held: left as they are, and why is told by f. Foreign: somebody else's. Failed: the cluster refused them, or they were not reached",
  ],
  [
    "POOLS",
    "what the policy and its class leave of each pool, the worst first: no nodes, bypassed, unknown (types that the catalogue does not know), narrowed, paused (by a limit of 0), ok",
  ],
  ["DRIFT", "fields that others had changed and that were set right since the start"],
  ["LAST", "how the last pass ended, and how long ago"],
  ["NEXT", "when the next pass comes, or what the cluster waits for"],
  ["VERDICT", "as POOLS: ok, narrowed by the policy, unsatisfiable (no nodes), bypassed, unknown or paused"],
  ["TYPES", "instance types that are left, of those in the catalogue"],
  ["NODES", "nodes that the pool has, and its limit"],
];

export function helpText(width: number, style: Style): string[] {
  const table = (rows: readonly (readonly [string, string])[]): string[] =>
    rows.flatMap(([name, words]) =>
      hanging(
        wrapWhole(words, width - NAME_WIDTH - 3),
        ` ${padTo(name, NAME_WIDTH, { paint: style.strong })} `,
        NAME_WIDTH + 2,
      ),
    );
  return [...table(KEYS), "", ...table(COLUMNS)];
}

const NAME_WIDTH = 11;
