/** API servers of guest clusters in one process: each on a port of its own, with what was put into it and what anp applies. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

type GuestObject = Readonly<Record<string, unknown>> & { readonly metadata: Readonly<Record<string, unknown>> };

export interface FakeGuest {
  readonly url: string;
  /** All that anp wrote: `PATCH /apis/karpenter.sh/v1/nodepools/web`, with when and by whose token. */
  readonly writes: readonly { readonly what: string; readonly time: number; readonly token: string }[];
  /** Requests that came, but for those of watches. */
  readonly requests: () => number;
  /** As somebody of the guest does it. */
  readonly put: (collection: string, object: GuestObject) => void;
  readonly get: (collection: string, name: string) => GuestObject | undefined;
  /** Whoever has another token is nobody: undefined takes everybody. */
  setToken: (token: string | undefined) => void;
  /** Before each answer; Infinity never answers. */
  setDelay: (milliseconds: number) => void;
  readonly close: () => void;
}

const OPERATOR = "system:hosted-cluster-config";

/** @param tls a certificate of 127.0.0.1 and its key */
export async function startFakeGuest(tls: { readonly cert: string; readonly key: string }): Promise<FakeGuest> {
  const collections = new Map<string, Map<string, GuestObject>>();
  const streams = new Set<{ readonly collection: string; readonly response: ServerResponse }>();
  const writes: { what: string; time: number; token: string }[] = [];
  let version = 1;
  let count = 0;
  let token: string | undefined;
  let delay = 0;

  const inside = (collection: string): Map<string, GuestObject> => {
    const known = collections.get(collection) ?? new Map<string, GuestObject>();
    collections.set(collection, known);
    return known;
  };
  const tell = (collection: string, type: string, object: GuestObject): void => {
    for (const stream of streams)
      if (stream.collection === collection) stream.response.write(`${JSON.stringify({ type, object })}\n`);
  };
  const keep = (collection: string, object: GuestObject): GuestObject => {
    const name = String(object.metadata["name"]);
    const before = inside(collection).get(name);
    const isSame = JSON.stringify(before?.["spec"]) === JSON.stringify(object["spec"]);
    const kept = {
      ...object,
      metadata: {
        creationTimestamp: before?.metadata["creationTimestamp"] ?? new Date().toISOString(),
        ...object.metadata,
        uid: before?.metadata["uid"] ?? randomUUID(),
        generation: Number(before?.metadata["generation"] ?? 0) + (isSame ? 0 : 1),
        resourceVersion: String(++version),
      },
    };
    inside(collection).set(name, kept);
    tell(collection, before === undefined ? "ADDED" : "MODIFIED", kept);
    return kept;
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = "" } = request;
    const url = new URL(request.url ?? "/", "https://guest");
    const body = method === "GET" ? undefined : await text(request);
    const said = (request.headers.authorization ?? "").replace("Bearer ", "");
    const send = (status: number, value: unknown): void => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(value));
    };
    if (url.searchParams.get("watch") !== "true") count++;
    if (delay === Infinity) return;
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
    if (token !== undefined && said !== token)
      return send(401, { kind: "Status", reason: "Unauthorized", message: "Unauthorized", code: 401 });
    const { collection, name, status } = placeOf(url.pathname);
    const missing = () => send(404, { kind: "Status", reason: "NotFound", message: `no ${name}`, code: 404 });
    if (collection.endsWith("/selfsubjectreviews")) return send(201, { status: { userInfo: { username: OPERATOR } } });
    const judgesOnly = url.searchParams.has("dryRun");
    if (method !== "GET" && !judgesOnly)
      writes.push({ what: `${method} ${url.pathname}`, time: performance.now(), token: said });
    if (method === "GET" && name === "" && url.searchParams.get("watch") === "true") {
      response.writeHead(200, { "content-type": "application/json" });
      const stream = { collection, response };
      streams.add(stream);
      response.on("close", () => streams.delete(stream));
      if (url.searchParams.get("resourceVersion") === "")
        for (const object of inside(collection).values())
          response.write(`${JSON.stringify({ type: "ADDED", object })}\n`);
      return;
    }
    if (method === "GET" && name === "")
      return send(200, { metadata: { resourceVersion: String(version) }, items: [...inside(collection).values()] });
    const there = inside(collection).get(name);
    if (method === "GET") return there === undefined ? missing() : send(200, there);
    if (method === "DELETE") {
      if (there === undefined) return missing();
      inside(collection).delete(name);
      tell(collection, "DELETED", there);
      return send(200, { kind: "Status", status: "Success" });
    }
    const change = JSON.parse(body ?? "{}") as GuestObject;
    const type = request.headers["content-type"] ?? "";
    if (method === "POST") return send(201, keep(collection, change));
    if (judgesOnly) return send(200, { ...there, ...change });
    if (type.startsWith("application/apply-patch")) {
      const entry = {
        manager: "anp",
        operation: "Apply",
        apiVersion: change["apiVersion"],
        fieldsType: "FieldsV1",
        fieldsV1: fieldsOf({ spec: change["spec"], metadata: marksOf(change) }),
      };
      const { resourceVersion: _any, uid: _same, ...metadata } = change.metadata;
      return send(200, keep(collection, { ...there, ...change, metadata: { ...metadata, managedFields: [entry] } }));
    }
    if (there === undefined) return missing();
    if (status || type.startsWith("application/merge-patch"))
      return send(200, keep(collection, { ...there, ...change, metadata: there.metadata }));
    return send(200, there);
  };

  const server = createServer(tls, (request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    writes,
    requests: () => count,
    put: (collection, object) => void keep(collection, object),
    get: (collection, name) => inside(collection).get(name),
    setToken: (given) => {
      token = given;
    },
    setDelay: (milliseconds) => {
      delay = milliseconds;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function placeOf(path: string): { collection: string; name: string; status: boolean } {
  const [, group = "", ...rest] = path.split("/");
  const start = group === "api" ? 1 : 2;
  const after = rest.slice(start);
  const namespaced = after[0] === "namespaces" && after.length > 2;
  const [plural = "", name = "", sub = ""] = namespaced ? after.slice(2) : after;
  const head = [group, ...rest.slice(0, start), ...(namespaced ? after.slice(0, 2) : []), plural];
  return { collection: `/${head.join("/")}`, name, status: sub === "status" };
}

function marksOf({ metadata: { labels, annotations } }: GuestObject): object {
  return { labels, annotations };
}

/** As server-side apply records them. */
function fieldsOf(value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
  const fields = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(fields.map(([key, inner]) => [`f:${key}`, fieldsOf(inner)]));
}
