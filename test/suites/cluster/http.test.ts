/** How requests fare on a bad line: connections closed while idle, answers that are late, cut short or no JSON, lists in pages. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { ClusterApi } from "../../../src/cluster/api/cluster-api.ts";
import { httpClusterApi } from "../../../src/cluster/api/http-cluster-api.ts";
import type { LiveObject } from "../../../src/cluster/api/live-object.ts";
import { SECRETS } from "../../../src/cluster/api/served-kind.ts";
import { APPLIED_KINDS } from "../../../src/model/objects/applied-kinds.ts";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

let handlers: Handler[] = [];
const urls: string[] = [];
const server = createServer((request, response) => {
  urls.push(request.url ?? "");
  const handler = handlers.length > 1 ? handlers.shift() : handlers[0];
  handler?.(request, response);
});
const folder = mkdtempSync(join(tmpdir(), "anp-http-"));
let access: { readonly kubeconfig: string; readonly isOwn: true };
let api: ClusterApi;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const kubeconfig = join(folder, "kubeconfig");
  const cluster = `{server: "http://127.0.0.1:${port}", insecure-skip-tls-verify: true}`;
  writeFileSync(
    kubeconfig,
    `apiVersion: v1\nkind: Config\nclusters: [{name: a, cluster: ${cluster}}]\nusers: [{name: u, user: {token: t}}]\ncontexts: [{name: c, context: {cluster: a, user: u}}]\ncurrent-context: c\n`,
  );
  access = { kubeconfig, isOwn: true };
  api = httpClusterApi({ ...access, timeoutMs: 500 });
});

afterAll(() => {
  api.close();
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true });
});

beforeEach(() => {
  urls.length = 0;
});

const pools = APPLIED_KINDS.find(({ kind }) => kind === "NodePool")!;

const json =
  (value: unknown, status = 200): Handler =>
  (_, response) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(value));
  };

const page = (names: string[], more?: string, namespace?: string) =>
  json({
    metadata: { resourceVersion: "9", continue: more },
    items: names.map((name) => ({ metadata: { name, namespace, uid: name, resourceVersion: "1" } })),
  });

test("a list is read to its last page", async () => {
  handlers = [page(["a", "b"], "next", "n"), page(["c"], undefined, "n")];
  const answer = await api.list({ ...SECRETS, namespace: "n" }, { labelSelector: "x=y" });
  expect(answer).toMatchObject({ ok: true, value: { resourceVersion: "9" } });
  expect(answer.ok && answer.value.items.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
    "Secret a",
    "Secret b",
    "Secret c",
  ]);
  expect(urls).toEqual([
    "/api/v1/namespaces/n/secrets?limit=500&labelSelector=x%3Dy",
    "/api/v1/namespaces/n/secrets?limit=500&labelSelector=x%3Dy&continue=next",
  ]);
});

test("an answer that breaks off between two pages is no list", async () => {
  handlers = [page(["a"], "next"), json({ reason: "Expired" }, 410)];
  expect(await api.list(pools)).toMatchObject({ ok: false, error: { kind: "expired" } });
});

test.each<[string, Handler, string]>([
  ["an empty object", json({}), "unavailable"],
  ["items that are null", json({ metadata: { resourceVersion: "1" }, items: null }), "unavailable"],
  ["a page of a proxy", (_, response) => void response.end("<html>please log in</html>"), "unavailable"],
  [
    "half an answer",
    (_, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write('{"items":[');
      response.destroy();
    },
    "unavailable",
  ],
  ["no answer at all", () => undefined, "unavailable"],
  ["a kind that is not served", (_, response) => void response.writeHead(404).end("404 page not found"), "notFound"],
])("%s is never an empty list", async (_, handler, kind) => {
  handlers = [handler];
  expect(await api.list(pools)).toMatchObject({ ok: false, error: { kind } });
});

test("a connection that was closed while it was idle is no failure", async () => {
  handlers = [page([]), (request) => void request.socket.destroy(), page(["a"])];
  expect((await api.list(pools)).ok).toBe(true);
  expect(await api.list(pools)).toMatchObject({ ok: true, value: { items: [{ metadata: { name: "a" } }] } });
  handlers = [(request) => void request.socket.destroy()];
  expect((await api.list(pools)).ok).toBe(false);
});

test("a watch tells its events, and why it ended", async () => {
  const line = (value: unknown) => `${JSON.stringify(value)}\n`;
  handlers = [
    (_, response) => {
      response.writeHead(200);
      response.write(line({ type: "ADDED", object: { metadata: { name: "a", uid: "1", resourceVersion: "1" } } }));
      response.end(line({ type: "ERROR", object: { code: 410, reason: "Expired", message: "too old" } }));
    },
  ];
  const told: unknown[] = [];
  const signal = new AbortController().signal;
  for await (const event of api.watch(pools, { resourceVersion: "5", timeoutSeconds: 60, signal }))
    told.push(event.ok ? [event.value.type, event.value.object.metadata.name] : event.error.kind);
  expect(told).toEqual([["ADDED", "a"], "expired"]);
  expect(urls).toEqual([
    "/apis/karpenter.sh/v1/nodepools?watch=true&allowWatchBookmarks=true&resourceVersion=5&timeoutSeconds=60",
  ]);
});

test("a watch that tells of more than any object may be is ended, whatever the line comes to", async () => {
  const piece = "x".repeat(1024 * 1024);
  let sent = 0;
  let isCut = false;
  handlers = [
    (_, response) => {
      response.on("close", () => (isCut = true));
      response.write(
        `${JSON.stringify({ type: "ADDED", object: { metadata: { name: "a", uid: "1", resourceVersion: "1" } } })}\n`,
      );
      response.write('{"type":"ADDED","object":{"metadata":{"name":"');
      const more = (): void => {
        if (isCut || ++sent > 200) return void response.end('"}}}\n');
        response.write(piece, () => setImmediate(more));
      };
      more();
    },
  ];
  const told: unknown[] = [];
  const signal = new AbortController().signal;
  for await (const event of api.watch(pools, { resourceVersion: "5", timeoutSeconds: 60, signal }))
    told.push(event.ok ? event.value.object.metadata.name.slice(0, 9) : event.error);
  const message = "the watch of nodepools sends an event that is longer than any object";
  expect(told).toEqual(["a", { kind: "tooLarge", status: undefined, message }]);
  await expect.poll(() => isCut).toBe(true);
  expect(sent).toBeLessThan(100);
});

test("lines of a watch are told however they come in pieces", async () => {
  const line = `${JSON.stringify({ type: "ADDED", object: { metadata: { name: "ä€😀", uid: "1", resourceVersion: "1" } } })}\n`;
  const bytes = Buffer.from(line.repeat(3));
  handlers = [
    (_, response) => {
      const next = (at: number): void => {
        if (at >= bytes.length) return void response.end();
        response.write(bytes.subarray(at, at + 7), () => setImmediate(() => next(at + 7)));
      };
      next(0);
    },
  ];
  const told: unknown[] = [];
  const signal = new AbortController().signal;
  for await (const event of api.watch(pools, { resourceVersion: "5", timeoutSeconds: 60, signal }))
    told.push(event.ok && event.value.object.metadata.name);
  expect(told).toEqual(["ä€😀", "ä€😀", "ä€😀"]);
});

test.each(["an object", "the words of an error"])("%s that is longer than any may be is cut", async (what) => {
  handlers = [json({ metadata: { name: "x".repeat(5 * 1024 * 1024) } }, what === "an object" ? 200 : 500)];
  // A busy machine may need more than the time limit of the other tests to send as much.
  const patient = httpClusterApi({ ...access, timeoutMs: 20_000 });
  const answer = await patient.get(pools, "web");
  expect(answer).toMatchObject({ ok: false, error: { kind: "tooLarge" } });
  expect(await patient.patch(pools, "web", {})).toMatchObject({ ok: false, error: { kind: "tooLarge" } });
  patient.close();
});

test("a watch that is no longer wanted ends without an error", async () => {
  handlers = [(_, response) => response.writeHead(200).flushHeaders()];
  const end = new AbortController();
  setTimeout(() => end.abort(), 100);
  const told: unknown[] = [];
  for await (const event of api.watch(pools, { resourceVersion: "", timeoutSeconds: 60, signal: end.signal }))
    told.push(event);
  expect(told).toEqual([]);
});

const pool: LiveObject = {
  apiVersion: pools.apiVersion,
  kind: pools.kind,
  metadata: { name: "web", uid: "1", resourceVersion: "7" },
  spec: {},
};

test("what is under way is cut at the signal, and nothing is asked after it", async () => {
  const cut = new AbortController();
  const cutOff = httpClusterApi({ ...access, until: cut.signal });
  let isClosed = false;
  handlers = [
    (request) => {
      request.socket.on("close", () => (isClosed = true));
      cut.abort();
    },
  ];
  const message = expect.not.stringContaining("within");
  expect(await cutOff.replace(pools, pool)).toMatchObject({ ok: false, error: { kind: "unavailable", message } });
  await expect.poll(() => isClosed).toBe(true);
  expect(await cutOff.remove(pools, pool.metadata, { dryRun: false })).toMatchObject({ ok: false });
  expect(urls).toEqual(["/apis/karpenter.sh/v1/nodepools/web?fieldManager=anp"]);
  cutOff.close();
});

test("a client that may send no more requests sends none, also before the signal has come", async () => {
  let mayAsk = true;
  const fenced = httpClusterApi({ ...access, mayAsk: () => mayAsk });
  handlers = [page([])];
  expect((await fenced.list(pools)).ok).toBe(true);
  mayAsk = false;
  const refused = { ok: false, error: { message: expect.stringContaining("is not asked any more") } };
  expect(await fenced.apply(pools, { ...pool, spec: {} }, { dryRun: false, force: true })).toMatchObject(refused);
  mayAsk = true;
  // Between the question and its sending: credentials take their time.
  const late = fenced.create(pools, pool);
  mayAsk = false;
  expect(await late).toMatchObject(refused);
  expect(urls).toHaveLength(1);
  fenced.close();
});

test("a request that got no answer takes the idle connections with it: a line that was cut has cut them as well", async () => {
  const hasty = httpClusterApi({ ...access, timeoutMs: 1000 });
  const sockets = new Set<Socket>();
  const isOpen = (socket: Socket): void => {
    sockets.add(socket.once("close", () => sockets.delete(socket)));
  };
  server.on("connection", isOpen);
  const waiting: ServerResponse[] = [];
  // None is answered before all have come, so that each needs a connection of its own.
  handlers = [
    (_, response) => {
      if (waiting.push(response) === 3) for (const one of waiting) page([])(one.req, one);
    },
  ];
  const lists = [hasty.list(pools), hasty.list(pools), hasty.list(pools)];
  expect((await Promise.all(lists)).map(({ ok }) => ok)).toEqual([true, true, true]);
  expect(sockets.size).toBe(3);
  handlers = [() => undefined];
  expect((await hasty.list(pools)).ok).toBe(false);
  await expect.poll(() => sockets.size).toBe(0);
  server.off("connection", isOpen);
  hasty.close();
});

test("a server that was silent twice is not waited for again so soon", async () => {
  // As long as any machine takes for a handshake.
  const waiting = httpClusterApi({ ...access, timeoutMs: 1500, breakerMs: 3_600_000 });
  handlers = [() => undefined];
  await Promise.all([waiting.list(pools), waiting.list(pools)]);
  for (let index = 0; index < 50; index++) {
    const answer = await waiting.list(pools);
    const message = expect.stringMatching(/ did not answer within 1\.5 seconds just now$/);
    expect(answer).toMatchObject({ ok: false, error: { kind: "unavailable", message } });
  }
  expect(urls).toHaveLength(2);
  waiting.close();
});

test("and is asked again after that", async () => {
  const waiting = httpClusterApi({ ...access, timeoutMs: 200, breakerMs: 500 });
  handlers = [() => undefined];
  await Promise.all([waiting.list(pools), waiting.list(pools)]);
  handlers = [page(["a"])];
  await expect.poll(async () => (await waiting.list(pools)).ok).toBe(true);
  waiting.close();
});

const busy = (retryAfter: string | undefined): Handler => {
  return (_, response) => {
    const headers = retryAfter === undefined ? {} : { "retry-after": retryAfter };
    response.writeHead(429, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify({ kind: "Status", code: 429, reason: "TooManyRequests", message: "later" }));
  };
};

test("a server that is too busy is asked again when it says, and no request is sent before", async () => {
  const patient = httpClusterApi({ ...access, timeoutMs: 5000 });
  try {
    handlers = [busy("1"), page(["a"])];
    const begun = performance.now();
    const first = patient.list(pools);
    await expect.poll(() => urls.length).toBe(1);
    // All who ask the same server wait with it.
    const second = patient.list(pools);
    expect(await first).toMatchObject({ ok: true, value: { items: [{ metadata: { name: "a" } }] } });
    expect((await second).ok).toBe(true);
    expect(performance.now() - begun).toBeGreaterThan(950);
    expect(urls).toHaveLength(3);
  } finally {
    patient.close();
  }
});

const watched = async (patient: ClusterApi) => {
  const told: unknown[] = [];
  const signal = new AbortController().signal;
  for await (const event of patient.watch(pools, { resourceVersion: "5", timeoutSeconds: 60, signal }))
    told.push(event.ok ? event.value.object.metadata.name : event.error.status);
  return told;
};

test("a watch that a busy server refuses is begun again when it says, and requests wait as long", async () => {
  const patient = httpClusterApi({ ...access, timeoutMs: 5000 });
  try {
    const one: Handler = (_, response) =>
      response.end(
        `${JSON.stringify({ type: "ADDED", object: { metadata: { name: "a", uid: "1", resourceVersion: "1" } } })}\n`,
      );
    handlers = [busy("1"), one, page([])];
    const begun = performance.now();
    expect(await watched(patient)).toEqual([429]);
    expect(await watched(patient)).toEqual(["a"]);
    expect(performance.now() - begun).toBeGreaterThan(950);
    handlers = [busy("1"), page([])];
    expect(await watched(patient)).toEqual([429]);
    const again = performance.now();
    expect((await patient.list(pools)).ok).toBe(true);
    expect(performance.now() - again).toBeGreaterThan(900);
    expect(urls).toHaveLength(4);
  } finally {
    patient.close();
  }
});

test("a watch is not begun while a server is to be left alone for longer", async () => {
  const patient = httpClusterApi({ ...access, timeoutMs: 2000 });
  try {
    handlers = [busy("86400"), page([])];
    for (let round = 0; round < 3; round++) expect(await watched(patient)).toEqual([429]);
    expect(urls).toHaveLength(1);
  } finally {
    patient.close();
  }
});

test("a server that asks for a longer wait than a request may take gets no retry, and no caller waits for it", async () => {
  const patient = httpClusterApi({ ...access, timeoutMs: 2000 });
  try {
    handlers = [busy("86400"), page(["a"])];
    for (let round = 0; round < 2; round++)
      expect(await patient.list(pools)).toMatchObject({
        ok: false,
        error: { kind: "unavailable", status: 429, message: expect.stringContaining("left alone for 60 seconds") },
      });
    expect(urls).toHaveLength(1);
  } finally {
    patient.close();
  }
});
