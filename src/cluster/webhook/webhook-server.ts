/** The TLS server of the webhook, and the limits on the resources that its clients can use. */
import type { RequestListener } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { LogEntry } from "../objects/log-entry.ts";
import type { KeyPair } from "./certificate.ts";

export interface ListenAddress {
  /** Undefined: all addresses of the machine. */
  readonly host: string | undefined;
  readonly port: number;
}

export interface WebhookServer {
  /** With the real port. */
  readonly address: string;
  /** For new connections. */
  readonly use: (pair: KeyPair) => void;
  /** Finishes the requests in flight, within the drain limit. */
  readonly close: () => Promise<void>;
}

interface ServerOptions {
  readonly listen: ListenAddress;
  readonly pair: KeyPair;
  readonly limits: Limits;
  readonly respond: RequestListener;
  readonly log: (entry: LogEntry) => void;
  /** Called for a failed TLS handshake, and for a connection above the limit. */
  readonly onRefused: (reason: string) => void;
}

/** Longer than API servers keep an idle connection (90 seconds), so that none is closed just as it is used again. */
const KEEP_ALIVE_MS = 120_000;
const MIN_VERSION = "TLSv1.2";

/**
 * Size, time and number of everything that a client controls have limits.
 *
 * @throws the error of node if it cannot listen
 */
export async function webhookServer(options: ServerOptions): Promise<WebhookServer> {
  const { listen, pair, limits, respond, log, onRefused } = options;
  const server = createServer(
    {
      ...pair,
      minVersion: MIN_VERSION,
      handshakeTimeout: limits.headMs,
      headersTimeout: limits.headMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: Math.min(1000, limits.headMs),
    },
    respond,
  );
  server.maxConnections = limits.connections;
  server.on("drop", () => onRefused("too many connections"));
  server.on("tlsClientError", ({ code, message }: NodeJS.ErrnoException) => onRefused(code ?? message));
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  const silent = silentClients(server, limits.headMs);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port: listen.port, host: listen.host }, () => {
      server.off("error", reject);
      resolve();
    });
  });
  server.on("error", ({ message }) => log({ level: "error", msg: "server error", fields: { reason: message } }));
  return {
    address: addressOf(server.address() as AddressInfo),
    use: (next) => server.setSecureContext({ ...next, minVersion: MIN_VERSION }),
    close: () =>
      new Promise((resolve) => {
        const cut = setTimeout(() => {
          for (const socket of sockets) socket.destroy();
        }, limits.drainMs);
        // Closes the connections whose last request is answered.
        server.close(() => {
          clearTimeout(cut);
          resolve();
        });
        silent.leave();
      }),
  };
}

/** Time for requests that are on their way when the server ends. */
const LEAVING_MS = 500;

/**
 * API servers keep connections in reserve that have sent nothing since the handshake. No request limit applies to them,
 * so they have a time limit of their own, and a short one when the server ends.
 */
function silentClients(server: Server, patienceMs: number): { readonly leave: () => void } {
  const silent = new Map<Socket, NodeJS.Timeout>();
  const wait = (socket: Socket, milliseconds: number): void => {
    clearTimeout(silent.get(socket));
    silent.set(
      socket,
      setTimeout(() => socket.destroy(), milliseconds),
    );
  };
  server.on("secureConnection", (socket) => {
    wait(socket, server.listening ? patienceMs : LEAVING_MS);
    const heard = (): void => {
      clearTimeout(silent.get(socket));
      silent.delete(socket);
    };
    socket.once("data", heard);
    socket.once("close", heard);
  });
  return {
    leave: () => {
      for (const socket of silent.keys()) wait(socket, LEAVING_MS);
    },
  };
}

function addressOf({ address, family, port }: AddressInfo): string {
  return family === "IPv6" ? `[${address}]:${port}` : `${address}:${port}`;
}

const MEBIBYTE = 2 ** 20;

/**
 * An API server waits 30 seconds for an answer. A request is as large as the list that a client reads, and it has up to
 * ten thousand objects (k8s.io/apiserver, storage/etcd3, maxLimit).
 */
export const LIMITS = {
  bodyBytes: 64 * MEBIBYTE,
  /** For all requests in flight together, by their content-length. */
  bodiesBytes: 96 * MEBIBYTE,
  /** JSON values in a body, which determine the memory. */
  bodyValues: 3_000_000,
  /** For all requests in flight together. */
  bodiesValues: 4_000_000,
  /** Entries of one object or list. No object of Kubernetes has more, and no review has more objects. */
  width: 10_000,
  depth: 100,
  /** In a body with an integer that is too long for JavaScript's numbers. No object of Karpenter needs one. */
  exactValues: 50_000,
  connections: 256,
  /** For the TLS handshake, and for the headers of a request. */
  headMs: 10_000,
  /** For a request as a whole. */
  requestMs: 25_000,
  drainMs: 10_000,
};

export type Limits = Readonly<typeof LIMITS>;
