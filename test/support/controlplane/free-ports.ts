/** Finds free ports of the loopback interface. */
import { type AddressInfo, createServer } from "node:net";
import { once } from "node:events";

/** Opens all at the same time, so that they differ. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  await Promise.all(servers.map((server) => once(server.listen(0, "127.0.0.1"), "listening")));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), "close")));
  return ports;
}
