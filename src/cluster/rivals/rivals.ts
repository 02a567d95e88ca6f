/** Holds and tells for a while what another anp sets back again and again. */
import type { LiveObject } from "../api/live-object.ts";
import type { KubeObject } from "../../model/kube-object.ts";
import { describeResource } from "../../krm/resource.ts";
import type { StepResult } from "../apply/execute.ts";
import { entryId } from "../inventory/inventory.ts";
import { appliedHashOf, otherSetOf } from "../objects/membership.ts";
import type { Step } from "../plan/step.ts";

/** One watch's memory of its passes. */
export interface Rivals {
  readonly before: (steps: readonly Step[]) => Step[];
  readonly after: (results: readonly StepResult[]) => void;
  /** After how many milliseconds something that is told may be written again, or is told no more; undefined where nothing is. */
  readonly dueMs: () => number | undefined;
}

/** Our last write of one object. */
interface Written {
  readonly uid: string;
  readonly hash: string | undefined;
  readonly at: number;
  /** How often it was set right after another anp. */
  readonly rounds: number;
  /** The last one of those, in words. */
  readonly rival: string;
}

/** One of them may be a slip, or two versions while one replaces the other. */
const ROUNDS = 3;

const MINUTE_MS = 60_000;
const LONGEST_PAUSE_MS = 30 * MINUTE_MS;

/** Longer than the longest pause: the other anp, which goes by the same rule, would have come back. */
const FORGOTTEN_MS = 60 * MINUTE_MS;

/**
 * Marks of another anp are easily forged, and holding must not turn into a way past the policy. So a change of ours is
 * always written at once, what carries no such marks is set right at once, and a spec that is not ours stands for a
 * minute at most. Only where the spec is ours, and nothing but marks differ, the pause grows.
 *
 * A pause is counted from our own last write: of two that hold, one comes back, and the other sets that right at once.
 * So the spec of one stands nearly all the time, and nodes are not replaced to and fro.
 *
 * @param clock milliseconds of one that nobody sets
 */
export function rivals(setId: string, clock: () => number): Rivals {
  const written = new Map<string, Written>();
  /** Who has changed what since our last write, and until when that is held. */
  let found = new Map<string, string>();
  let held = new Map<string, number>();

  function lastOf({ live, takesIn, ...step }: Step): Written | undefined {
    const last = written.get(entryId(step));
    return takesIn || last?.uid !== live?.metadata.uid ? undefined : last;
  }

  function find(step: Step): void {
    const { action, live, desired, takesIn } = step;
    if (action !== "update" || live === undefined || desired === undefined || takesIn) return;
    const rival = rivalOf(live, desired, { setId, wrote: lastOf(step)?.hash });
    if (rival !== undefined) found.set(entryId(step), rival);
  }

  function tell(step: Step): Step {
    const last = lastOf(step);
    if (step.desired === undefined || last === undefined || last.rounds < ROUNDS) return step;
    const id = entryId(step);
    const rivalry = wordsOf(step, found.get(id) ?? last.rival);
    const due = last.at + pauseMs(step, last.rounds);
    if (!found.has(id) || clock() >= due || appliedHashOf(step.desired) !== last.hash) return { ...step, rivalry };
    held.set(id, due);
    return { ...step, action: "hold", reason: rivalry, rivalry };
  }

  return {
    before: (steps) => {
      found = new Map();
      held = new Map();
      for (const step of steps) find(step);
      for (const [id, { at }] of written) if (!found.has(id) && clock() - at >= FORGOTTEN_MS) written.delete(id);
      return steps.map(tell);
    },
    after: (results) => {
      for (const { step, outcome, live } of results) {
        const isWritten = outcome === "done" && (step.action === "create" || step.action === "update");
        if (!isWritten || live === undefined) continue;
        const id = entryId(step);
        const { rounds = 0, rival = "" } = lastOf(step) ?? {};
        const by = found.get(id);
        const history = by === undefined ? { rounds, rival } : { rounds: rounds + 1, rival: by };
        written.set(id, { uid: live.metadata.uid, hash: appliedHashOf(live), at: clock(), ...history });
      }
    },
    dueMs: () => {
      const told = [...written].filter(([, { rounds }]) => rounds >= ROUNDS);
      const times = told.map(([id, { at }]) => held.get(id) ?? at + FORGOTTEN_MS);
      return times.length === 0 ? undefined : Math.max(0, Math.min(...times) - clock());
    },
  };
}

function pauseMs({ differences }: Step, rounds: number): number {
  const isOfSpec = differences.some(({ field, how }) => field.startsWith("spec") && how !== "ownership");
  return isOfSpec ? MINUTE_MS : Math.min(MINUTE_MS * 2 ** (rounds - ROUNDS), LONGEST_PAUSE_MS);
}

function wordsOf(step: Step, rival: string): string {
  return `${rival} writes the ${describeResource(step)} as well, and each sets back what the other wrote: let only one of the two watch this cluster; until then it is set right once a minute at most`;
}

/**
 * Which other anp has written a live object of ours since we did, as far as its marks tell. Whoever may patch the object
 * can forge all of them: what is made of it must never let a looser spec stay.
 *
 * @param wrote the hash of what we applied last; undefined where nobody remembers
 * @returns who it is, in words
 */
function rivalOf(
  live: LiveObject,
  desired: KubeObject,
  { setId, wrote }: { readonly setId: string; readonly wrote: string | undefined },
): string | undefined {
  const set = otherSetOf(live, setId);
  if (set !== undefined) return `another anp, whose set is ${set},`;
  const hash = appliedHashOf(live);
  const isOfNobodyElse = wrote === undefined || hash === undefined || hash === wrote || hash === appliedHashOf(desired);
  return isOfNobodyElse ? undefined : "another anp of this watch's own name";
}
