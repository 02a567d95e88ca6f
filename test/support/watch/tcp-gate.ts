/** A door before a server on the loopback interface, which may be shut without a word: a port in, a port out. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface TcpGate {
  readonly port: number;
  /** What has come through so far, both ways. */
  readonly bytes: () => number;
  /** Connections stay open, and nothing comes through: a server that hangs, or a network that was cut. */
  readonly shut: () => void;
  readonly open: () => void;
  /** What is connected now hears nothing any more, without a word; whoever connects later gets through. */
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
      // What was cut stays cut: those who waited have to ask again.
      for (const pair of pairs) for (const socket of pair) socket.destroy();
    },
    close: () => {
      server.close();
      for (const pair of pairs) for (const socket of pair) socket.destroy();
    },
  };
}
