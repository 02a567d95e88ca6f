/** Reports and holds an object for a while if another anp keeps undoing the writes of this one. */
import type { LiveObject } from "../api/live-object.ts";
import type { KubeObject } from "../../model/objects/kube-object.ts";
import { describeResource } from "../../krm/places/resource.ts";
import type { StepResult } from "./execute.ts";
import { entryId } from "../inventory/inventory.ts";
import { appliedHashOf, otherSetOf } from "../objects/membership.ts";
import type { Step } from "../plan/step.ts";

/** State of one watch over its passes. */
export interface ConflictingWriters {
  readonly before: (steps: readonly Step[]) => Step[];
  readonly after: (results: readonly StepResult[]) => void;
  /** Milliseconds until a reported object may be written again or is no longer reported; undefined if none is. */
  readonly dueMs: () => number | undefined;
}

/** Our last write of one object. */
interface Written {
  readonly uid: string;
  readonly hash: string | undefined;
  readonly at: number;
  /** How often anp corrected it after another anp. */
  readonly rounds: number;
  /** Describes the last such writer. */
  readonly writer: string;
}

/** Fewer may be a mistake, or two versions during a rollout. */
const ROUNDS = 3;

const MINUTE_MS = 60_000;
const LONGEST_PAUSE_MS = 30 * MINUTE_MS;

/** Longer than the longest pause: the other anp has the same pauses, and would have written again. */
const FORGOTTEN_MS = 60 * MINUTE_MS;

/**
 * Marks of another anp are easily forged, and a hold must not become a bypass of the policy. So anp always writes its own
 * changes at once, corrects an object without such marks at once, and leaves a foreign spec for a minute at most. The
 * pause grows only while the spec is right and only marks differ.
 *
 * A pause begins at anp's own last write: of two watches that hold, one writes first, and the other corrects that at
 * once. So one spec is in force nearly all the time, and nodes are not replaced back and forth.
 *
 * @param clock milliseconds of a monotonic clock
 */
export function conflictingWriters(setId: string, clock: () => number): ConflictingWriters {
  const written = new Map<string, Written>();
  /** By object: the other writer since anp's last write, and until when the object is held. */
  let found = new Map<string, string>();
  let held = new Map<string, number>();

  function lastOf({ live, takesIn, ...step }: Step): Written | undefined {
    const last = written.get(entryId(step));
    return takesIn || last?.uid !== live?.metadata.uid ? undefined : last;
  }

  function find(step: Step): void {
    const { action, live, desired, takesIn } = step;
    if (action !== "update" || live === undefined || desired === undefined || takesIn) return;
    const writer = otherWriterOf(live, desired, { setId, wrote: lastOf(step)?.hash });
    if (writer !== undefined) found.set(entryId(step), writer);
  }

  function report(step: Step): Step {
    const last = lastOf(step);
    if (step.desired === undefined || last === undefined || last.rounds < ROUNDS) return step;
    const id = entryId(step);
    const writerConflict = wordsOf(step, found.get(id) ?? last.writer);
    const due = last.at + pauseMs(step, last.rounds);
    if (!found.has(id) || clock() >= due || appliedHashOf(step.desired) !== last.hash)
      return { ...step, writerConflict };
    held.set(id, due);
    return { ...step, action: "hold", reason: writerConflict, writerConflict };
  }

  return {
    before: (steps) => {
      found = new Map();
      held = new Map();
      for (const step of steps) find(step);
      for (const [id, { at }] of written) if (!found.has(id) && clock() - at >= FORGOTTEN_MS) written.delete(id);
      return steps.map(report);
    },
    after: (results) => {
      for (const { step, outcome, live } of results) {
        const isWritten = outcome === "done" && (step.action === "create" || step.action === "update");
        if (!isWritten || live === undefined) continue;
        const id = entryId(step);
        const { rounds = 0, writer = "" } = lastOf(step) ?? {};
        const by = found.get(id);
        const history = by === undefined ? { rounds, writer } : { rounds: rounds + 1, writer: by };
        written.set(id, { uid: live.metadata.uid, hash: appliedHashOf(live), at: clock(), ...history });
      }
    },
    dueMs: () => {
      const reported = [...written].filter(([, { rounds }]) => rounds >= ROUNDS);
      const times = reported.map(([id, { at }]) => held.get(id) ?? at + FORGOTTEN_MS);
      return times.length === 0 ? undefined : Math.max(0, Math.min(...times) - clock());
    },
  };
}

function pauseMs({ differences }: Step, rounds: number): number {
  const isOfSpec = differences.some(({ field, how }) => field.startsWith("spec") && how !== "ownership");
  return isOfSpec ? MINUTE_MS : Math.min(MINUTE_MS * 2 ** (rounds - ROUNDS), LONGEST_PAUSE_MS);
}

function wordsOf(step: Step, writer: string): string {
  return `${writer} also writes the ${describeResource(step)}, and each undoes the other's changes: let only one of them watch this cluster; until then it is corrected once a minute at most`;
}

/**
 * Which other anp has written the object since this one did, by its marks. A user who may patch the object can forge all
 * marks, so the caller must never let a looser spec stay because of them.
 *
 * @param wrote the hash that anp applied last; undefined if unknown
 * @returns a description of the other anp
 */
function otherWriterOf(
  live: LiveObject,
  desired: KubeObject,
  { setId, wrote }: { readonly setId: string; readonly wrote: string | undefined },
): string | undefined {
  const set = otherSetOf(live, setId);
  if (set !== undefined) return `another anp, with the set ${set},`;
  const hash = appliedHashOf(live);
  const isOfThisWatch = wrote === undefined || hash === undefined || hash === wrote || hash === appliedHashOf(desired);
  return isOfThisWatch ? undefined : "another anp of this watch's own name";
}
