/** Requests of the webhook's server to their answers: /convert, /healthz and /readyz; what is wrong with a request is said in a ConversionReview wherever its sender can read one. */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { type Answered, notConverted } from "./answer-review.ts";
import { REVIEW_VERSION, reviewAnswer, uidAtStart } from "./conversion-review.ts";
import type { Limits } from "./limits.ts";
import { readBody } from "./read-body.ts";
import type { ThinnedLog } from "./thinned-log.ts";

const CONVERT_PATH = "/convert";

interface RespondOptions {
  readonly answer: (text: string) => Promise<Answered>;
  readonly limits: Limits;
  /** Connections end with their answer from then on, and nobody is to send more. */
  readonly isClosing: () => boolean;
  readonly log: ThinnedLog;
}

interface Desk extends RespondOptions {
  /** What the requests that are being answered say they hold. */
  bytes: number;
}

export function responder(options: RespondOptions): RequestListener {
  const desk: Desk = { ...options, bytes: 0 };
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
  if (desk.bytes + bytes > limits.bodiesBytes) {
    const problem = "too much is being converted at once";
    desk.log.tell(notConverted(problem));
    response.setHeader("retry-after", "1");
    return send(response, desk, 503, problem);
  }
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

async function convertBody(request: IncomingMessage, response: ServerResponse, desk: Desk): Promise<void> {
  const body = await readBody(request, desk.limits.bodyBytes);
  if ("start" in body) {
    const problem = `the review is larger than ${Math.floor(desk.limits.bodyBytes / 2 ** 20)} MiB: read fewer objects at once`;
    const uid = uidAtStart(body.start);
    desk.log.tell(notConverted(problem));
    return send(response, desk, uid === "" ? 413 : 200, reviewAnswer({ apiVersion: REVIEW_VERSION, uid }, { problem }));
  }
  const { text, isReview, told, objects } = await desk.answer(body.text);
  desk.log.tell(told, objects);
  send(response, desk, isReview ? 200 : 400, text);
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
