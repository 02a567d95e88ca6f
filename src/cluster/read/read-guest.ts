/** The guest cluster's side: wrappers where they are live, and every object of the kinds that anp applies. */
import type { ClusterApi } from "../api/cluster-api.ts";
import type { LiveObject } from "../api/live-object.ts";
import type { ReadProblem } from "./read-problem.ts";
import {
  APPLIED_KINDS,
  OPENSHIFT_EC2_NODE_CLASSES,
  OPENSHIFT_NODE_POOLS,
  type ServedKind,
} from "../api/served-kind.ts";

export interface GuestSide {
  readonly wrappers: readonly LiveObject[];
  readonly live: readonly LiveObject[];
  /** Kinds of which nobody knows what is there: objects of them can be neither applied nor pruned. */
  readonly unread: ReadonlySet<string>;
  readonly problems: readonly ReadProblem[];
}

const WRAPPERS = [OPENSHIFT_NODE_POOLS, OPENSHIFT_EC2_NODE_CLASSES];

export async function readGuest(api: ClusterApi, withWrappers: boolean): Promise<GuestSide> {
  const kinds = [...(withWrappers ? WRAPPERS : []), ...APPLIED_KINDS];
  const answers = await Promise.all(kinds.map(async (kind) => ({ kind, answer: await api.list(kind) })));
  const itemsOf = (wanted: readonly ServedKind[]): LiveObject[] =>
    answers.flatMap(({ kind, answer }) => (wanted.includes(kind) && answer.ok ? answer.value.items : []));
  const problems = answers.flatMap(({ kind, answer }): ReadProblem[] =>
    answer.ok ? [] : [{ side: "guest", kind: kind.kind, error: answer.error }],
  );
  return {
    wrappers: itemsOf(WRAPPERS),
    live: itemsOf(APPLIED_KINDS),
    unread: new Set(problems.map(({ kind }) => kind)),
    problems,
  };
}
