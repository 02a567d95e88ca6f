/** Keeps a collection up to date by list and watch, as a reflector of client-go does. */
import type { ClusterApi } from "../api/cluster-api.ts";
import type { LiveObject } from "../api/live-object.ts";
import type { Collection } from "../api/served-kind.ts";
import { backoffMs, livedLongEnough } from "../waiting/backoff.ts";
import { pause } from "../waiting/pause.ts";

const OPEN_SECONDS = 300;

interface FollowOptions {
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** Strips an object of the fields that the caller does not need. Each page of a list is stripped at once. */
  readonly keep?: ((object: LiveObject) => LiveObject) | undefined;
  readonly signal: AbortSignal;
  /** 0 to 1. */
  readonly random: () => number;
  /** Called for each new and each changed object. */
  readonly changed: (object: LiveObject) => void;
  readonly gone: (key: string) => void;
  /** Called after each list, when all its changes were reported. */
  readonly listed?: () => void;
  /** Whether further changes are reported: false before the first list, and from a failure until the next list. */
  readonly followed?: (isFollowed: boolean) => void;
  /** Reports an error, once for the same message. */
  readonly trouble: (words: string) => void;
}

/** Namespace and name: unique in its collection. */
export function keyOf({ metadata: { namespace = "", name } }: LiveObject): string {
  return `${namespace}/${name}`;
}

/**
 * Runs until the signal. A failed list removes nothing: objects stay until a list or the watch shows that they are gone.
 */
export async function listAndWatch(
  api: Pick<ClusterApi, "list" | "watch">,
  collection: Collection,
  options: FollowOptions,
): Promise<void> {
  const { labelSelector, fieldSelector, keep, signal, random, changed, gone, listed, followed, trouble } = options;
  const selected = { labelSelector, fieldSelector };
  /** The resourceVersion of each object, which is enough to find changes. */
  const known = new Map<string, string>();
  let failures = 0;
  let said = "";

  /** @param words undefined if there is nothing to report */
  const failed = async (words?: string): Promise<void> => {
    if (words !== undefined && words !== said) trouble(words);
    said = words ?? said;
    failures++;
    await pause(backoffMs(failures, random), signal);
  };
  const take = (object: LiveObject): void => {
    const { resourceVersion } = object.metadata;
    const key = keyOf(object);
    if (known.get(key) === resourceVersion) return;
    known.set(key, resourceVersion);
    changed(object);
  };
  const drop = (key: string): void => {
    if (known.delete(key)) gone(key);
  };

  /** Returns the resourceVersion to watch from; undefined after a failure. */
  const list = async (): Promise<string | undefined> => {
    const answer = await api.list(collection, { ...selected, keep });
    if (signal.aborted) return undefined;
    if (!answer.ok) {
      await failed(answer.error.message);
      return undefined;
    }
    const there = new Set(answer.value.items.map(keyOf));
    for (const key of known.keys()) if (!there.has(key)) drop(key);
    for (const object of answer.value.items) take(object);
    listed?.();
    followed?.(true);
    return answer.value.resourceVersion;
  };

  /** Returns the resourceVersion to continue from; undefined if a list is needed. */
  const watch = async (from: string): Promise<string | undefined> => {
    let resourceVersion = from;
    const timeoutSeconds = OPEN_SECONDS + Math.floor(random() * OPEN_SECONDS);
    const hasLasted = livedLongEnough();
    for await (const event of api.watch(collection, { ...selected, resourceVersion, timeoutSeconds, signal })) {
      if (!event.ok) {
        followed?.(false);
        if (hasLasted()) failures = 0;
        await failed(event.error.kind === "expired" ? undefined : event.error.message);
        return undefined;
      }
      const { type, object } = event.value;
      resourceVersion = object.metadata.resourceVersion;
      if (hasLasted()) {
        failures = 0;
        said = "";
      }
      if (type === "DELETED") drop(keyOf(object));
      else if (type !== "BOOKMARK") take(object);
    }
    if (!hasLasted()) await failed();
    else failures = 0;
    return resourceVersion;
  };

  let version: string | undefined;
  while (!signal.aborted) version = version === undefined ? await list() : await watch(version);
}
