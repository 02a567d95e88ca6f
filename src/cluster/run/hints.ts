/** Watches of collections as hints: a change raises the signal. */
import { createHash } from "node:crypto";
import type { PendingSignal } from "../waiting/pending-signal.ts";
import type { ClusterApi, WatchEvent } from "../api/cluster-api.ts";
import type { LiveObject } from "../api/live-object.ts";
import { backoffMs } from "../waiting/backoff.ts";
import { pause } from "../waiting/pause.ts";
import { changeSign } from "../objects/change-sign.ts";
import type { Collection } from "../api/served-kind.ts";
import type { Pulse } from "./quiet.ts";
import { APPLIED_KINDS } from "../../model/applied-kinds.ts";

const OPEN_SECONDS = 600;

export interface HintOptions {
  readonly signal: AbortSignal;
  readonly random: () => number;
  readonly labelSelector?: string;
  /** Told what the watch hears, news or not: that it goes on, and that it broke. */
  readonly pulse?: Pulse | undefined;
  /** Told once with the API server's words when RBAC forbids the watch, and again when it does so anew. */
  readonly onForbidden?: (collection: Collection, words: string) => void;
}

/** Ends with the signal. What a watch misses, the next pass by the clock finds. */
export async function hintOnChange(
  api: Pick<ClusterApi, "watch">,
  collection: Collection,
  pending: PendingSignal,
  { signal, random, labelSelector, onForbidden, pulse }: HintOptions,
): Promise<void> {
  const selected = labelSelector === undefined ? {} : { labelSelector };
  // Conditions of what is applied are mirrored onto wrappers. The status of all else is none of ours to read, or ours
  // to write: two watches that tell different things of one policy would keep each other busy for ever.
  const countsStatus = APPLIED_KINDS.some(({ kind }) => kind === collection.kind);
  const known = new Map<string, string>();
  let resourceVersion = "";
  let failures = 0;
  let isForbidden = false;
  while (!signal.aborted) {
    let heard = false;
    // Without a version the server first tells all there is; what is known by then raises nothing.
    const timeoutSeconds = OPEN_SECONDS + Math.floor(random() * OPEN_SECONDS);
    for await (const event of api.watch(collection, { resourceVersion, timeoutSeconds, signal, ...selected })) {
      if (!event.ok) {
        pulse?.broke();
        if (event.error.kind === "forbidden" && !isForbidden) onForbidden?.(collection, event.error.message);
        isForbidden = event.error.kind === "forbidden";
        if (event.error.kind === "expired") {
          // What was deleted in between, nobody will tell any more.
          resourceVersion = "";
          known.clear();
        }
        heard = false;
        break;
      }
      heard = true;
      pulse?.heard();
      isForbidden = false;
      const { type, object } = event.value;
      resourceVersion = object.metadata.resourceVersion;
      if (type !== "BOOKMARK" && isNews(event.value, known, countsStatus)) pending.raise();
    }
    failures = heard ? 0 : failures + 1;
    if (failures > 0) await pause(backoffMs(failures, random), signal);
  }
}

/** Karpenter counts a pool's nodes in its status all the time; only what people change is news. */
function isNews({ type, object }: WatchEvent, known: Map<string, string>, countsStatus: boolean): boolean {
  const { metadata, status } = object;
  if (type === "DELETED") return known.delete(metadata.uid);
  const ready = countsStatus ? JSON.stringify(readyOf(status)) : "";
  const sign = printOf(`${changeSign(object)} ${ready}`);
  if (known.get(metadata.uid) === sign) return false;
  known.set(metadata.uid, sign);
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
