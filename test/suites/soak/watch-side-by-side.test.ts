/** Proves on real API servers that passes run side by side, and that the end comes in time. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { until } from "../../support/controlplane/objects.ts";
import { type AnpProcess, startAnp } from "../../support/watch/anp-process.ts";
import { gated } from "../../support/watch/gated.ts";
import { NAMESPACE, pool } from "../../support/watch/inputs.ts";
import { describeOnOwnClusters } from "../../support/watch/on-clusters.ts";
import { ADMIN, OPERATOR, put } from "../../support/watch/rig.ts";
import { runInProcess, specOf } from "../../support/watch/run-in-process.ts";
import type { TcpGate } from "../../support/watch/tcp-gate.ts";

describeOnOwnClusters("several clusters", (rig) => {
  const gates: TcpGate[] = [];

  afterEach(() => {
    for (const gate of gates.splice(0)) gate.close();
  });

  test("never more passes at once than allowed, and each cluster gets its turn", async () => {
    const names = Array.from({ length: 12 }, (_, index) => `c${index}`);
    let most = 0;
    const { ended, fleet } = runInProcess(
      names.map((name) => specOf(rig, name)),
      { concurrency: 3, intervalMs: 500 },
    );
    fleet.onChange(() => {
      most = Math.max(most, fleet.clusters().filter(({ phase }) => phase === "running").length);
    });
    await until("three passes of each", async () =>
      fleet.clusters().every(({ lastEnd, passes }) => lastEnd !== undefined && passes.ok + passes.held >= 3),
    );
    const counts = fleet.clusters().map(({ passes }) => passes.ok + passes.held + passes.failed);
    expect(most).toBe(3);
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(3);
    fleet.quit();
    expect(await ended).toEqual({ result: "ok", findings: [] });
  });

  function startProcess(guest: string) {
    return startAnp([
      "watch",
      "--hosted-cluster",
      NAMESPACE,
      "--interval",
      "1s",
      "--listen",
      "127.0.0.1:0",
      "--guest-kubeconfig",
      guest,
      "--management-kubeconfig",
      rig.kubeconfig("management", "guest-admin"),
    ]);
  }

  const poolsThere = async () =>
    (await rig.guest.request(ADMIN, "GET", "/apis/karpenter.sh/v1/nodepools")).body.items?.length ?? 0;

  test("SIGTERM in the middle of a pass: objects in hand are finished, no other is begun, exit 0", async () => {
    for (let index = 0; index < 300; index++) await put(rig.guest, pool(`p${index}`));
    const anp = startProcess(rig.kubeconfig("guest", OPERATOR));
    await until("the first pools", async () => (await poolsThere()) > 10);
    const asked = performance.now();
    anp.send("SIGTERM");
    expect(await anp.ended).toBe(0);
    expect(performance.now() - asked).toBeLessThan(10_000);
    const created = anp.log().match(/msg=created cluster=watch object="NodePool/g)?.length;
    expect(anp.log()).toContain('msg="not reached"');
    expect(created).toBeLessThan(301);
    expect(await poolsThere()).toBe(created);
  });

  /** Until a pass runs, and still does half a second later. */
  async function untilItHangs(anp: AnpProcess): Promise<void> {
    const runs = async () => /^anp_running_passes 1$/m.test(await (await anp.ask("/metrics")).text());
    await until("a pass hangs", async () => {
      if (!(await runs())) return false;
      await sleep(500);
      return runs();
    });
  }

  test("a pass that hangs is cut off after ten seconds, and a second signal waits for nothing", async () => {
    for (const second of [false, true]) {
      const { gate, kubeconfig } = await gated(rig, "guest", OPERATOR);
      gates.push(gate);
      const anp = startProcess(kubeconfig);
      await anp.said(/msg=reconciled .*result=ok/);
      gate.shut();
      await put(rig.guest, pool(`more-${second}`));
      await untilItHangs(anp);
      const asked = performance.now();
      anp.send("SIGTERM");
      await anp.said(/msg=stopping running=watch/);
      if (second) anp.send("SIGTERM");
      expect(await anp.ended).toBe(second ? 143 : 4);
      const seconds = (performance.now() - asked) / 1000;
      if (second) expect(seconds).toBeLessThan(2);
      else expect(seconds).toBeGreaterThan(9);
      expect(seconds).toBeLessThan(12);
      if (!second) expect(anp.log()).toContain("anp: cut off, because it was not done within 10 seconds: watch");
    }
  });
});
