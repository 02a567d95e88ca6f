/** Runs concurrent writers of the same pools, like Karpenter, users and tools, and records what is stored. */
import { setTimeout as sleep } from "node:timers/promises";
import { sameValue } from "../../../src/krm/values/canonical.ts";
import { splitAtPolicyEnd } from "../../../src/model/requirements/policy-end.ts";
import type { ControlPlane } from "../controlplane/control-plane.ts";
import type { Answer } from "../controlplane/https-client.ts";
import { apply, get } from "../controlplane/objects.ts";
import { objectPath } from "../controlplane/rest-path.ts";
import { type Entries, outcomeOf, poolOf, requirementsOf } from "./guarded-cluster.ts";

interface Written {
  readonly name: string;
  /** The author's own list. */
  readonly own: Entries;
}

/** One write of a pool, with the writer's counter. */
type Write = (controlPlane: ControlPlane, pool: Written, turn: number) => Promise<Answer>;

const WRITERS: Readonly<Record<string, Write>> = {
  "Karpenter's hash": async (controlPlane, { name }, turn) => {
    const metadata = { annotations: { "karpenter.sh/nodepool-hash": String(turn) } };
    return controlPlane.request("system:admin", "PATCH", await pathOf(controlPlane, name), { metadata });
  },
  "a server-side apply of the author's file": (controlPlane, { name, own }) =>
    apply(controlPlane, "guest-admin", poolOf(name, own)),
  "a patch of another field": async (controlPlane, { name }, turn) =>
    controlPlane.request("guest-admin", "PATCH", await pathOf(controlPlane, name), {
      spec: { weight: 1 + (turn % 9) },
    }),
  "a replacement with what was read": async (controlPlane, { name }, turn) => {
    const path = await pathOf(controlPlane, name);
    const { body } = await controlPlane.request("guest-admin", "GET", path);
    const labels = { ...body.metadata?.labels, turn: String(turn) };
    return controlPlane.request("guest-admin", "PUT", path, { ...body, metadata: { ...body.metadata, labels } });
  },
};

export interface Writers {
  /** From now on a pool must have one of these policies; empty for any. */
  readonly allow: (fronts: readonly Entries[]) => void;
  readonly stop: () => Promise<{
    /** For each writer. */
    readonly writes: Readonly<Record<string, number>>;
    readonly refused: readonly string[];
    /** Lists without an allowed policy, or without a part of their author's entries. */
    readonly outside: readonly unknown[];
  }>;
}

export function startWriters(controlPlane: ControlPlane, pools: readonly Written[]): Writers {
  const end = new AbortController();
  let fronts: readonly Entries[] = [];
  const refused: string[] = [];
  const outside: unknown[] = [];
  const writes: Record<string, number> = Object.fromEntries(Object.keys(WRITERS).map((name) => [name, 0]));

  async function writeOnce(writer: string, pool: Written): Promise<void> {
    const allowed = fronts;
    const answer = await WRITERS[writer]!(controlPlane, pool, writes[writer]!);
    // Another write came in between: a client that replaces reads again.
    if (answer.status === 409) return;
    writes[writer]! += 1;
    if (answer.status >= 300) refused.push(`${writer}: ${outcomeOf(answer)}`);
    const list = requirementsOf((await get(controlPlane, "guest-admin", poolOf(pool.name, []))).body);
    const { own } = splitAtPolicyEnd(list);
    const isWithin = allowed.length === 0 || allowed.some((front) => sameValue(list.slice(0, front.length), front));
    if (!isWithin || !sameValue(own, pool.own)) outside.push({ writer, pool: pool.name, list, allowed });
  }

  const ended = Object.keys(WRITERS).map(async (writer) => {
    while (!end.signal.aborted) {
      for (const pool of pools) await writeOnce(writer, pool);
      await sleep(5);
    }
  });
  return {
    allow: (policies) => {
      fronts = policies;
    },
    stop: async () => {
      end.abort();
      await Promise.all(ended);
      return { writes, refused, outside };
    },
  };
}

function pathOf(controlPlane: ControlPlane, name: string): Promise<string> {
  return objectPath(controlPlane, poolOf(name, []));
}
