/** HTTP requests to an API server, within limits of time and bytes. */
import { type IncomingMessage, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { jsonText } from "../../krm/values/exact-integer.ts";
import {
  type Answer,
  type ApiError,
  apiErrorOf,
  failed,
  localError,
  succeeded,
  unreachable,
  ClusterError,
} from "./api-answer.ts";
import { circuitBreaker, retryAfter } from "./circuit-breaker.ts";
import {
  type AllConnections,
  allConnections,
  type Connections,
  limitConnecting,
  NoConnection,
  type InFlightRequests,
} from "./connections.ts";
import type { KubeAccess } from "./kube-access.ts";
import { pause, untilAborted, timeLimit } from "../waiting/pause.ts";

export interface HttpRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
  /** A longer answer fails with `tooLarge`; 4 MiB, which any object fits in. */
  readonly mostBytes?: number | undefined;
  /** Called with the length of each piece of the answer. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
  /** A shorter time limit than that of other requests. It does not count as a timeout of the circuit breaker. */
  readonly withinMs?: number | undefined;
}

export type JsonObject = Readonly<Record<string, unknown>>;

export interface HttpClientOptions {
  /** For each request; 30 seconds. */
  readonly timeoutMs?: number;
  /** Shared with others who close them; its own when left out. */
  readonly connections?: AllConnections;
  /** Aborts all requests, and no further request is sent. */
  readonly until?: AbortSignal;
  /** How long the circuit breaker stays open; 10 seconds. */
  readonly breakerMs?: number;
  /** Checked right before each request, because an abort signal may be late: false after the Lease was lost. */
  readonly mayAsk?: () => boolean;
  /** Counts requests from begin to end, but not watches. */
  readonly underWay?: InFlightRequests;
}

export interface HttpClient {
  /** The whole answer within the time limit. */
  readonly send: (request: HttpRequest) => Promise<Answer<JsonObject>>;
  /** The answer's stream, which ends with the signal. */
  readonly open: (path: string, signal: AbortSignal) => Promise<Answer<IncomingMessage>>;
  readonly close: () => void;
}

/** A pass that waits for a slow API server delays the passes of other clusters. */
const TIMEOUT_MS = 30_000;

const BREAKER_MS = 10_000;

/** A load balancer closed an idle connection at the moment when it was used again. */
class ClosedWhileIdle extends Error {}
const CLOSED = ["ECONNRESET", "EPIPE"];

export function httpClient(access: KubeAccess, options: HttpClientOptions = {}): HttpClient {
  const { timeoutMs = TIMEOUT_MS, breakerMs = BREAKER_MS, until, mayAsk } = options;
  const breaker = circuitBreaker(breakerMs, () => performance.now());
  const throttle = retryAfter(() => performance.now());
  const own = options.connections === undefined ? allConnections() : undefined;
  const connections = options.connections ?? own!;

  /** Why no request is sent. */
  function closed(): string | undefined {
    if (until?.aborted === true || mayAsk?.() === false) return `${access.server} ${NOT_ASKED}`;
    return breaker.isOpen() ? `${access.server} did not answer within ${timeoutMs / 1000} seconds just now` : undefined;
  }

  async function respond(request: HttpRequest, signal: AbortSignal, way: keyof Connections): Promise<IncomingMessage> {
    const { method, path, body, contentType = "application/json" } = request;
    // A credential plugin may hang too.
    const { server, request: options } = await Promise.race([access.credentials(), givenUp(signal)]);
    const plain = server.startsWith("http:");
    const agent = connections.to(plain, options.lookup !== undefined)[way];
    const start = plain ? httpRequest : httpsRequest;
    const content = body === undefined ? undefined : jsonText(body);
    const headers = {
      ...(options.headers as Record<string, string>),
      accept: "application/json",
      "user-agent": "anp",
      ...(content === undefined ? {} : { "content-type": contentType, "content-length": Buffer.byteLength(content) }),
    };
    const ask = () =>
      new Promise<IncomingMessage>((resolve, reject) => {
        if (mayAsk?.() === false) throw new Error(NOT_ASKED);
        const sent = start(`${server}${path}`, { agent, ...options, method, headers, signal }, resolve);
        limitConnecting(sent);
        sent.on("error", (error: NodeJS.ErrnoException) => {
          const { code = "" } = error;
          reject(sent.reusedSocket && CLOSED.includes(code) ? new ClosedWhileIdle() : error);
        });
        sent.end(content);
      });
    try {
      return await ask();
    } catch (error) {
      if (error instanceof ClosedWhileIdle) return ask();
      throw error;
    }
  }

  /** The server may have moved or have another CA: the next request reads the kubeconfig again. */
  function unanswered(error: unknown, isLate: boolean): Answer<never> {
    access.forget();
    return failed(unreachable(wordsOf(error, access.server, isLate, timeoutMs)));
  }

  return {
    send: async (request) => {
      const words = closed();
      if (words !== undefined) return failed(unreachable(words));
      const { withinMs = timeoutMs, mostBytes } = request;
      const limit = timeLimit(Math.min(timeoutMs, withinMs), until);
      const ended = options.underWay?.begin(request.method === "GET");
      try {
        const begun = performance.now();
        const mostMs = Math.min(timeoutMs, withinMs);
        for (;;) {
          const waitMs = throttle.waitMs();
          // Do not wait if the answer would come after the time limit.
          if (waitMs > mostMs - (performance.now() - begun)) return failed(tooBusy(access.server, waitMs));
          if (waitMs > 0) await pause(waitMs, limit.signal);
          const response = await respond(request, limit.signal, "forRequests");
          const body = parse(await textOf(response, mostBytes, request.onBytes));
          breaker.answered();
          // The server did not execute the request (docs/upstream/hosts.md#a-busy-api-server).
          if (response.statusCode !== 429) return answerOf(response.statusCode ?? 0, body, access);
          throttle.throttled(response.headers["retry-after"]);
        }
      } catch (error) {
        if (error instanceof TooLong) {
          breaker.answered();
          return failed(tooLong(access.server));
        }
        if (limit.isLate() && withinMs < timeoutMs) return failed(unreachable(`${access.server} is slow`));
        if (limit.isLate() || error instanceof NoConnection) {
          breaker.timedOut();
          connections.dropIdle(access.server);
        }
        return unanswered(error, limit.isLate());
      } finally {
        ended?.();
        limit.release();
      }
    },
    open: async (path, signal) => {
      const words = closed();
      if (words !== undefined) return failed(unreachable(words));
      // The time limit holds until the answer begins; the stream may last longer.
      const first = timeLimit(timeoutMs, signal);
      const whole = new AbortController();
      const end = () => whole.abort();
      first.signal.addEventListener("abort", end, { once: true });
      try {
        const waitMs = throttle.waitMs();
        // The caller restarts a watch that ends, so a 429 is not retried here.
        if (waitMs > timeoutMs) return failed(tooBusy(access.server, waitMs));
        if (waitMs > 0) await pause(waitMs, first.signal);
        const response = await respond({ method: "GET", path }, whole.signal, "forWatches");
        first.release();
        signal.addEventListener("abort", end, { once: true });
        response.once("close", () => signal.removeEventListener("abort", end));
        if (response.statusCode === 200) return succeeded(response);
        if (response.statusCode === 429) throttle.throttled(response.headers["retry-after"]);
        const error = answerOf(response.statusCode ?? 0, parse(await textOf(response)), access);
        return error.ok ? failed(unreachable("a watch was not opened")) : error;
      } catch (error) {
        return error instanceof TooLong ? failed(tooLong(access.server)) : unanswered(error, first.isLate());
      } finally {
        first.release();
      }
    },
    close: () => own?.close(),
  };
}

const NOT_ASKED = "is not asked any more";

async function givenUp(signal: AbortSignal): Promise<never> {
  await untilAborted(signal);
  throw new Error("the request was given up");
}

/** Counts bytes as they arrive: a hostile server must not fill the memory first. */
async function textOf(
  response: IncomingMessage,
  mostBytes = OBJECT_BYTES,
  onBytes?: (bytes: number) => void,
): Promise<string> {
  const all = boundedBuffer(mostBytes);
  for await (const piece of response as AsyncIterable<Buffer>) {
    onBytes?.(piece.length);
    // An exception here closes the connection.
    all.add(piece);
  }
  return all.take();
}

function tooBusy(server: string, waitMs: number): ApiError {
  const message = `${server} is too busy, and asks to be left alone for ${Math.ceil(waitMs / 1000)} seconds`;
  return { kind: "unavailable", status: 429, message };
}

function tooLong(server: string): ApiError {
  return localError("tooLarge", `${server} gives an answer that is longer than anything that anp reads`);
}

function answerOf(status: number, body: JsonObject | undefined, access: KubeAccess): Answer<JsonObject> {
  if (status >= 200 && status < 300 && body !== undefined) return succeeded(body);
  if (status === 401) access.forget();
  if (status >= 200 && status < 300) return failed(unreachable(`${access.server} does not answer in JSON`));
  return failed(apiErrorOf(status, body));
}

function parse(content: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(content);
    return typeof value === "object" && value !== null ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

function wordsOf(error: unknown, server: string, late: boolean, timeoutMs: number): string {
  if (late) return `${server} does not answer within ${timeoutMs / 1000} seconds`;
  if (error instanceof ClusterError) return error.message;
  const { code, message, errors } = error as NodeJS.ErrnoException & { errors?: readonly Error[] };
  // If a name has several addresses, each has its own error, and the error of all has no message.
  const words = message || errors?.[0]?.message || code || String(error);
  return `${server} cannot be reached: ${words.split("\n")[0] ?? ""}`;
}

/**
 * Any object fits: etcd takes at most 1.5 MiB (docs/upstream/hosts.md#sizes), and JSON escapes some characters. A longer
 * answer is no object, and its text and values would take many times its length in memory.
 */
const OBJECT_BYTES = 4 * 1024 * 1024;

export class TooLong extends Error {}

export interface BoundedBuffer {
  /** @throws TooLong if the limit is exceeded; all bytes are dropped */
  readonly add: (piece: Buffer) => void;
  /** The bytes since the last call, as text. */
  readonly take: () => string;
}

/** Capacity that is kept for the next text. */
const KEPT_BYTES = 64 * 1024;

/** Collects pieces in one buffer: a server may send single bytes, and an array of pieces would take a hundred each. */
export function boundedBuffer(most = OBJECT_BYTES): BoundedBuffer {
  let buffer = Buffer.alloc(0);
  let length = 0;
  return {
    add: (piece) => {
      const needed = length + piece.length;
      if (needed > most) {
        buffer = Buffer.alloc(0);
        length = 0;
        throw new TooLong();
      }
      if (needed > buffer.length) {
        const larger = Buffer.allocUnsafeSlow(Math.min(most, Math.max(needed, buffer.length * 2)));
        buffer.copy(larger, 0, 0, length);
        buffer = larger;
      }
      piece.copy(buffer, length);
      length = needed;
    },
    take: () => {
      const text = buffer.toString("utf8", 0, length);
      if (buffer.length > KEPT_BYTES) buffer = Buffer.alloc(0);
      length = 0;
      return text;
    },
  };
}
