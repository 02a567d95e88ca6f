/** Watches a collection, wakes the loop on a change, and knows whether all watches are alive. */
import { createHash } from "node:crypto";
import { APPLIED_KINDS } from "../../model/objects/applied-kinds.ts";
import type { ApiError } from "../api/api-answer.ts";
import type { ClusterApi, WatchEvent } from "../api/cluster-api.ts";
import type { LiveObject } from "../api/live-object.ts";
import { type WatchQuota, watchQuota } from "../api/read-quota.ts";
import type { Collection } from "../api/served-kind.ts";
import { objectFingerprint } from "../objects/strip-fields.ts";
import { backoffMs, livedLongEnough } from "../waiting/backoff.ts";
import { pause } from "../waiting/pause.ts";
import type { WakeUp } from "../waiting/wake-up.ts";

const OPEN_SECONDS = 600;

/** A watch that sends too much stays closed for this time: passes by the clock continue. */
const GIVEN_UP_MS = 10 * 60_000;

export interface TriggerOptions {
  readonly signal: AbortSignal;
  readonly random: () => number;
  readonly labelSelector?: string;
  /** Called for each event, and when the watch breaks. */
  readonly pulse?: Pulse | undefined;
  /** Shared by all watches of the cluster. */
  readonly budget?: WatchQuota;
  /** Called once when a watch is given up: RBAC forbids it, or it sends too much. */
  readonly onUnwatched?: (collection: Collection, words: string) => void;
}

/** Ends with the signal. The next pass by the clock finds changes that a watch missed. */
export async function triggerOnChange(
  api: Pick<ClusterApi, "watch">,
  collection: Collection,
  pending: WakeUp,
  { signal, random, labelSelector, onUnwatched, pulse, budget = watchQuota() }: TriggerOptions,
): Promise<void> {
  const selected = { onBytes: budget.heard, ...(labelSelector === undefined ? {} : { labelSelector }) };
  // Conditions of applied objects are mirrored to wrappers. The status of other objects is not read, or anp writes it:
  // two watches that report different conditions on one policy would trigger each other for ever.
  const countsStatus = APPLIED_KINDS.some(({ kind }) => kind === collection.kind);
  const known = new Map<string, string>();
  const forget = (): void => {
    budget.knows(-known.size);
    known.clear();
  };
  const isNews = (event: WatchEvent): boolean => {
    const before = known.size;
    const isNew = note(event, known, countsStatus);
    budget.knows(known.size - before);
    return isNew;
  };
  let resourceVersion = "";
  let failures = 0;
  let isReported = false;
  while (!signal.aborted) {
    let heard = false;
    let error: ApiError | undefined;
    const hasLasted = livedLongEnough();
    // Without a version the server first sends all objects; known ones do not wake the loop.
    const timeoutSeconds = OPEN_SECONDS + Math.floor(random() * OPEN_SECONDS);
    for await (const event of api.watch(collection, { resourceVersion, timeoutSeconds, signal, ...selected })) {
      if (event.ok) {
        heard = true;
        pulse?.heard();
        const { type, object } = event.value;
        resourceVersion = object.metadata.resourceVersion;
        if (type !== "BOOKMARK" && isNews(event.value)) pending.raise();
        error = budget.spent();
      } else error = event.error;
      if (error !== undefined) break;
    }
    if (error !== undefined) pulse?.broke();
    const isTooMuch = error?.kind === "tooLarge";
    const isUnwatched = isTooMuch || error?.kind === "forbidden";
    if (isUnwatched && !isReported) onUnwatched?.(collection, error?.message ?? "");
    if (isUnwatched || heard) isReported = isUnwatched;
    if (isTooMuch || error?.kind === "expired") {
      // Objects that were deleted in between are not reported any more.
      resourceVersion = "";
      forget();
    }
    const isWell = heard && error === undefined;
    failures = hasLasted() ? Number(!isWell) : failures + 1;
    if (failures > 0) await pause(isTooMuch ? GIVEN_UP_MS : backoffMs(failures, random), signal);
  }
}

/** Karpenter updates the node counts in a pool's status all the time. Only other changes count. */
function note({ type, object }: WatchEvent, known: Map<string, string>, countsStatus: boolean): boolean {
  const { metadata, status } = object;
  // A uid may be any text.
  const key = printOf(`uid ${metadata.uid}`);
  if (type === "DELETED") return known.delete(key);
  const ready = countsStatus ? JSON.stringify(readyOf(status)) : "";
  const sign = printOf(`${objectFingerprint(object)} ${ready}`);
  if (known.get(key) === sign) return false;
  known.set(key, sign);
  return true;
}

/** Annotations may be large, and there may be many objects. */
function printOf(text: string): string {
  return createHash("sha256").update(text).digest("base64").slice(0, 22);
}

function readyOf(status: LiveObject["status"]): unknown {
  const conditions = status?.["conditions"] as readonly { type?: string; status?: string }[] | undefined;
  return conditions?.map(({ type, status: is }) => `${type}=${is}`);
}

/** Of one watch. */
interface Pulse {
  readonly heard: () => void;
  readonly broke: () => void;
}

export interface WatchLiveness {
  /** Adds a watch, which has received nothing yet. */
  readonly pulse: () => Pulse;
  /** Each watch has received something lately, and none has ended since the last pass began. */
  readonly isQuiet: () => boolean;
  /** A pass begins, and reads all that was missed until now. */
  readonly passed: () => void;
}

/** An API server sends a bookmark to each watch once a minute (docs/upstream/hosts.md#watches). */
const HEARD_MS = 150_000;

/** @param now milliseconds of a monotonic clock */
export function watchLiveness(now: () => number): WatchLiveness {
  const last: { at: number; broken: boolean }[] = [];
  return {
    pulse: () => {
      const watch = { at: -Infinity, broken: false };
      last.push(watch);
      return {
        heard: () => {
          watch.at = now();
        },
        broke: () => {
          watch.broken = true;
        },
      };
    },
    isQuiet: () => last.length > 0 && last.every(({ at, broken }) => !broken && now() - at < HEARD_MS),
    passed: () => {
      for (const watch of last) watch.broken = false;
    },
  };
}
