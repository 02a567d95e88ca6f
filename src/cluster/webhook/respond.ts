/** What the webhook's server answers at /convert, /healthz and /readyz. */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { type Answered, notConverted } from "./answer-review.ts";
import { REVIEW_VERSION, reviewAnswer, uidAtStart } from "./conversion-review.ts";
import type { Limits } from "./limits.ts";
import { type JsonMeasure, measureJson } from "./measure-json.ts";
import { readBody } from "./read-body.ts";
import type { ThinnedLog } from "./thinned-log.ts";

const CONVERT_PATH = "/convert";
const START_CHARACTERS = 4096;

interface RespondOptions {
  readonly answer: (text: string, measured: JsonMeasure) => Promise<Answered>;
  readonly limits: Limits;
  /** Connections end with their answer from then on, and nobody is to send more. */
  readonly isClosing: () => boolean;
  readonly log: ThinnedLog;
}

interface Desk extends RespondOptions {
  /** What the requests that are being answered say they hold. */
  bytes: number;
  /** What they do hold, of those that have come. */
  values: number;
}

/** What is wrong with a request is said in a ConversionReview wherever its sender can read one. */
export function responder(options: RespondOptions): RequestListener {
  const desk: Desk = { ...options, bytes: 0, values: 0 };
  return (request, response) => {
    // Who goes away while he is answered has nobody to be told.
    response.on("error", () => undefined);
    void respond(request, response, desk);
  };
}

async function respond(request: IncomingMessage, response: ServerResponse, desk: Desk): Promise<void> {
  const [path] = (request.url ?? "").split("?");
  switch (path) {
    case "/healthz":
      return send(response, desk, 200, "ok");
    case "/readyz":
      return desk.isClosing() ? send(response, desk, 503, "ending") : send(response, desk, 200, "ok");
    case CONVERT_PATH:
      if (request.method === "POST") return convert(request, response, desk);
      response.setHeader("allow", "POST");
      return send(response, desk, 405, "reviews are posted");
    default:
      return send(response, desk, 404, `reviews are posted to ${CONVERT_PATH}`);
  }
}

async function convert(request: IncomingMessage, response: ServerResponse, desk: Desk): Promise<void> {
  const { limits } = desk;
  const announced = Number(request.headers["content-length"] ?? limits.bodyBytes);
  const bytes = Math.min(announced, limits.bodyBytes);
  if (desk.bytes + bytes > limits.bodiesBytes) return putOff(response, desk);
  desk.bytes += bytes;
  try {
    await convertBody(request, response, desk);
  } catch (error) {
    // Mostly a client that went away, or that was too slow.
    desk.log.tell(notConverted(`the request was broken off: ${(error as NodeJS.ErrnoException).code ?? "unknown"}`));
    response.destroy();
  } finally {
    desk.bytes -= bytes;
  }
}

function putOff(response: ServerResponse, desk: Desk): void {
  const problem = "too much is being converted at once";
  desk.log.tell(notConverted(problem));
  response.setHeader("retry-after", "1");
  send(response, desk, 503, problem);
}

async function convertBody(request: IncomingMessage, response: ServerResponse, desk: Desk): Promise<void> {
  const body = await readBody(request, desk.limits.bodyBytes);
  const { bodyBytes, bodyValues, bodiesValues } = desk.limits;
  if ("start" in body)
    return refuse(response, desk, body.start, `is larger than ${Math.floor(bodyBytes / 2 ** 20)} MiB`);
  const measured = measureJson(body.text, bodyValues);
  const excess = excessOf(measured, desk.limits);
  if (excess !== undefined) return refuse(response, desk, body.text, excess);
  const { values } = measured;
  if (desk.values + values > bodiesValues) return putOff(response, desk);
  desk.values += values;
  try {
    const { text, isReview, told, objects } = await desk.answer(body.text, measured);
    desk.log.tell(told, objects);
    send(response, desk, isReview ? 200 : 400, text);
  } finally {
    desk.values -= values;
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

/** An API server tells its client what is wrong where the answer names its review. */
function refuse(response: ServerResponse, desk: Desk, text: string, what: string): void {
  const problem = `the review ${what}: read fewer objects at once`;
  const uid = uidAtStart(text.slice(0, START_CHARACTERS));
  desk.log.tell(notConverted(problem));
  send(response, desk, uid === "" ? 413 : 200, reviewAnswer({ apiVersion: REVIEW_VERSION, uid }, { problem }));
}

/** A review's answer as JSON, everything else as a line of text. */
function send(response: ServerResponse, { isClosing }: Desk, status: number, text: string): void {
  const isJson = text.startsWith("{");
  const content = isJson ? text : `${text}\n`;
  response.writeHead(status, {
    "content-type": isJson ? "application/json" : "text/plain; charset=utf-8",
    "content-length": Buffer.byteLength(content),
    ...(isClosing() ? { connection: "close" } : {}),
  });
  response.end(content);
}
