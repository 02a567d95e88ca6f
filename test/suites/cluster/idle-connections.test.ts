/** Connections to a cluster without changes: idle ones are closed, those of a watch stay open. */
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { httpClusterApi } from "../../../src/cluster/api/http-cluster-api.ts";
import { NODE_CLAIMS, OPENSHIFT_NODE_POOLS } from "../../../src/cluster/api/served-kind.ts";

/** Longer than an unused connection stays open. */
const SLOW_MS = 35_000;

test("a connection that is idle is closed after half a minute, and one that is waited on is not", async () => {
  const sockets = new Set<Socket>();
  const server = createServer(({ url = "" }, response) => {
    const answer = () => void response.end(JSON.stringify({ metadata: { resourceVersion: "1" }, items: [] }));
    setTimeout(answer, url.includes(NODE_CLAIMS.plural) ? SLOW_MS : 0);
  });
  // As API servers do: they close none by themselves.
  server.keepAliveTimeout = 0;
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => void sockets.delete(socket));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const folder = mkdtempSync(join(tmpdir(), "anp-idle-"));
  const kubeconfig = join(folder, "kubeconfig");
  const cluster = `{server: "http://127.0.0.1:${(server.address() as AddressInfo).port}", insecure-skip-tls-verify: true}`;
  writeFileSync(
    kubeconfig,
    `apiVersion: v1\nkind: Config\nclusters: [{name: a, cluster: ${cluster}}]\nusers: [{name: u, user: {token: t}}]\ncontexts: [{name: c, context: {cluster: a, user: u}}]\ncurrent-context: c\n`,
  );
  const api = httpClusterApi({ kubeconfig, isOwn: true, timeoutMs: 2 * SLOW_MS, breakerMs: 0 });
  try {
    expect(await api.list(OPENSHIFT_NODE_POOLS)).toMatchObject({ ok: true });
    expect(sockets.size).toBe(1);
    await expect.poll(() => sockets.size, { timeout: 2 * SLOW_MS, interval: 500 }).toBe(0);
    expect(await api.list(NODE_CLAIMS)).toMatchObject({ ok: true });
  } finally {
    api.close();
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true });
  }
});
