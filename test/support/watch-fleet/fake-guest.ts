/** The API server of a guest cluster in this process: on a port of its own, with what was put into it and what anp applies. */
import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { guestAnswers, type GuestManners, type GuestWrite } from "./guest-answers.ts";
import { type GuestObject, guestObjects } from "./guest-objects.ts";

export interface FakeGuest {
  readonly url: string;
  /** All that anp wrote. */
  readonly writes: readonly GuestWrite[];
  /** Requests that came, but for those of watches. */
  readonly requests: () => number;
  /** As a user of the guest does it. */
  readonly put: (collection: string, object: GuestObject) => void;
  readonly get: (collection: string, name: string) => GuestObject | undefined;
  readonly drop: (collection: string, name: string) => void;
  /** Requests with another token are refused; undefined accepts all. */
  setToken: (token: string | undefined) => void;
  /** Before each answer; Infinity never answers. */
  setDelay: (milliseconds: number) => void;
  /** It reads, and never answers what is to be written. */
  hangAtWrites: () => void;
  /** From now on its answers end the process that asks. */
  setEnds: (ends: GuestManners["ends"]) => void;
  readonly close: () => void;
}

/** @param tls a certificate of 127.0.0.1 and its key */
export async function startFakeGuest(tls: { readonly cert: string; readonly key: string }): Promise<FakeGuest> {
  const objects = guestObjects();
  const manners: GuestManners = { tokens: undefined, delayMs: 0 };
  const writes: GuestWrite[] = [];
  let count = 0;
  const answer = guestAnswers(objects, {
    manners,
    asked: (isWatch) => void (count += isWatch ? 0 : 1),
    wrote: (write) => void writes.push(write),
  });
  const server = createServer(tls, (request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    writes,
    requests: () => count,
    put: (collection, object) => void objects.put(collection, object),
    get: objects.get,
    drop: (collection, name) => void objects.remove(collection, name),
    setToken: (token) => {
      manners.tokens = token === undefined ? undefined : [token];
    },
    setDelay: (milliseconds) => {
      manners.delayMs = milliseconds;
    },
    hangAtWrites: () => {
      manners.hangsAtWrites = true;
    },
    setEnds: (ends) => {
      manners.ends = ends;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
