/** How the API server of a fake guest cluster answers: requests of anp in, what a real one would say out, and who wrote what. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { GuestObject, GuestObjects } from "./guest-objects.ts";
import { untilRead, watchGuest } from "./guest-watch.ts";

export interface GuestWrite {
  /** `PATCH /apis/karpenter.sh/v1/nodepools/web` */
  readonly what: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly token: string;
}

/** How it behaves; may change at any time. */
export interface GuestManners {
  /** Requests with none of these tokens are refused; undefined accepts all. */
  tokens: readonly string[] | undefined;
  /** Before each answer; Infinity never answers. */
  delayMs: number;
  /** What is to be written never has an answer. */
  hangsAtWrites?: boolean;
  /** What it answers ends a process that was started with ending-guest.ts: in a pass, or in a watch. */
  ends?: "passes" | "watches" | undefined;
}

/** Read by test/support/watch-faults/ending-guest.ts. */
const ENDING_HEADER = "x-test-ends-process";

interface AnswerOptions {
  readonly manners: GuestManners;
  /** Each request but those of watches, then those. */
  readonly asked: (isWatch: boolean) => void;
  readonly wrote: (write: GuestWrite, object: GuestObject | undefined) => void;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const OPERATOR = "system:hosted-cluster-config";

export function guestAnswers(objects: GuestObjects, { manners, asked, wrote }: AnswerOptions): Answer {
  return async (request, response) => {
    const { method = "" } = request;
    const url = new URL(request.url ?? "/", "https://guest");
    const isWatch = url.searchParams.get("watch") === "true";
    const body = method === "GET" ? undefined : await text(request);
    const token = (request.headers.authorization ?? "").replace("Bearer ", "");
    asked(isWatch);
    if (manners.delayMs === Infinity || (manners.hangsAtWrites === true && method !== "GET")) return;
    if (manners.delayMs > 0) await sleep(manners.delayMs);
    if (response.destroyed) return;
    if (manners.ends === (isWatch ? "watches" : "passes")) response.setHeader(ENDING_HEADER, "yes");
    const send = (status: number, value: unknown): void => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    };
    const refuse = (code: number, reason: string): void =>
      send(code, { kind: "Status", reason, message: reason, code });
    if (manners.tokens?.includes(token) === false) return refuse(401, "Unauthorized");
    const place = placeOf(url.pathname);
    const { collection, name } = place;
    if (method === "GET" && name === "" && isWatch) return watchGuest(objects, collection, url.searchParams, response);
    if (method === "GET" && name === "") return sendList(objects, collection, url.searchParams, response);
    if (method === "GET") {
      const there = objects.get(collection, name);
      return there === undefined ? refuse(404, "NotFound") : send(200, there);
    }
    if (collection.endsWith("/selfsubjectreviews")) return send(201, { status: { userInfo: { username: OPERATOR } } });
    if (url.searchParams.has("dryRun")) return send(200, { ...objects.get(collection, name), ...parsed(body) });
    const type = request.headers["content-type"] ?? "";
    const written = write(objects, { ...place, method, type, change: parsed(body) });
    wrote({ what: `${method} ${url.pathname}`, time: Date.now(), token }, written);
    if (written === undefined) return refuse(404, "NotFound");
    return send(method === "POST" ? 201 : 200, method === "DELETE" ? { kind: "Status", status: "Success" } : written);
  };
}

/** Object by object, as fast as it is read: a client that asks for too much cuts it. */
async function sendList(
  objects: GuestObjects,
  collection: string,
  parameters: URLSearchParams,
  response: ServerResponse,
): Promise<void> {
  const limit = Number(parameters.get("limit") ?? Infinity);
  const { items, resume, version } = objects.page(collection, limit, parameters.get("continue") ?? "");
  const metadata = { resourceVersion: version, ...(resume === "" ? {} : { continue: resume }) };
  response.writeHead(200, { "content-type": "application/json" });
  let chunk = `{"metadata":${JSON.stringify(metadata)},"items":[`;
  for (const [index, item] of items.entries()) {
    chunk += `${index === 0 ? "" : ","}${JSON.stringify(item)}`;
    if (chunk.length < CHUNK) continue;
    const isTaken = response.write(chunk);
    chunk = "";
    if (!isTaken) await untilRead(response);
    if (response.destroyed) return;
  }
  response.end(`${chunk}]}`);
}

const CHUNK = 256 * 1024;

interface Written extends Place {
  readonly method: string;
  readonly type: string;
  readonly change: GuestObject;
}

/** What is there afterwards, or what went. */
function write(
  objects: GuestObjects,
  { method, type, collection, name, status, change }: Written,
): GuestObject | undefined {
  if (method === "DELETE") return objects.remove(collection, name);
  if (method === "POST") return objects.put(collection, change);
  const there = objects.get(collection, name);
  if (type.startsWith("application/apply-patch")) {
    const { resourceVersion: _any, uid: _same, ...metadata } = change.metadata;
    const managedFields = [ownedByAnp(change)];
    return objects.put(collection, { ...there, ...change, metadata: { ...metadata, managedFields } });
  }
  if (there === undefined) return undefined;
  if (status || type.startsWith("application/merge-patch"))
    return objects.put(collection, { ...there, ...change, metadata: there.metadata });
  return there;
}

function parsed(body: string | undefined): GuestObject {
  return JSON.parse(body === undefined || body === "" ? '{"metadata":{}}' : body) as GuestObject;
}

interface Place {
  readonly collection: string;
  readonly name: string;
  readonly status: boolean;
}

function placeOf(path: string): Place {
  const [, group = "", ...rest] = path.split("/");
  const start = group === "api" ? 1 : 2;
  const after = rest.slice(start);
  const namespaced = after[0] === "namespaces" && after.length > 2;
  const [plural = "", name = "", sub = ""] = namespaced ? after.slice(2) : after;
  const head = [group, ...rest.slice(0, start), ...(namespaced ? after.slice(0, 2) : []), plural];
  return { collection: `/${head.join("/")}`, name, status: sub === "status" };
}

function ownedByAnp({ apiVersion, spec, metadata: { labels, annotations } }: GuestObject): object {
  const fieldsV1 = fieldsOf({ spec, metadata: { labels, annotations } });
  return { manager: "anp", operation: "Apply", apiVersion, fieldsType: "FieldsV1", fieldsV1 };
}

/** As server-side apply records them. */
function fieldsOf(value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
  const fields = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(fields.map(([key, inner]) => [`f:${key}`, fieldsOf(inner)]));
}
