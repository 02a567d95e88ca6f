/** Writes events, and repeats the same note on the same object only after an hour, as a series. */
import { withoutEnding } from "../../krm/values/without-ending.ts";
import { createHash } from "node:crypto";
import { valueAt } from "../../krm/places/field-path.ts";
import type { ClusterApi } from "../api/cluster-api.ts";
import { inParallel, inSlices } from "../waiting/in-parallel.ts";
import type { LiveObject } from "../api/live-object.ts";
import { EVENTS } from "../api/served-kind.ts";
import type { Step } from "../plan/step.ts";

interface Regarding {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
}

/** A Kubernetes event, for `kubectl describe` and `kubectl get events`. */
export interface ObjectEvent {
  readonly side: "management" | "guest";
  readonly regarding: Regarding;
  readonly type: "Normal" | "Warning";
  /** One of the reasons in docs/watch.md. */
  readonly reason: string;
  /** Must not contain a secret. */
  readonly note: string;
}

export function regarding({ apiVersion, kind, metadata: { name, namespace, uid } }: LiveObject): Regarding {
  return { apiVersion, kind, name, uid, ...(namespace === undefined ? {} : { namespace }) };
}

export interface EventRecorder {
  /** Returns which events could not be written. A pass does not fail because of them. */
  readonly record: (events: readonly ObjectEvent[], signal?: AbortSignal) => Promise<string[]>;
  readonly announcePrune: (step: Step, nodes: number | undefined) => Promise<void>;
}

interface RecorderOptions {
  readonly guest: ClusterApi;
  readonly management: ClusterApi | undefined;
  /** The name of this replica. */
  readonly instance: string;
  readonly now: () => Date;
  readonly dryRun: boolean;
}

/** The reportingController of anp's events. */
const REPORTER = "anp.hypershift.openshift.io/watch";

const AT_ONCE = 8;
/** Thousands of invalid wrappers must not delay a pass. The next pass writes the remaining events. */
const IN_ONE_PASS = 500;
const AGAIN_AFTER_MS = 3_600_000;

/** The limit of the Events API, in bytes. */
const NOTE_LENGTH = 1024;

export function eventRecorder(options: RecorderOptions): EventRecorder {
  /** When each event was written last. */
  const written = new Map<string, number>();

  const isWritten = (key: string): boolean => options.now().getTime() - (written.get(key) ?? 0) < AGAIN_AFTER_MS;

  async function report(event: ObjectEvent, key: string): Promise<string | undefined> {
    const api = event.side === "guest" ? options.guest : options.management;
    if (api === undefined || options.dryRun) return undefined;
    const now = options.now();
    const error = await write(event, key, now, api, options.instance);
    if (error === undefined) written.set(key, now.getTime());
    return error;
  }

  return {
    record: async (events, signal) => {
      const oldest = options.now().getTime() - AGAIN_AFTER_MS;
      for (const [key, time] of written) if (time < oldest) written.delete(key);
      const notes: string[] = [];
      const news = new Map<string, ObjectEvent>();
      await inSlices(events, (event) => {
        const key = keyOf(event);
        if (!isWritten(key)) news.set(key, event);
        return news.size === IN_ONE_PASS ? true : undefined;
      });
      const record = async ([key, event]: readonly [string, ObjectEvent]): Promise<void> => {
        const note = await report(event, key);
        if (note !== undefined) notes.push(note);
      };
      await inParallel([...news], AT_ONCE, record, signal);
      return [...new Set(notes)];
    },
    announcePrune: async (step, nodes) => {
      if (step.live === undefined) return;
      const counted = nodes === undefined ? "" : ` with its ${nodes} node${nodes === 1 ? "" : "s"}`;
      const note = `deleted${counted}, because ${step.reason}`;
      const event = { side: "guest", regarding: regarding(step.live), type: "Normal", reason: "Pruned", note } as const;
      const key = keyOf(event);
      if (!isWritten(key)) await report(event, key);
    },
  };
}

function keyOf({ side, regarding: { kind, namespace, name, uid }, reason, note }: ObjectEvent): string {
  return createHash("sha256")
    .update(JSON.stringify([side, kind, namespace, name, uid, reason, note]))
    .digest("hex")
    .slice(0, 16);
}

/** All replicas write the same Event object for the same note. */
async function write(
  event: ObjectEvent,
  key: string,
  now: Date,
  api: ClusterApi,
  instance: string,
): Promise<string | undefined> {
  // Events of cluster-scoped objects live in the namespace default.
  const namespace = event.regarding.namespace ?? "default";
  const collection = { ...EVENTS, namespace };
  // In a valid name no part is empty or ends with a hyphen.
  const name = `${withoutEnding(event.regarding.name.slice(0, 200), "-.")}.${key}`;
  const time = now.toISOString().replace("Z", "000Z");
  const note = shortened(event.note);
  const created = await api.create(collection, {
    apiVersion: EVENTS.apiVersion,
    kind: EVENTS.kind,
    metadata: { name, namespace },
    eventTime: time,
    reportingController: REPORTER,
    reportingInstance: instance.slice(0, 128),
    action: "Reconcile",
    reason: event.reason,
    regarding: { ...event.regarding, ...(event.regarding.namespace === undefined ? {} : { namespace }) },
    note,
    type: event.type,
  });
  if (created.ok) return undefined;
  if (created.error.kind !== "conflict") return `events cannot be written: ${created.error.message}`;
  const existing = await api.get(collection, name);
  const previous = existing.ok ? Number(valueAt(existing.value, ["series", "count"]) ?? 1) : 1;
  // An int32.
  const count = Number.isInteger(previous) && previous > 0 && previous < 2 ** 31 - 1 ? previous : 1;
  const series = { count: count + 1, lastObservedTime: time };
  const patched = await api.patch(collection, name, { series });
  return patched.ok ? undefined : `events cannot be written: ${patched.error.message}`;
}

function shortened(note: string): string {
  if (Buffer.byteLength(note) <= NOTE_LENGTH) return note;
  const end = "…";
  let cut = note.slice(0, NOTE_LENGTH - Buffer.byteLength(end));
  while (Buffer.byteLength(cut + end) > NOTE_LENGTH) cut = cut.slice(0, -1);
  return cut + end;
}
