/** The events of a watched collection, until the server, the signal or an error ends the watch. */
import { type Answer, type ApiError, apiErrorOf, failed, localError, succeeded, unreachable } from "./api-answer.ts";
import { valueAt } from "../../krm/places/field-path.ts";
import { isFields } from "../../krm/values/fields.ts";
import { checkedObject, isMalformed, malformedAnswer } from "./check-object.ts";
import type { WatchEvent, WatchOptions } from "./cluster-api.ts";
import { boundedBuffer, type HttpClient, TooLong } from "./http-client.ts";
import { type Collection, pathOf, queryOf } from "./served-kind.ts";

/** After this the watch is closed, because the server did not end it in time. */
const PATIENCE_SECONDS = 30;

const NEWLINE = 0x0a;

export async function* watchStream(
  collection: Collection,
  { resourceVersion, timeoutSeconds, labelSelector, fieldSelector, signal, onBytes }: WatchOptions,
  client: HttpClient,
): AsyncGenerator<Answer<WatchEvent>> {
  const given = { resourceVersion, timeoutSeconds: String(timeoutSeconds), labelSelector, fieldSelector };
  const parameters = queryOf({ watch: "true", allowWatchBookmarks: "true", ...given });
  const end = AbortSignal.any([signal, AbortSignal.timeout((timeoutSeconds + PATIENCE_SECONDS) * 1000)]);
  const opened = await client.open(`${pathOf(collection)}${parameters}`, end);
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

/** Bytes are counted before a line is decoded: a line without end would fill the memory. */
async function* linesOf(stream: AsyncIterable<Buffer>, onBytes: WatchOptions["onBytes"]): AsyncGenerator<string> {
  const line = boundedBuffer();
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
  return localError("tooLarge", `the watch of ${plural} sends an event that is longer than any object`);
}

function eventOf(line: string, collection: Collection): Answer<WatchEvent> {
  let event: { type?: unknown; object?: unknown };
  try {
    event = (JSON.parse(line) ?? {}) as typeof event;
  } catch {
    return failed(unreachable("the watch was cut in the middle of a line"));
  }
  const { type, object } = event;
  if (type === "ERROR" || !isFields(object)) {
    const status = isFields(object) ? object : undefined;
    return failed(apiErrorOf(Number(status?.["code"]) || 500, status));
  }
  if (type === "BOOKMARK") {
    // A bookmark has only the version.
    const resourceVersion = valueAt(object, ["metadata", "resourceVersion"]);
    if (typeof resourceVersion !== "string") return failed(unreachable("the watch has a bookmark without a version"));
    const { apiVersion, kind } = collection;
    return succeeded({ type, object: { apiVersion, kind, metadata: { name: "", uid: "", resourceVersion } } });
  }
  const checked = checkedObject(object, collection);
  if (isMalformed(checked)) return failed(malformedAnswer(checked));
  return isChange(type)
    ? succeeded({ type, object: checked })
    : failed(unreachable("the watch sends an event of an unknown type"));
}

function isChange(type: unknown): type is WatchEvent["type"] {
  return type === "ADDED" || type === "MODIFIED" || type === "DELETED";
}
