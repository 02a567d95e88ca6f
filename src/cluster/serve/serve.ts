/** An HTTP server for probes and scrapes, which answers GET and HEAD only. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ListenAddress } from "../../model/settings/listen-address.ts";
import { ClusterError } from "../api/api-answer.ts";

export interface Page {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

export interface Server {
  /** With the real port: `127.0.0.1:8080`. */
  readonly address: string;
  readonly close: () => void;
}

/** Each probe opens a connection of its own, every few seconds. */
const PATIENCE_MS = 10_000;

/** @throws ClusterError if it cannot listen on the address */
export async function serve(
  { host, port }: ListenAddress,
  pages: Readonly<Record<string, () => Page | Promise<Page>>>,
): Promise<Server> {
  const server = createServer({ requestTimeout: PATIENCE_MS, headersTimeout: PATIENCE_MS }, (request, response) => {
    answer(request, response, pages).catch((error: unknown) => {
      send(response, { status: 500, contentType: PLAIN, text: `${(error as Error).message}\n` }, false);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const where = `${host ?? ""}:${port}`;
      reject(new ClusterError(`cannot listen on ${where}: ${error.code ?? error.message}`));
    });
    server.listen({ port, ...(host === undefined ? {} : { host }) }, resolve);
  });
  return {
    address: wordsOf(server.address() as AddressInfo),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const PLAIN = "text/plain; charset=utf-8";

async function answer(
  { method = "", url = "" }: IncomingMessage,
  response: ServerResponse,
  pages: Readonly<Record<string, () => Page | Promise<Page>>>,
): Promise<void> {
  const path = url.split("?")[0] ?? "";
  const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
  const isHead = method === "HEAD";
  if (page === undefined) send(response, { status: 404, contentType: PLAIN, text: "not found\n" }, isHead);
  else if (method !== "GET" && !isHead) send(response, { status: 405, contentType: PLAIN, text: "only GET\n" }, isHead);
  else send(response, await page(), isHead);
}

function send(response: ServerResponse, { status, contentType, text }: Page, isHead: boolean): void {
  const length = Buffer.byteLength(text);
  response.writeHead(status, { "content-type": contentType, "content-length": length, "cache-control": "no-store" });
  response.end(isHead ? undefined : text);
}

function wordsOf({ address, port, family }: AddressInfo): string {
  return family === "IPv6" ? `[${address}]:${port}` : `${address}:${port}`;
}
