/** Guests that hang or answer slowly: what they cost the others, from the start on, and that no probe is theirs to fail. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { httpClusterApi } from "../../../src/cluster/api/http-cluster-api.ts";
import { NODE_CLAIMS } from "../../../src/cluster/api/served-kind.ts";
import { fakeFleet, NODE_POOLS, WRAPPERS } from "../../support/cluster/fake-hosted-cluster.ts";
import { pool } from "../../support/watch/inputs.ts";
import { runInProcess } from "../../support/watch/run-in-process.ts";

const names = (start: string, count: number) => Array.from({ length: count }, (_, index) => `${start}${index}`);

test("40 of 45 guests hang at the start: the others have their first pass within seconds", async () => {
  const hanging = names("h", 40);
  const well = names("w", 5);
  // Those that hang come first.
  const fleet = await fakeFleet([...hanging, ...well]);
  try {
    for (const name of hanging) fleet.guest(name).intercept = () => true;
    const begun = performance.now();
    const { fleet: running, state, ended } = runInProcess(fleet.specs, { intervalMs: 60_000 });
    await expect
      .poll(() => well.filter((name) => state(name)?.last?.result === "ok"), { timeout: 60_000 })
      .toEqual(well);
    // As the docs promise; one after the other they took ten times that.
    expect((performance.now() - begun) / 1000).toBeLessThan(30);
    running.quit();
    fleet.close();
    await ended;
  } finally {
    fleet.close();
  }
});

test("one wrapper made and deleted again and again: no other cluster waits until the plan is stable", async () => {
  const fleet = await fakeFleet(["churn", "well"]);
  const guest = fleet.guest("churn");
  const specs = fleet.specs;
  const { fleet: running, state, ended } = runInProcess(specs, { intervalMs: 60_000, concurrency: 1 });
  const turns = setInterval(() => {
    const isThere = guest.objects(WRAPPERS).some(({ metadata }) => metadata.name === "come");
    if (isThere) guest.remove(WRAPPERS, "come");
    else guest.put(WRAPPERS, pool("come"));
  }, 1000);
  try {
    await expect.poll(() => state("well")?.last?.result, { timeout: 20_000 }).toBe("ok");
    let since = 0;
    /** It looks once more. */
    const longPass = () => {
      if (state("churn")?.phase !== "running") since = performance.now();
      return performance.now() - since > 700;
    };
    const waits: number[] = [];
    // Meanwhile the other one's drift is set right as ever.
    for (let round = 0; round < 3; round++) {
      await expect.poll(longPass, { timeout: 30_000, interval: 20 }).toBe(true);
      const [web] = fleet.guest("well").objects(NODE_POOLS);
      fleet.guest("well").put(NODE_POOLS, { ...web, spec: { ...(web!.spec as object), weight: 9 } });
      const begun = performance.now();
      const weight = () => JSON.stringify(fleet.guest("well").objects(NODE_POOLS)).includes('"weight"');
      await expect.poll(weight, { timeout: 20_000 }).toBe(false);
      waits.push((performance.now() - begun) / 1000);
    }
    // If the other one kept its place, each round would wait for it, however busy the machine is.
    expect(Math.min(...waits)).toBeLessThan(1.2);
  } finally {
    clearInterval(turns);
    running.quit();
    fleet.close();
    await ended;
  }
});

test("a server that takes no TLS connection is given up after seconds, and then left alone", async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => void sockets.push(socket));
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const folder = mkdtempSync(join(tmpdir(), "anp-connect-"));
  const kubeconfig = join(folder, "kubeconfig");
  const cluster = `{server: "https://127.0.0.1:${(silent.address() as AddressInfo).port}"}`;
  writeFileSync(
    kubeconfig,
    `apiVersion: v1\nkind: Config\nclusters: [{name: a, cluster: ${cluster}}]\nusers: [{name: u, user: {token: t}}]\ncontexts: [{name: c, context: {cluster: a, user: u}}]\ncurrent-context: c\n`,
  );
  const api = httpClusterApi({ kubeconfig });
  try {
    const begun = performance.now();
    const answers = await Promise.all([api.list(NODE_CLAIMS), api.list(NODE_CLAIMS)]);
    const took = performance.now() - begun;
    expect(took).toBeGreaterThan(4500);
    expect(took).toBeLessThan(20_000);
    expect(answers.map((answer) => !answer.ok && answer.error.message)).toEqual(
      answers.map(() => expect.stringContaining("no connection within 5 seconds")),
    );
    const tried = sockets.length;
    const again = await api.list(NODE_CLAIMS);
    expect(!again.ok && again.error.message).toContain("did not answer");
    // It was not waited for once more.
    expect(sockets).toHaveLength(tried);
  } finally {
    api.close();
    for (const socket of sockets) socket.destroy();
    silent.close();
    rmSync(folder, { recursive: true });
  }
});
