/** Keeps a note on a Lease of clusters that are in a pass: a pass begins when it is written. */
import type { LiveObject } from "../api/live-object.ts";
import { type WakeUp, wakeUp } from "../waiting/wake-up.ts";
import type { CrashBook } from "./crash-book.ts";
import {
  type Crash,
  CRASHES_ANNOTATION,
  crashesAtTake,
  crashesText,
  PASSES_ANNOTATION,
  passesText,
} from "./crash-note.ts";
import { type Annotations, recordOf } from "./lease-record.ts";

/** What an election writes beside its record. */
export interface LeaseNote {
  /** To be written now; undefined takes an annotation away. @param before the Lease as it was read */
  readonly annotations: (before: LiveObject | undefined, identity: string) => Annotations;
  /** The annotations of the last call are on the Lease. */
  readonly written: () => void;
  /** Raised when the Lease should be written before it has to be renewed. */
  readonly wanted: WakeUp;
}

export interface PassNote extends LeaseNote {
  /** Ends when the Lease says that the cluster is in a pass, or with the signal. What it gives ends the pass. */
  readonly begin: (cluster: string, signal: AbortSignal) => Promise<() => void>;
  /** The watch ends as it was told to: no crash follows, so that the Lease names no cluster any more. */
  readonly end: () => void;
}

interface NoteOptions {
  /** Of a Lease that has the crashes as well. */
  readonly book?: CrashBook;
  /** Called for an annotation that anp did not write. */
  readonly unreadable: (annotation: string) => void;
}

export function passNote({ book, unreadable }: NoteOptions): PassNote {
  const wanted = wakeUp();
  const running = new Set<string>();
  /** Clusters that the Lease names for certain. */
  let noted: ReadonlySet<string> = new Set();
  let sent: readonly string[] = [];
  let taken: readonly Crash[] | undefined;
  let isOver = false;
  let next = Promise.withResolvers<void>();

  /** Those of the Lease, and one more for each cluster that its last holder had in a pass. */
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
      // An answer that does not come leaves open which of both the Lease has.
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
      const aborted = Promise.withResolvers<void>();
      const abort = (): void => aborted.resolve();
      signal.addEventListener("abort", abort);
      for (;;) {
        if (isOver || signal.aborted || noted.has(cluster)) break;
        wanted.raise();
        await Promise.race([next.promise, aborted.promise]);
      }
      signal.removeEventListener("abort", abort);
      return () => void running.delete(cluster);
    },
    end: () => {
      isOver = true;
      wanted.raise();
      next.resolve();
    },
  };
}
