/** A collection as it is at any time: its list, and what a watch tells after it. */
import type { ClusterApi } from "../api/cluster-api.ts";
import type { LiveObject } from "../api/live-object.ts";
import type { Collection } from "../api/served-kind.ts";
import { backoffMs } from "../waiting/backoff.ts";
import { lasting } from "../waiting/lasting.ts";
import { pause } from "../waiting/pause.ts";

const OPEN_SECONDS = 300;

interface FollowOptions {
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** What is needed of an object; the rest of a list goes page by page. */
  readonly keep?: ((object: LiveObject) => LiveObject) | undefined;
  readonly signal: AbortSignal;
  /** 0 to 1. */
  readonly random: () => number;
  /** Told of each object when it comes and when it changes; of those that stay as they are, nobody is told again. */
  readonly changed: (object: LiveObject) => void;
  readonly gone: (key: string) => void;
  /** After each list: all of it has been told. */
  readonly listed?: () => void;
  /** Whether whatever changes from now on is told; not before the first list, nor from a break to the next list. */
  readonly followed?: (isFollowed: boolean) => void;
  /** Said once as long as the words are the same. */
  readonly trouble: (words: string) => void;
}

/** Where an object stands: unique in its collection. */
export function keyOf({ metadata: { namespace = "", name } }: LiveObject): string {
  return `${namespace}/${name}`;
}

/**
 * Until the signal. A list that cannot be had takes nothing away: what was there stays until a list, or the watch, says
 * that it is gone.
 */
export async function follow(
  api: Pick<ClusterApi, "list" | "watch">,
  collection: Collection,
  options: FollowOptions,
): Promise<void> {
  const { labelSelector, fieldSelector, keep, signal, random, changed, gone, listed, followed, trouble } = options;
  const selected = { labelSelector, fieldSelector };
  /** The versions of all there is, which are enough to know what has changed. */
  const known = new Map<string, string>();
  let failures = 0;
  let said = "";

  /** @param words undefined where there is nothing to tell */
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

  /** Where the list ends, or undefined. */
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

  /** Where it goes on, or undefined where a list is needed. */
  const watch = async (from: string): Promise<string | undefined> => {
    let resourceVersion = from;
    const timeoutSeconds = OPEN_SECONDS + Math.floor(random() * OPEN_SECONDS);
    const hasLasted = lasting();
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
