/** The request handler of the webhook: /convert, /healthz and /readyz. */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { type Answered, notConverted } from "./answer-review.ts";
import { REVIEW_VERSION, reviewAnswer, uidAtStart } from "./conversion-review.ts";
import type { Limits } from "./webhook-server.ts";
import { type JsonMeasure, measureJson } from "./measure-json.ts";
import type { RateLimitedLog } from "./rate-limited-log.ts";

const CONVERT_PATH = "/convert";
const START_CHARACTERS = 4096;

interface RespondOptions {
  readonly answer: (text: string, measured: JsonMeasure) => Promise<Answered>;
  readonly limits: Limits;
  /** If true, each answer closes its connection, and readiness fails. */
  readonly isClosing: () => boolean;
  readonly log: RateLimitedLog;
}

interface Handler extends RespondOptions {
  /** Bytes of the requests in flight, by their content-length. */
  bytes: number;
  /** JSON values of the requests in flight that were read. */
  values: number;
}

/** Reports a problem in a ConversionReview whenever the request has a uid, because API servers show that to users. */
export function responder(options: RespondOptions): RequestListener {
  const handler: Handler = { ...options, bytes: 0, values: 0 };
  return (request, response) => {
    // The client closed the connection: there is no one to answer.
    response.on("error", () => undefined);
    void respond(request, response, handler);
  };
}

async function respond(request: IncomingMessage, response: ServerResponse, handler: Handler): Promise<void> {
  const [path] = (request.url ?? "").split("?");
  switch (path) {
    case "/healthz":
      return send(response, handler, 200, "ok");
    case "/readyz":
      return handler.isClosing() ? send(response, handler, 503, "ending") : send(response, handler, 200, "ok");
    case CONVERT_PATH:
      if (request.method === "POST") return convert(request, response, handler);
      response.setHeader("allow", "POST");
      return send(response, handler, 405, "reviews are posted");
    default:
      return send(response, handler, 404, `reviews are posted to ${CONVERT_PATH}`);
  }
}

async function convert(request: IncomingMessage, response: ServerResponse, handler: Handler): Promise<void> {
  const { limits } = handler;
  const announced = Number(request.headers["content-length"] ?? limits.bodyBytes);
  const bytes = Math.min(announced, limits.bodyBytes);
  if (handler.bytes + bytes > limits.bodiesBytes) return putOff(response, handler);
  handler.bytes += bytes;
  try {
    await convertBody(request, response, handler);
  } catch (error) {
    // Mostly a client that went away, or that was too slow.
    handler.log.write(
      notConverted(`the request was broken off: ${(error as NodeJS.ErrnoException).code ?? "unknown"}`),
    );
    response.destroy();
  } finally {
    handler.bytes -= bytes;
  }
}

function putOff(response: ServerResponse, handler: Handler): void {
  const problem = "too much is being converted at once";
  handler.log.write(notConverted(problem));
  response.setHeader("retry-after", "1");
  send(response, handler, 503, problem);
}

async function convertBody(request: IncomingMessage, response: ServerResponse, handler: Handler): Promise<void> {
  const body = await readBody(request, handler.limits.bodyBytes);
  const { bodyBytes, bodyValues, bodiesValues } = handler.limits;
  if ("start" in body)
    return refuse(response, handler, body.start, `is larger than ${Math.floor(bodyBytes / 2 ** 20)} MiB`);
  const measured = measureJson(body.text, bodyValues);
  const excess = excessOf(measured, handler.limits);
  if (excess !== undefined) return refuse(response, handler, body.text, excess);
  const { values } = measured;
  if (handler.values + values > bodiesValues) return putOff(response, handler);
  handler.values += values;
  try {
    const { text, isReview, logEntry, objects } = await handler.answer(body.text, measured);
    handler.log.write(logEntry, objects);
    send(response, handler, isReview ? 200 : 400, text);
  } finally {
    handler.values -= values;
  }
}

function excessOf({ values, width, depth, hasLongNumber }: JsonMeasure, limits: Limits): string | undefined {
  const { bodyValues, exactValues } = limits;
  if (values > bodyValues) return `holds more than ${bodyValues} values`;
  if (width > limits.width) return `holds more than ${limits.width} objects, or an object of more entries`;
  if (depth > limits.depth) return `is nested more than ${limits.depth} levels deep`;
  const isCostly = hasLongNumber && values > exactValues;
  return isCostly ? `holds a number of 16 digits among more than ${exactValues} values` : undefined;
}

/** An API server shows the problem to its client only if the answer has the uid of the review. */
function refuse(response: ServerResponse, handler: Handler, text: string, what: string): void {
  const problem = `the review ${what}: read fewer objects at once`;
  const uid = uidAtStart(text.slice(0, START_CHARACTERS));
  handler.log.write(notConverted(problem));
  send(response, handler, uid === "" ? 413 : 200, reviewAnswer({ apiVersion: REVIEW_VERSION, uid }, { problem }));
}

/** Sends the answer to a review as JSON, and everything else as a line of text. */
function send(response: ServerResponse, { isClosing }: Handler, status: number, text: string): void {
  const isJson = text.startsWith("{");
  const content = isJson ? text : `${text}\n`;
  response.writeHead(status, {
    "content-type": isJson ? "application/json" : "text/plain; charset=utf-8",
    "content-length": Buffer.byteLength(content),
    ...(isClosing() ? { connection: "close" } : {}),
  });
  response.end(content);
}

type Body =
  | { readonly text: string }
  /** Too large. It is still read to its end: a client does not read the answer if its request is cut off. */
  | { readonly start: string };

const START_BYTES = 4096;

/** @throws if the client closes the connection, or exceeds the time limit of the server */
async function readBody(request: IncomingMessage, limitBytes: number): Promise<Body> {
  const chunks: Buffer[] = [];
  let size = 0;
  let start: string | undefined;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= limitBytes) chunks.push(chunk);
    else if (start === undefined) {
      start = Buffer.concat(chunks).subarray(0, START_BYTES).toString("utf8");
      chunks.length = 0;
    }
  }
  return start === undefined ? { text: Buffer.concat(chunks).toString("utf8") } : { start };
}
