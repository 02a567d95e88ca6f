/** A TCP proxy in front of a server on the loopback interface, which can stop forwarding silently. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface TcpGate {
  readonly port: number;
  /** Bytes forwarded so far, in both directions. */
  readonly bytes: () => number;
  /** Connections stay open, and nothing is forwarded: like a hanging server, or a network partition. */
  readonly shut: () => void;
  readonly open: () => void;
  /** Stops forwarding on open connections silently; new connections work. */
  readonly cut: () => void;
  readonly close: () => void;
}

export async function tcpGate(to: number): Promise<TcpGate> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let isShut = false;
  let closed = 0;
  const bytesOf = (pair: readonly [Socket, Socket]): number => pair[0].bytesRead + pair[1].bytesRead;
  const server = createServer((near) => {
    const far = connect(to, "127.0.0.1");
    const pair = [near, far] as const;
    pairs.add(pair);
    if (!isShut) near.pipe(far).pipe(near);
    for (const socket of pair) {
      socket.on("error", () => undefined);
      socket.on("close", () => {
        if (pairs.delete(pair)) closed += bytesOf(pair);
        for (const one of pair) one.destroy();
      });
    }
  });
  const cut = (): void => {
    for (const [near, far] of pairs) {
      near.unpipe(far);
      far.unpipe(near);
      near.pause();
      far.pause();
    }
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    bytes: () => [...pairs].reduce((sum, pair) => sum + bytesOf(pair), closed),
    shut: () => {
      isShut = true;
      cut();
    },
    cut,
    open: () => {
      isShut = false;
      // Stopped connections stay stopped: clients must send a new request.
      for (const pair of pairs) for (const socket of pair) socket.destroy();
    },
    close: () => {
      server.close();
      for (const pair of pairs) for (const socket of pair) socket.destroy();
    },
  };
}
