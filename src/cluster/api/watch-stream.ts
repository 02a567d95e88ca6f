/** The events of a watched collection, until the server, the signal or an error ends the watch. */
import { createInterface } from "node:readline";
import { type Answer, apiErrorOf, failed, succeeded, unreachable } from "./api-answer.ts";
import type { WatchEvent, WatchOptions } from "./cluster-api.ts";
import type { HttpDoor } from "./http-door.ts";
import type { LiveObject } from "./live-object.ts";
import { type Collection, pathOf } from "./served-kind.ts";

/** A server that keeps a watch open longer than it was asked to has forgotten us. */
const PATIENCE_SECONDS = 30;

export async function* watchStream(
  collection: Collection,
  { resourceVersion, timeoutSeconds, labelSelector, fieldSelector, signal }: WatchOptions,
  door: HttpDoor,
): AsyncGenerator<Answer<WatchEvent>> {
  const parameters = new URLSearchParams({
    watch: "true",
    allowWatchBookmarks: "true",
    resourceVersion,
    timeoutSeconds: String(timeoutSeconds),
    ...(labelSelector === undefined ? {} : { labelSelector }),
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
  });
  const end = AbortSignal.any([signal, AbortSignal.timeout((timeoutSeconds + PATIENCE_SECONDS) * 1000)]);
  const opened = await door.open(`${pathOf(collection)}?${parameters.toString()}`, end);
  if (!opened.ok) {
    if (!signal.aborted) yield opened;
    return;
  }
  const response = opened.value;
  const lines = createInterface({ input: response, crlfDelay: Infinity });
  try {
    for await (const line of lines) {
      const event = eventOf(line, collection);
      yield event;
      if (!event.ok) return;
    }
    if (response.errored !== null && !end.aborted) yield failed(unreachable("the watch was cut"));
  } catch (error) {
    if (!end.aborted) yield failed(unreachable(`the watch was cut: ${(error as Error).message}`));
  } finally {
    lines.close();
    response.destroy();
  }
}

function eventOf(line: string, { apiVersion, kind }: Collection): Answer<WatchEvent> {
  let event: { type?: string; object?: Readonly<Record<string, unknown>> };
  try {
    event = JSON.parse(line) as typeof event;
  } catch {
    return failed(unreachable("the watch was cut in the middle of a line"));
  }
  const { type, object } = event;
  if (type === "ERROR" || object === undefined) return failed(apiErrorOf(Number(object?.["code"]) || 500, object));
  return succeeded({
    type: type as WatchEvent["type"],
    object: { ...object, apiVersion, kind } as unknown as LiveObject,
  });
}
