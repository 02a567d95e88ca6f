/** The events of a watched collection, until the server, the signal or an error ends the watch. */
import { type Answer, type ApiError, apiErrorOf, failed, succeeded, unreachable } from "./api-answer.ts";
import type { WatchEvent, WatchOptions } from "./cluster-api.ts";
import { gatheredBytes, OBJECT_BYTES, TooLong } from "./gathered-bytes.ts";
import type { HttpDoor } from "./http-door.ts";
import type { LiveObject } from "./live-object.ts";
import { type Collection, pathOf } from "./served-kind.ts";

/** A server that keeps a watch open longer than it was asked to has forgotten us. */
const PATIENCE_SECONDS = 30;

const NEWLINE = 0x0a;

export async function* watchStream(
  collection: Collection,
  { resourceVersion, timeoutSeconds, labelSelector, fieldSelector, signal, onBytes }: WatchOptions,
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
  try {
    for await (const line of linesOf(response, onBytes)) {
      const event = eventOf(line, collection);
      yield event;
      if (!event.ok) return;
    }
  } catch (error) {
    if (error instanceof TooLong) yield failed(tooLong(collection));
    else if (!end.aborted) yield failed(unreachable(`the watch was cut: ${(error as Error).message}`));
  } finally {
    response.destroy();
  }
}

/** Each is counted before any of it is a text: one without an end would fill the memory of all clusters. */
async function* linesOf(stream: AsyncIterable<Buffer>, onBytes: WatchOptions["onBytes"]): AsyncGenerator<string> {
  const line = gatheredBytes(OBJECT_BYTES);
  for await (const piece of stream) {
    onBytes?.(piece.length);
    let from = 0;
    for (let end = piece.indexOf(NEWLINE); end !== -1; end = piece.indexOf(NEWLINE, from)) {
      line.add(piece.subarray(from, end));
      from = end + 1;
      yield line.take();
    }
    line.add(piece.subarray(from));
  }
  const last = line.take();
  if (last !== "") yield last;
}

function tooLong({ plural }: Collection): ApiError {
  const message = `the watch of ${plural} tells of one that is longer than any object`;
  return { kind: "tooLarge", status: undefined, reason: "TooLarge", message };
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
  if (typeof object["metadata"] !== "object" || object["metadata"] === null)
    return failed(unreachable("the watch tells of something that is no object"));
  return succeeded({
    type: type as WatchEvent["type"],
    object: { ...object, apiVersion, kind } as unknown as LiveObject,
  });
}
