/** The help of the dashboard: the meaning of each key and column. */
import type { Style } from "../terminal/style.ts";
import { padTo } from "../terminal/text-width.ts";
import { hanging, wrapWhole } from "../terminal/wrap.ts";

const KEYS: readonly (readonly [string, string])[] = [
  ["↑ ↓, k j", "move, or scroll"],
  ["PgUp PgDn", "by a page; Home and End (g G): to the first and the last"],
  ["Enter, →", "open a cluster; in a cluster: explain a pool, show a node class"],
  ["Esc, ←", "back; with a filter: show all"],
  ["f", "all problems of the cluster, in full"],
  ["l", "recent lines of the log: of all clusters, or of the opened one"],
  ["p", "pause the cluster: a running pass ends, and no other starts; p again resumes it"],
  ["r", "reconcile the cluster now"],
  ["/", "show only rows that have these words in their name or state, such as failed"],
  ["q, Ctrl-C", "end anp watch after the current object; a second time ends it at once"],
];

const COLUMNS: readonly (readonly [string, string])[] = [
  ["POLICY", "Apply: enforced. Hold: nothing is changed. Permissive: user requirements pass unchanged"],
  ["READY", "the reason of the AutoNodePolicy's condition Ready"],
  [
    "IN SYNC",
    "objects in sync, of all. Changed: by the last pass. Held: not changed; f shows why. Foreign: owned by others. Failed: the cluster refused them, or the pass did not reach them",
  ],
  [
    "POOLS",
    "what the policy and its class leave of each pool, the worst first: no nodes, bypassed, unknown (types that the catalogue does not know), narrowed, paused (by a limit of 0), ok",
  ],
  ["DRIFT", "fields that others changed and anp corrected since the start"],
  ["LAST", "how the last pass ended, and how long ago"],
  ["NEXT", "when the next pass comes, or what the cluster waits for"],
  ["VERDICT", "as POOLS: ok, narrowed by the policy, unsatisfiable (no nodes), bypassed, unknown or paused"],
  ["TYPES", "instance types that are left, of all in the catalogue"],
  ["NODES", "nodes of the pool, and its limit"],
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
