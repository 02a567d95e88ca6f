/** Connections to API servers, credentials of a kubeconfig for them, and requests in flight. */
import { type ClientRequest, Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent, type RequestOptions } from "node:https";
import { createSecureContext, type SecureContext, TLSSocket } from "node:tls";
import type { KubeConfig } from "@kubernetes/client-node";
import { ClusterError } from "./api-answer.ts";

export interface Connections {
  readonly forRequests: HttpAgent;
  /** A watch keeps its own connection for as long as it lasts, so that it takes no slot of a request. */
  readonly forWatches: HttpAgent;
}

export interface AllConnections {
  /**
   * @param isPlain without TLS
   * @param isChecked the address of each connection is checked; unchecked connections are not reused for these
   */
  readonly to: (isPlain: boolean, isChecked?: boolean) => Connections;
  /** Closes the idle connections to a server: if the network dropped them silently, each would cost a whole time limit. */
  readonly dropIdle: (server: string) => void;
  /** Closes all of them. */
  readonly close: () => void;
}

/** A cluster without changes is read every ten minutes, and an open connection takes 100 kB. */
const IDLE_MS = 30_000;

/** For each server; further requests wait. */
const REQUESTS = { keepAlive: true, keepAliveMsecs: 30_000, maxSockets: 16, maxFreeSockets: 4, timeout: IDLE_MS };

export function allConnections(): AllConnections {
  const plain = { forRequests: new HttpAgent(REQUESTS), forWatches: new HttpAgent() };
  const secure = { forRequests: new HttpsAgent(REQUESTS), forWatches: new HttpsAgent() };
  const checked = { forRequests: new HttpsAgent(REQUESTS), forWatches: new HttpsAgent() };
  const all = [plain, secure, checked];
  return {
    to: (isPlain, isChecked = false) => (isPlain ? plain : isChecked ? checked : secure),
    dropIdle: (server) => {
      // A server has no address before its kubeconfig was read.
      if (!URL.canParse(server)) return;
      const { hostname, port, protocol } = new URL(server);
      const host = hostname.replace(/^\[(.*)\]$/, "$1");
      const name = `${host}:${port || (protocol === "http:" ? 80 : 443)}:`;
      for (const { forRequests } of all)
        for (const [key, sockets = []] of Object.entries(forRequests.freeSockets))
          if (key.startsWith(name)) for (const socket of sockets) socket.destroy();
    },
    close: () => {
      for (const { forRequests, forWatches } of all) {
        forRequests.destroy();
        forWatches.destroy();
      }
    },
  };
}

/** For a connection and its TLS handshake. */
const CONNECT_MS = 5000;

/** The connection, with its TLS handshake, was not made in time. */
export class NoConnection extends Error {}

/** Ends a request with NoConnection after 5 s without a connection: a server that runs accepts one at once. */
export function limitConnecting(sent: ClientRequest): void {
  sent.once("socket", (socket) => {
    if (!socket.connecting) return;
    const words = `no connection within ${CONNECT_MS / 1000} seconds`;
    const timer = setTimeout(() => sent.destroy(new NoConnection(words)), CONNECT_MS);
    const end = (): void => clearTimeout(timer);
    socket.once(socket instanceof TLSSocket ? "secureConnect" : "connect", end);
    socket.once("close", end);
  });
}

interface WithContext extends RequestOptions {
  secureContext?: SecureContext;
}

/**
 * Headers and TLS context of a kubeconfig, for the requests to one server.
 *
 * @param where names the kubeconfig in errors
 */
export function requestOptions(where: string) {
  const shareContext = sharedTlsContext();
  const known = new WeakMap<KubeConfig, RequestOptions>();
  /**
   * @param isWrittenOut the kubeconfig holds all credentials itself: no program is run and no file is read for a request
   * @throws ClusterError
   */
  return async (config: KubeConfig, server: string, isWrittenOut: boolean): Promise<RequestOptions> => {
    const before = known.get(config);
    if (before !== undefined) return before;
    const request: RequestOptions = { headers: {} };
    try {
      await config.applyToHTTPSOptions(request);
    } catch (error) {
      throw new ClusterError(`${server}: cannot get the credentials of ${where}: ${firstLine(error)}`);
    }
    const { proxyUrl } = config.getCurrentCluster() ?? {};
    // The agent of the client library keeps no connection open, so each request would need a TLS handshake.
    if (proxyUrl === undefined) delete request.agent;
    const options = server.startsWith("http:") ? request : shareContext(request);
    if (isWrittenOut) known.set(config, options);
    return options;
  };
}

/**
 * Without it each connection makes a context of its own, which takes a tenth of a megabyte and a millisecond. A new one
 * is made when a certificate or a key has changed.
 */
function sharedTlsContext(): (options: RequestOptions) => WithContext {
  let last: { readonly key: string; readonly secureContext: SecureContext } | undefined;
  return (options) => {
    const { ca, cert, key, pfx, passphrase } = options;
    const print = JSON.stringify([ca, cert, key, pfx].map(textOf).concat(passphrase ?? ""));
    last = last?.key === print ? last : { key: print, secureContext: createSecureContext(options) };
    return { ...options, secureContext: last.secureContext };
  };
}

/** Of the message of an error. */
export function firstLine(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  return (message || code || String(error)).split("\n")[0] ?? "";
}

function textOf(value: unknown): string {
  return Buffer.isBuffer(value) ? value.toString("latin1") : (JSON.stringify(value) ?? "");
}

/** Requests to an API server that have no answer yet: reads, which may be cut, and writes. */
export interface InFlightRequests {
  /** Returns a function that reports the end of the request. */
  readonly begin: (isRead: boolean) => () => void;
  /** The server may still execute a write. */
  readonly writes: () => boolean;
  /** Whether there are only reads, and none has begun or ended for so long. */
  readonly onlyWaits: (milliseconds: number) => boolean;
}

/** @param now milliseconds of a monotonic clock */
export function inFlightRequests(now: () => number): InFlightRequests {
  let reads = 0;
  let writes = 0;
  let changed = now();
  return {
    begin: (isRead) => {
      changed = now();
      if (isRead) reads++;
      else writes++;
      return () => {
        changed = now();
        if (isRead) reads--;
        else writes--;
      };
    },
    writes: () => writes > 0,
    onlyWaits: (milliseconds) => writes === 0 && reads > 0 && now() - changed >= milliseconds,
  };
}
