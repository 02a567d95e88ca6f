/** A watch of a fake guest cluster: what happened since a version, what happens from now on, and each minute that nothing did. */
import type { ServerResponse } from "node:http";
import type { GuestObjects } from "./guest-objects.ts";

/** As kube-apiserver tells them. */
const BOOKMARK_MS = 60_000;

/** Until its time is over, or no client hears it any more. */
export async function watchGuest(
  objects: GuestObjects,
  collection: string,
  parameters: URLSearchParams,
  response: ServerResponse,
): Promise<void> {
  response.writeHead(200, { "content-type": "application/json" });
  response.flushHeaders();
  const from = parameters.get("resourceVersion") ?? "";
  const line = (type: string, object: unknown): boolean => response.write(`${JSON.stringify({ type, object })}\n`);
  const missed = from === "" ? [] : objects.since(collection, from);
  if (missed === undefined) {
    line("ERROR", { kind: "Status", code: 410, reason: "Expired", message: "too old resource version" });
    response.end();
    return;
  }
  for (const { type, object } of missed) line(type, object);
  const there = from === "" ? objects.all(collection) : [];
  const unfollow = objects.follow(collection, ({ type, object }) => line(type, object));
  const bookmarks = setInterval(
    () => line("BOOKMARK", { metadata: { resourceVersion: objects.version() } }),
    BOOKMARK_MS * (0.9 + Math.random() / 10),
  );
  const end = setTimeout(() => response.end(), Number(parameters.get("timeoutSeconds") ?? 600) * 1000);
  response.once("close", () => {
    unfollow();
    clearInterval(bookmarks);
    clearTimeout(end);
  });
  for (const object of there) {
    if (response.destroyed) return;
    // What changed meanwhile has been told already.
    const isSame = objects.get(collection, String(object.metadata["name"])) === object;
    if (isSame && !line("ADDED", object)) await untilRead(response);
  }
}

/** All of it may be much: no more is written than is read. */
export function untilRead(response: ServerResponse): Promise<void> {
  if (response.destroyed || !response.writableNeedDrain) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      response.off("drain", done);
      response.off("close", done);
      resolve();
    };
    response.once("drain", done);
    response.once("close", done);
  });
}
