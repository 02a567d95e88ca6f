/** Reads the body of a request: all of it, or only its start where there is no room for more. */
import type { IncomingMessage } from "node:http";

export type Body =
  | { readonly text: string }
  /** Too large; read to its end all the same, because a client that is cut off while it writes hears no answer. */
  | { readonly start: string };

const START_BYTES = 4096;

/** @throws where the client gives up, or is too slow for the server's patience */
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
