/** Notes on a Lease which clusters are in a pass. A pass begins when the note is written. */
import type { LiveObject } from "../api/live-object.ts";
import { untilAborted } from "../waiting/pause.ts";
import { type WakeUp, wakeUp } from "../waiting/wake-up.ts";
import type { CrashBook } from "./crashes.ts";
import {
  type Crash,
  CRASHES_ANNOTATION,
  crashesAtTake,
  crashesText,
  PASSES_ANNOTATION,
  passesText,
} from "./crashes.ts";
import { type Annotations, recordOf } from "./lease-record.ts";

/** Annotations that an election writes with its record. */
export interface LeaseNote {
  /** Undefined removes an annotation. @param before the Lease as it was read */
  readonly annotations: (before: LiveObject | undefined, identity: string) => Annotations;
  /** Called when the annotations of the last call are on the Lease. */
  readonly written: () => void;
  /** Raised if the Lease should be written before its renewal is due. */
  readonly wanted: WakeUp;
}

export interface PassNote extends LeaseNote {
  /** Ends when the Lease names the cluster, or with the signal. Returns a function for the end of the pass. */
  readonly begin: (cluster: string, signal: AbortSignal) => Promise<() => void>;
  /** The watch ends normally: the Lease must name no cluster any more. */
  readonly end: () => void;
}

interface NoteOptions {
  /** For a Lease that also has the crashes. */
  readonly book?: CrashBook;
  /** Called for an annotation that anp did not write. */
  readonly unreadable: (annotation: string) => void;
}

export function passNote({ book, unreadable }: NoteOptions): PassNote {
  const wanted = wakeUp();
  const running = new Set<string>();
  /** Clusters that the Lease certainly names. */
  let noted: ReadonlySet<string> = new Set();
  let sent: readonly string[] = [];
  let taken: readonly Crash[] | undefined;
  let isOver = false;
  let next = Promise.withResolvers<void>();

  /** Those of the Lease, and another one for each cluster that its last holder had in a pass. */
  const crashesOf = (before: LiveObject | undefined, identity: string): readonly Crash[] | undefined => {
    if (before === undefined || recordOf(before).holder === identity) return undefined;
    const { annotations = {} } = before.metadata;
    const crashes = annotations[CRASHES_ANNOTATION];
    const passes = recordOf(before).holder === "" ? undefined : annotations[PASSES_ANNOTATION];
    return crashesAtTake({ crashes, passes, now: Date.now(), unreadable });
  };

  return {
    wanted,
    annotations: (before, identity) => {
      sent = isOver ? [] : [...running];
      // If the answer is lost, the Lease has either of both.
      noted = noted.intersection(new Set(sent));
      const passes = { [PASSES_ANNOTATION]: passesText(sent) };
      if (book === undefined) return passes;
      taken = crashesOf(before, identity);
      return { ...passes, [CRASHES_ANNOTATION]: crashesText(taken ?? book.all()) };
    },
    written: () => {
      noted = new Set(sent);
      if (taken !== undefined) book?.load(taken, () => true);
      taken = undefined;
      next.resolve();
      next = Promise.withResolvers();
    },
    begin: async (cluster, signal) => {
      running.add(cluster);
      for (;;) {
        if (isOver || signal.aborted || noted.has(cluster)) break;
        wanted.raise();
        await untilAborted(signal, next.promise);
      }
      return () => void running.delete(cluster);
    },
    end: () => {
      isOver = true;
      wanted.raise();
      next.resolve();
    },
  };
}
