/** The webhook with slow, large, many or malformed requests: each gets an answer or is closed, and the server survives. */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { createConnection, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { connect } from "node:tls";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { until } from "../../support/controlplane/objects.ts";
import type { Limits } from "../../../src/cluster/webhook/webhook-server.ts";
import { nodePool } from "../../support/webhook/objects.ts";
import { startWebhook, type Webhook } from "../../support/webhook/rig.ts";

const LIMITS: Limits = {
  bodyBytes: 2 ** 20,
  bodiesBytes: 2 * 2 ** 20,
  bodyValues: 1000,
  bodiesValues: 20_000,
  width: 100,
  depth: 20,
  exactValues: 100,
  connections: 20,
  headMs: 30_000,
  requestMs: 30_000,
  drainMs: 30_000,
};

/** For a busy machine. Without a limit, or with the production limit, connections would stay open for longer. */
const SLACK_MS = 20_000;
/** For tests that wait for a timeout. */
const SHORT: Limits = { ...LIMITS, headMs: 600, requestMs: 3000, drainMs: 1000 };

let folder: string;
let webhook: Webhook;
let port: number;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "anp-limits-"));
  await start(LIMITS);
});

async function start(limits: Limits): Promise<void> {
  webhook = await startWebhook(folder, { limits });
  port = Number(new URL(webhook.url).port);
}

async function restart(limits: Limits): Promise<void> {
  await webhook.stop();
  await start(limits);
}

afterEach(async () => {
  await webhook.stop();
  rmSync(folder, { recursive: true });
});

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

const tls = () => ({ host: "127.0.0.1", port, rejectUnauthorized: false, agent: false as const });

async function ask(
  method: string,
  path: string,
  content?: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const sent = request({ ...tls(), method, path, headers });
  sent.end(content);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

const OBJECTS = [nodePool("web").v1beta1];
function review(objects: unknown = OBJECTS): string {
  const asked = { uid: "uid-1", desiredAPIVersion: "karpenter.sh/v1", objects };
  // As Go writes it.
  return JSON.stringify({ kind: "ConversionReview", apiVersion: "apiextensions.k8s.io/v1", request: asked });
}

async function isWell(): Promise<boolean> {
  const { status, body } = await ask("POST", "/convert", review());
  return status === 200 && body.includes('"status":"Success"');
}

/** Waits until the server closes the connection. */
async function untilEnded(socket: Socket): Promise<unknown> {
  socket.on("error", () => undefined);
  socket.resume();
  return once(socket, "close");
}

const TURN_MS = 20;

/** Milliseconds counted by turns of the event loop, which the server shares, so that none pass while the machine stalls. */
async function lasts(what: Promise<unknown>): Promise<number> {
  const isDone = what.then(() => true);
  let turns = 0;
  while (!(await Promise.race([isDone, sleep(TURN_MS, false)]))) turns++;
  return turns * TURN_MS;
}

test.each([
  ["GET", "/healthz", 200, "ok\n"],
  ["GET", "/readyz?verbose", 200, "ok\n"],
  ["GET", "/convert", 405, "reviews are posted\n"],
  ["POST", "/", 404, "reviews are posted to /convert\n"],
  ["POST", "/convert/", 404, "reviews are posted to /convert\n"],
])("%s %s", async (method, path, status, body) => {
  expect(await ask(method, path)).toMatchObject({ status, body });
});

describe("a body that is too large", () => {
  const words = "the review is larger than 1 MiB: read fewer objects at once";
  const large = review([{ ...OBJECTS[0], filler: "x".repeat(2 ** 20) }]);

  test("is read to its end, and answered to its uid", async () => {
    const { status, body } = await ask("POST", "/convert", large);
    expect(status).toBe(200);
    expect((JSON.parse(body) as { response: unknown }).response).toStrictEqual({
      uid: "uid-1",
      convertedObjects: [],
      result: { status: "Failed", message: words },
    });
    expect(webhook.log().at(-1)).toBe(`level=warn msg="not converted" reason="${words}" times=1`);
  });

  test("without a uid near its start is refused", async () => {
    const { status, body } = await ask("POST", "/convert", `{"filler":"${"x".repeat(2 ** 21)}"}`);
    expect([status, body.includes(words)]).toStrictEqual([413, true]);
  });

  test("that does not say its length counts as the largest", async () => {
    const { status } = await ask("POST", "/convert", review(), { "transfer-encoding": "chunked" });
    expect(status).toBe(200);
  });
});

describe("a body that is larger in memory", () => {
  const failure = (message: string) => ({ uid: "uid-1", convertedObjects: [], result: { status: "Failed", message } });

  const zeros = (count: number) => Array.from({ length: count }, () => 0);
  const nested = (levels: number): unknown => (levels === 0 ? 0 : [nested(levels - 1)]);
  test.each<[string, unknown, string]>([
    ["of many values", Array.from({ length: 20 }, () => zeros(50)), "holds more than 1000 values"],
    [
      "of many objects",
      Array.from({ length: 101 }, () => ({})),
      "holds more than 100 objects, or an object of more entries",
    ],
    [
      "of a large object",
      [{ ...OBJECTS[0], filler: zeros(101) }],
      "holds more than 100 objects, or an object of more entries",
    ],
    ["of many levels", [{ ...OBJECTS[0], filler: nested(20) }], "is nested more than 20 levels deep"],
    [
      "of a long number among many values",
      [1234567890123456, zeros(100)],
      "holds a number of 16 digits among more than 100 values",
    ],
  ])("%s", async (_, objects, words) => {
    const { status, body } = await ask("POST", "/convert", review(objects));
    expect([status, (JSON.parse(body) as { response: unknown }).response]).toStrictEqual([
      200,
      failure(`the review ${words}: read fewer objects at once`),
    ]);
  });

  test("characters within strings are no values", async () => {
    const object = { ...OBJECTS[0], metadata: { name: "a", annotations: { "a.b/c": '{["\\",'.repeat(2000) } } };
    const { body } = await ask("POST", "/convert", review([object]));
    expect(body).toContain('"status":"Success"');
  });

  test("a very long name is cut in the log", async () => {
    const object = { apiVersion: "example.test/v1", kind: "K".repeat(100_000), metadata: { name: "n" } };
    const { body } = await ask("POST", "/convert", review([object]));
    expect(body.length).toBeLessThan(1300);
    expect(webhook.log().at(-1)!.length).toBeLessThan(1300);
  });
});

test("requests beyond the capacity are deferred", async () => {
  const first = request({ ...tls(), method: "POST", path: "/convert", headers: { "content-length": String(2 ** 20) } });
  const second = request({
    ...tls(),
    method: "POST",
    path: "/convert",
    headers: { "content-length": String(2 ** 20) },
  });
  for (const sent of [first, second]) {
    sent.on("error", () => undefined);
    sent.write("{");
  }
  let answer = await ask("POST", "/convert", review());
  await until("there is no room", async () => {
    answer = await ask("POST", "/convert", review());
    return answer.status === 503;
  });
  const { status, headers, body } = answer;
  expect({ status, retry: headers["retry-after"], body }).toStrictEqual({
    status: 503,
    retry: "1",
    body: "too much is being converted at once\n",
  });
  first.destroy();
  second.destroy();
  await expect.poll(isWell).toBe(true);
});

describe("a slow client is disconnected", () => {
  beforeEach(() => restart(SHORT));

  test("that sends nothing", async () => {
    expect(await lasts(untilEnded(createConnection({ host: "127.0.0.1", port })))).toBeLessThan(
      SHORT.headMs + SLACK_MS,
    );
  });

  test("that sends nothing after the handshake", async () => {
    expect(await lasts(untilEnded(connect(tls())))).toBeLessThan(SHORT.headMs + SLACK_MS);
  });

  test("that never ends its head", async () => {
    const socket = connect(tls());
    socket.write("POST /convert HTTP/1.1\r\nHost: a\r\n");
    expect(await lasts(untilEnded(socket))).toBeLessThan(2 * SHORT.headMs + SLACK_MS);
  });

  test("that never ends its body", async () => {
    const socket = connect(tls());
    socket.write("POST /convert HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n{");
    const drip = setInterval(() => socket.write(" "), 100);
    expect(await lasts(untilEnded(socket))).toBeLessThan(SHORT.requestMs + SLACK_MS);
    clearInterval(drip);
  });

  afterEach(async () => {
    expect(await isWell()).toBe(true);
  });
});

test("a client that speaks no TLS, or goes away in the middle, does no harm", async () => {
  const plain = createConnection({ host: "127.0.0.1", port });
  plain.write("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
  await untilEnded(plain);
  const gone = connect(tls());
  gone.on("error", () => undefined);
  await once(gone, "secureConnect");
  gone.write("POST /convert HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n{");
  await sleep(500);
  gone.destroy();
  const noise = connect(tls());
  noise.write("\u0000\u0001 what is this\r\n\r\n");
  await untilEnded(noise);
  expect(await isWell()).toBe(true);
  expect(webhook.log()).toContain("level=warn msg=refused reason=ERR_SSL_HTTP_REQUEST times=1");
  expect(webhook.log()).toContain(
    'level=warn msg="not converted" reason="the request was broken off: ECONNRESET" times=1',
  );
});

test("connections above the limit are refused", async () => {
  await restart(SHORT);
  const sockets = Array.from({ length: 40 }, () => createConnection({ host: "127.0.0.1", port }));
  const ended = sockets.map(untilEnded);
  await Promise.all(ended);
  expect(webhook.log()).toContain('level=warn msg=refused reason="too many connections" times=1');
  expect(await isWell()).toBe(true);
});

test("many reviews at once are all answered", async () => {
  const answers = await Promise.all(Array.from({ length: 15 }, isWell));
  expect(answers).not.toContain(false);
});

describe("shutdown", () => {
  test("it finishes running requests, accepts no new ones, and reports that it is not ready", async () => {
    const content = review();
    const head = { "content-length": String(content.length) };
    const begun = request({ ...tls(), method: "POST", path: "/convert", headers: head });
    const idle = connect(tls());
    await once(idle, "secureConnect");
    begun.write(content.slice(0, 10));
    await sleep(500);
    const ended = webhook.stop();
    await untilEnded(idle);
    await expect(ask("GET", "/readyz")).rejects.toThrow(/ECONNREFUSED/);
    begun.end(content.slice(10));
    const [response] = (await once(begun, "response")) as [IncomingMessage];
    expect([response.statusCode, response.headers.connection]).toStrictEqual([200, "close"]);
    expect(await text(response)).toContain('"status":"Success"');
    await ended;
    expect(webhook.log().slice(-2)[0]).toBe("level=info msg=ending");
  });

  test("it waits no longer than its limit", async () => {
    await restart(SHORT);
    const stuck = connect(tls());
    stuck.on("error", () => undefined);
    stuck.write("POST /convert HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n{");
    await sleep(500);
    expect(await lasts(webhook.stop())).toBeLessThan(SHORT.drainMs + SLACK_MS);
  });
});
