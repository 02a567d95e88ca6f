/** One HTTP request to an API server: its status and parsed body, or why no answer came. */
import { type ClientRequest, type IncomingMessage, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { TLSSocket } from "node:tls";
import { jsonText } from "../../krm/exact-integer.ts";
import { type Answer, type ApiError, apiErrorOf, failed, succeeded, unreachable } from "./api-answer.ts";
import { ClusterError } from "./cluster-error.ts";
import { type AllConnections, allConnections, type Connections } from "./connections.ts";
import { endOf } from "../waiting/end-of-signal.ts";
import { gatheredBytes, OBJECT_BYTES, TooLong } from "./gathered-bytes.ts";
import type { KubeAccess } from "./kube-access.ts";
import { silence } from "./silence.ts";
import { throttle } from "./throttle.ts";
import { pause } from "../waiting/pause.ts";
import { timeLimit } from "../waiting/time-limit.ts";
import type { UnderWay } from "./under-way.ts";

export interface HttpRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
  /** Of the answer: a longer one is cut. An object, the words of an error and a list of kinds are shorter. */
  readonly mostBytes?: number | undefined;
  /** Told how much of the answer came. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
  /** Less time than any request has; who has taken so long is slow, and not silent. */
  readonly withinMs?: number | undefined;
}

export type JsonObject = Readonly<Record<string, unknown>>;

export interface DoorOptions {
  /** For each request; 30 seconds. */
  readonly timeoutMs?: number;
  /** Shared with others who close them; its own when left out. */
  readonly connections?: AllConnections;
  /** Cuts whatever is under way, and lets nothing begin. */
  readonly until?: AbortSignal;
  /** How long a server that has gone silent is left alone; 10 seconds. */
  readonly silenceMs?: number;
  /** Asked right before each request: whoever may not any more asks nothing, however late the signal comes. */
  readonly mayAsk?: () => boolean;
  /** Told of each request from its begin to its end, but for watches. */
  readonly underWay?: UnderWay;
}

export interface HttpDoor {
  /** The whole answer within the time limit. */
  readonly send: (request: HttpRequest) => Promise<Answer<JsonObject>>;
  /** The answer's stream, which ends with the signal. */
  readonly open: (path: string, signal: AbortSignal) => Promise<Answer<IncomingMessage>>;
  readonly close: () => void;
}

/** An API server that takes longer is not well; whoever waits for it keeps others waiting. */
const TIMEOUT_MS = 30_000;

const SILENCE_MS = 10_000;

/** For a connection and its TLS handshake. */
const CONNECT_MS = 5000;

class NoConnection extends Error {}

/** Load balancers close connections that were idle for a minute, and one may be taken up again just then. */
class ClosedInTheMeantime extends Error {}
const CLOSED = ["ECONNRESET", "EPIPE"];

export function httpDoor(access: KubeAccess, options: DoorOptions = {}): HttpDoor {
  const { timeoutMs = TIMEOUT_MS, silenceMs = SILENCE_MS, until, mayAsk } = options;
  const silent = silence(silenceMs, () => performance.now());
  const busy = throttle(() => performance.now());
  const own = options.connections === undefined ? allConnections() : undefined;
  const connections = options.connections ?? own!;

  /** Why nothing is asked at all. */
  function closed(): string | undefined {
    if (until?.aborted === true || mayAsk?.() === false) return `${access.server} ${NOT_ASKED}`;
    return silent.isFresh() ? `${access.server} did not answer within ${timeoutMs / 1000} seconds just now` : undefined;
  }

  async function respond(request: HttpRequest, signal: AbortSignal, way: keyof Connections): Promise<IncomingMessage> {
    const { method, path, body, contentType = "application/json" } = request;
    // A program that is to give credentials may hang as well.
    const { server, request: options } = await Promise.race([access.credentials(), givenUp(signal)]);
    const plain = server.startsWith("http:");
    const agent = connections.to(plain)[way];
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
          reject(sent.reusedSocket && CLOSED.includes(code) ? new ClosedInTheMeantime() : error);
        });
        sent.end(content);
      });
    try {
      return await ask();
    } catch (error) {
      if (error instanceof ClosedInTheMeantime) return ask();
      throw error;
    }
  }

  /** Whoever moves a server, or gives it another CA, writes a new kubeconfig: what does not answer may be the old one. */
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
          const waitMs = busy.waitMs();
          // What would come too late is not waited for.
          if (waitMs > mostMs - (performance.now() - begun)) return failed(tooBusy(access.server, waitMs));
          if (waitMs > 0) await pause(waitMs, limit.signal);
          const response = await respond(request, limit.signal, "forRequests");
          const body = parse(await textOf(response, mostBytes, request.onBytes));
          silent.answered();
          // It has done nothing of what it was asked (docs/upstream/hosts.md#a-busy-api-server).
          if (response.statusCode !== 429) return answerOf(response.statusCode ?? 0, body, access);
          busy.told(response.headers["retry-after"]);
        }
      } catch (error) {
        if (error instanceof TooLong) {
          silent.answered();
          return failed(tooLong(access.server));
        }
        if (limit.isLate() && withinMs < timeoutMs) return failed(unreachable(`${access.server} is slow`));
        if (limit.isLate() || error instanceof NoConnection) {
          silent.unanswered();
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
      // The time limit is for the answer to begin; the stream itself may go on for long.
      const first = timeLimit(timeoutMs, signal);
      const whole = new AbortController();
      const end = () => whole.abort();
      first.signal.addEventListener("abort", end, { once: true });
      try {
        const waitMs = busy.waitMs();
        // Whoever watches begins again by itself: it is not asked twice here.
        if (waitMs > timeoutMs) return failed(tooBusy(access.server, waitMs));
        if (waitMs > 0) await pause(waitMs, first.signal);
        const response = await respond({ method: "GET", path }, whole.signal, "forWatches");
        first.release();
        signal.addEventListener("abort", end, { once: true });
        response.once("close", () => signal.removeEventListener("abort", end));
        if (response.statusCode === 200) return succeeded(response);
        if (response.statusCode === 429) busy.told(response.headers["retry-after"]);
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
  await endOf(signal);
  throw new Error("the request was given up");
}

/** A server that is there takes a connection at once: whoever waits for one that is not keeps others waiting. */
function limitConnecting(sent: ClientRequest): void {
  sent.once("socket", (socket) => {
    if (!socket.connecting) return;
    const words = `no connection within ${CONNECT_MS / 1000} seconds`;
    const timer = setTimeout(() => sent.destroy(new NoConnection(words)), CONNECT_MS);
    const end = (): void => clearTimeout(timer);
    socket.once(socket instanceof TLSSocket ? "secureConnect" : "connect", end);
    socket.once("close", end);
  });
}

/** Counted as it comes: whoever sends without end is not to fill the memory first. */
async function textOf(
  response: IncomingMessage,
  mostBytes = OBJECT_BYTES,
  onBytes?: (bytes: number) => void,
): Promise<string> {
  const all = gatheredBytes(mostBytes);
  for await (const piece of response as AsyncIterable<Buffer>) {
    onBytes?.(piece.length);
    // Leaving the loop closes the connection.
    all.add(piece);
  }
  return all.take();
}

function tooBusy(server: string, waitMs: number): ApiError {
  const message = `${server} is too busy, and asks to be left alone for ${Math.ceil(waitMs / 1000)} seconds`;
  return { kind: "unavailable", status: 429, reason: "TooManyRequests", message };
}

function tooLong(server: string): ApiError {
  const message = `${server} gives an answer that is longer than anything that anp reads`;
  return { kind: "tooLarge", status: undefined, reason: "TooLarge", message };
}

function answerOf(status: number, body: JsonObject | undefined, access: KubeAccess): Answer<JsonObject> {
  if (status >= 200 && status < 300 && body !== undefined) return succeeded(body);
  if (status === 401) access.forget();
  // Half an answer is none.
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
  // Where a name has several addresses, each has an error of its own, and all together have no words.
  const words = message || errors?.[0]?.message || code || String(error);
  return `${server} cannot be reached: ${words.split("\n")[0] ?? ""}`;
}
