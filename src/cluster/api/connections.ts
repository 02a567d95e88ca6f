/** Connections to API servers, kept open and shared by all who ask the same one. */
import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";

export interface Connections {
  readonly forRequests: HttpAgent;
  /** Each watch has a connection of its own, as long as it lasts: it must not take the place of a request. */
  readonly forWatches: HttpAgent;
}

export interface AllConnections {
  /** @param isPlain without TLS */
  readonly to: (isPlain: boolean) => Connections;
  /** Closes those to a server that nobody uses just now: where a line was cut silently, each would cost a whole time limit. */
  readonly dropIdle: (server: string) => void;
  /** Closes all of them. */
  readonly close: () => void;
}

/** A cluster that rests is asked every ten minutes, and each open connection takes 100 kB. */
const FREE_MS = 30_000;

/** For each server: what more there is waits. */
const REQUESTS = { keepAlive: true, keepAliveMsecs: 30_000, maxSockets: 16, maxFreeSockets: 4, timeout: FREE_MS };

export function allConnections(): AllConnections {
  const plain = { forRequests: new HttpAgent(REQUESTS), forWatches: new HttpAgent() };
  const secure = { forRequests: new HttpsAgent(REQUESTS), forWatches: new HttpsAgent() };
  return {
    to: (isPlain) => (isPlain ? plain : secure),
    dropIdle: (server) => {
      // One whose kubeconfig has not been read yet has no address.
      if (!URL.canParse(server)) return;
      const { hostname, port, protocol } = new URL(server);
      const host = hostname.replace(/^\[(.*)\]$/, "$1");
      const name = `${host}:${port || (protocol === "http:" ? 80 : 443)}:`;
      for (const { forRequests } of [plain, secure])
        for (const [key, sockets = []] of Object.entries(forRequests.freeSockets))
          if (key.startsWith(name)) for (const socket of sockets) socket.destroy();
    },
    close: () => {
      for (const { forRequests, forWatches } of [plain, secure]) {
        forRequests.destroy();
        forWatches.destroy();
      }
    },
  };
}
