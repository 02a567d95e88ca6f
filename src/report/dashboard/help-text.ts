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

/** What is otherwise where a watch that runs somewhere else is only looked at. */
const OBSERVED: ReadonlyMap<string, string> = new Map([
  ["l", "what the watch told by events: of all clusters, or of the opened one"],
  ["q, Ctrl-C", "end looking; the watch goes on"],
  [
    "READY",
    "the reason of the AutoNodePolicy's condition Ready, or of the event that tells it; unknown where nothing is told",
  ],
  [
    "IN SYNC",
    "objects that are as this anp would have them, of all, where the guest cluster is read. Differ: not yet, or rendered by another version or configuration. Held, foreign: as the watch leaves them",
  ],
]);

const OF_OBSERVED: readonly (readonly [string, string])[] = [
  ["SINCE", "ok, held, failed or untried (nobody works on it), and since when; – where nobody can tell"],
  ["KEEPER", "the replica that holds the Lease and works on the cluster"],
];

const NOT_OBSERVED: readonly string[] = ["p", "r", "DRIFT", "LAST", "NEXT"];

export function helpText(width: number, style: Style, isObserved: boolean): string[] {
  const table = (rows: readonly (readonly [string, string])[]): string[] =>
    rows.flatMap(([name, words]) =>
      hanging(
        wrapWhole(words, width - NAME_WIDTH - 3),
        ` ${padTo(name, NAME_WIDTH, { paint: style.strong })} `,
        NAME_WIDTH + 2,
      ),
    );
  if (!isObserved) return [...table(KEYS), "", ...table(COLUMNS)];
  const observed = (rows: typeof KEYS) =>
    rows
      .filter(([name]) => !NOT_OBSERVED.includes(name))
      .map(([name, words]) => [name, OBSERVED.get(name) ?? words] as const);
  const nothing = style.faint(" The watch runs somewhere else: it is only looked at, and no key changes anything.");
  return [nothing, "", ...table(observed(KEYS)), "", ...table([...observed(COLUMNS), ...OF_OBSERVED])];
}

const NAME_WIDTH = 11;
