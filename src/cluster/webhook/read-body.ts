/** Reads the body of a request, or only its start if it is too large. */
import type { IncomingMessage } from "node:http";

export type Body =
  | { readonly text: string }
  /** Too large. It is still read to its end: a client does not read the answer if its request is cut off. */
  | { readonly start: string };

const START_BYTES = 4096;

/** @throws if the client closes the connection, or exceeds the time limit of the server */
export async function readBody(request: IncomingMessage, limitBytes: number): Promise<Body> {
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
