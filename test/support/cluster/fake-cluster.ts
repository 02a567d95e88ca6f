/** An API server in this process: objects in memory, lists, applies, patches and watches; it hangs, slows and refuses as told. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** As it is stored. */
interface Stored {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: Readonly<Record<string, unknown>> & { readonly name: string };
  readonly spec?: unknown;
  readonly status?: unknown;
  readonly data?: unknown;
}

interface Asked {
  readonly method: string;
  /** With its query. */
  readonly url: string;
  readonly path: string;
  readonly body: unknown;
}

/** Takes an answer out of the server's hands: nothing where it says false. */
type Interceptor = (asked: Asked, response: ServerResponse, request: IncomingMessage) => boolean | Promise<boolean>;

export interface FakeCluster {
  readonly kubeconfig: string;
  readonly asked: Asked[];
  /** Into a collection's path, such as `/apis/karpenter.sh/v1/nodepools`. */
  readonly put: (collection: string, ...objects: readonly object[]) => void;
  readonly remove: (collection: string, name: string) => void;
  readonly objects: (collection: string) => Stored[];
  intercept: Interceptor;
  readonly close: () => void;
}

/** Every collection whose path has no object yet is empty, and served. */
export async function fakeCluster(): Promise<FakeCluster> {
  const store = new Map<string, Map<string, Stored>>();
  const watchers = new Map<string, Set<ServerResponse>>();
  const asked: Asked[] = [];
  let version = 1;

  const of = (collection: string) => {
    if (!store.has(collection)) store.set(collection, new Map());
    return store.get(collection)!;
  };
  const tell = (collection: string, type: string, object: Stored): void => {
    for (const response of watchers.get(collection) ?? []) response.write(`${JSON.stringify({ type, object })}\n`);
  };
  const write = (collection: string, object: Stored): Stored => {
    const before = of(collection).get(object.metadata.name);
    const same = JSON.stringify(before?.spec) === JSON.stringify(object.spec);
    const generation = Number(before?.metadata["generation"] ?? 0) + (same && before !== undefined ? 0 : 1);
    version++;
    const [, namespace] = /\/namespaces\/([^/]+)\//.exec(collection) ?? [];
    const metadata = {
      ...(namespace === undefined ? {} : { namespace }),
      uid: `uid-${version}`,
      creationTimestamp: "2026-01-01T00:00:00Z",
      ...before?.metadata,
      ...object.metadata,
      generation,
      resourceVersion: String(version),
    };
    const stored = { ...object, metadata };
    of(collection).set(object.metadata.name, stored);
    tell(collection, before === undefined ? "ADDED" : "MODIFIED", stored);
    return stored;
  };
  const remove = (collection: string, name: string): void => {
    const gone = of(collection).get(name);
    of(collection).delete(name);
    version++;
    if (gone !== undefined) tell(collection, "DELETED", gone);
  };

  const cluster: FakeCluster = {
    kubeconfig: "",
    asked,
    put: (collection, ...objects) => {
      for (const object of objects) write(collection, object as Stored);
    },
    remove,
    objects: (collection) => [...of(collection).values()],
    intercept: () => false,
    close: () => undefined,
  };

  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const content = await text(request);
    const url = request.url ?? "";
    const { pathname, searchParams } = new URL(url, "http://x");
    const path = decodeURIComponent(pathname);
    const body: unknown = content === "" ? undefined : JSON.parse(content);
    const given: Asked = { method: request.method ?? "", url, path, body };
    asked.push(given);
    if (await cluster.intercept(given, response, request)) return;
    if (searchParams.get("watch") === "true") return watch(path, searchParams, response);
    const [status, value] = serve(given, searchParams);
    send(response, status, value);
  }

  function watch(collection: string, query: URLSearchParams, response: ServerResponse): void {
    if (!watchers.has(collection)) watchers.set(collection, new Set());
    const open = watchers.get(collection)!;
    response.writeHead(200, { "content-type": "application/json" });
    response.flushHeaders();
    open.add(response);
    response.on("close", () => open.delete(response));
    if (query.get("resourceVersion") === "")
      for (const object of of(collection).values()) response.write(`${JSON.stringify({ type: "ADDED", object })}\n`);
    const bookmark = {
      metadata: { resourceVersion: String(version), annotations: { "k8s.io/initial-events-end": "true" } },
    };
    if (query.get("sendInitialEvents") === "true")
      response.write(`${JSON.stringify({ type: "BOOKMARK", object: bookmark })}\n`);
  }

  function serve({ method, path, body }: Asked, query: URLSearchParams): [number, unknown] {
    if (path === "/readyz") return [200, {}];
    if (path.endsWith("/selfsubjectreviews"))
      return [201, { status: { userInfo: { username: "system:hosted-cluster-config" } } }];
    const isStatus = path.endsWith("/status");
    const at = isStatus ? path.slice(0, -"/status".length) : path;
    if (method === "POST") {
      const object = body as Stored;
      if (of(at).has(object.metadata.name)) return [409, status(409, "AlreadyExists")];
      return [201, write(at, object)];
    }
    const isCollection = COLLECTION.test(at);
    if (method === "GET" && isCollection) return [200, listOf(at, query)];
    const slash = at.lastIndexOf("/");
    const [collection, name] = [at.slice(0, slash), at.slice(slash + 1)];
    const there = of(collection).get(name);
    if (method === "GET") return there === undefined ? [404, status(404, "NotFound")] : [200, there];
    if (method === "DELETE") {
      const finalizers = there?.metadata["finalizers"];
      if (there === undefined || !Array.isArray(finalizers) || finalizers.length === 0) {
        remove(collection, name);
        return [200, status(200, "")];
      }
      const metadata = { ...there.metadata, deletionTimestamp: "2026-02-01T00:00:00Z" };
      return [200, write(collection, { ...there, metadata })];
    }
    if (method === "PUT") return [200, write(collection, body as Stored)];
    if (isStatus || query.get("force") === null) {
      if (there === undefined) return [404, status(404, "NotFound")];
      if (Array.isArray(body)) {
        const changed = structuredClone(there) as unknown as Record<string, Record<string, unknown>>;
        for (const { op, path: field, value } of body as { op: string; path: string; value: unknown }[]) {
          if (op !== "add") continue;
          const keys = field.slice(1).split("/");
          if (keys.length === 1) changed[keys[0]!] = value as Record<string, unknown>;
          else changed[keys[0]!]![keys[1]!] = value;
        }
        return [200, write(collection, changed as unknown as Stored)];
      }
      return [200, write(collection, merge(there, body) as Stored)];
    }
    if (query.get("dryRun") === "All") return [200, there ?? body];
    const applied = body as Stored;
    const { resourceVersion: only, ...metadata } = applied.metadata as Stored["metadata"] & {
      resourceVersion?: string;
    };
    if (only === "1" && there !== undefined) return [409, status(409, "Conflict")];
    const fieldsV1 = {
      ...fieldsOf({ spec: applied.spec }),
      "f:metadata": fieldsOf({ labels: metadata["labels"], annotations: metadata["annotations"] }),
    };
    const managedFields = [{ manager: "anp", operation: "Apply", fieldsType: "FieldsV1", fieldsV1 }];
    return [200, write(collection, { ...there, ...applied, metadata: { ...metadata, managedFields } })];
  }

  function listOf(collection: string, query: URLSearchParams): unknown {
    const all = [...of(collection).values()].filter(({ metadata }) => {
      const [key = "", value] = (query.get("labelSelector") ?? "").split("=");
      return key === "" || (metadata["labels"] as Record<string, string> | undefined)?.[key] === value;
    });
    const from = Number(query.get("continue") ?? 0);
    const until = from + Number(query.get("limit") ?? all.length);
    const more = until < all.length ? { continue: String(until) } : {};
    return { metadata: { resourceVersion: String(version), ...more }, items: all.slice(from, until) };
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const folder = mkdtempSync(join(tmpdir(), "anp-fake-"));
  const kubeconfig = join(folder, "kubeconfig");
  const { port } = server.address() as AddressInfo;
  writeFileSync(
    kubeconfig,
    `apiVersion: v1\nkind: Config\nclusters: [{name: a, cluster: {server: "http://127.0.0.1:${port}", insecure-skip-tls-verify: true}}]\nusers: [{name: u, user: {token: t}}]\ncontexts: [{name: c, context: {cluster: a, user: u}}]\ncurrent-context: c\n`,
  );
  return Object.assign(cluster, {
    kubeconfig,
    close: () => {
      server.close();
      server.closeAllConnections();
      rmSync(folder, { recursive: true, force: true });
    },
  });
}

/** A path that ends with a plural: `/api/v1/namespaces/n/secrets`, `/apis/g/v1/nodepools`. */
const COLLECTION = /^(\/api\/v1|\/apis\/[^/]+\/[^/]+)(\/namespaces\/[^/]+)?\/[a-z0-9]+$/;

export function send(
  response: ServerResponse,
  code: number,
  value: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(code, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(value));
}

export function status(code: number, reason: string, message = reason): object {
  return { kind: "Status", apiVersion: "v1", status: "Failure", code, reason, message };
}

function fieldsOf(value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (inner === undefined ? [] : [[`f:${key}`, fieldsOf(inner)]])),
  );
}

function merge(into: unknown, patch: unknown): unknown {
  if (typeof patch !== "object" || patch === null || Array.isArray(patch)) return patch;
  const result: Record<string, unknown> = { ...(into as Record<string, unknown>) };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else if (value !== undefined) result[key] = merge(result[key], value);
  }
  return result;
}
