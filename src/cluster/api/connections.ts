/** Connections to API servers, kept open and shared by all who ask the same one: a way to send requests and to watch out. */
import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";

interface Connections {
  readonly forRequests: HttpAgent;
  /** Each watch has a connection of its own, as long as it lasts: it must not take the place of a request. */
  readonly forWatches: HttpAgent;
}

export interface AllConnections {
  /** @param isPlain without TLS */
  readonly to: (isPlain: boolean) => Connections;
  /** Closes all of them. */
  readonly close: () => void;
}

/** For each server: what more there is waits. */
const REQUESTS = { keepAlive: true, keepAliveMsecs: 30_000, maxSockets: 16, maxFreeSockets: 4 };

export function allConnections(): AllConnections {
  const plain = { forRequests: new HttpAgent(REQUESTS), forWatches: new HttpAgent() };
  const secure = { forRequests: new HttpsAgent(REQUESTS), forWatches: new HttpsAgent() };
  return {
    to: (isPlain) => (isPlain ? plain : secure),
    close: () => {
      for (const { forRequests, forWatches } of [plain, secure]) {
        forRequests.destroy();
        forWatches.destroy();
      }
    },
  };
}
