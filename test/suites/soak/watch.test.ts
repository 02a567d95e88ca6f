/** What a watch costs while it runs for long: memory after a thousand passes, requests of an idle hour, CPU over a hundred hosted clusters. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { until } from "../../support/controlplane/objects.ts";
import { objectPath } from "../../support/controlplane/rest-path.ts";
import { type AnpProcess, startAnp } from "../../support/watch/anp-process.ts";
import { ARCH, isIn, NAMESPACE, policy, pool } from "../../support/watch/inputs.ts";
import { describeOnClusters } from "../../support/watch/on-clusters.ts";
import { nodePool, OPERATOR, put } from "../../support/watch/rig.ts";
import { runInProcess, specOf } from "../../support/watch/run-in-process.ts";
import { slowness } from "../../support/soak/slowness.ts";

setFlagsFromString("--expose-gc");
const gc = runInNewContext("gc") as () => void;

const PASSES = 1000;

describeOnClusters("a watch that runs for long", (rig) => {
  const guest = () => ({ kubeconfig: rig.kubeconfig("guest", OPERATOR) });
  const management = () => ({ kubeconfig: rig.kubeconfig("management", "guest-admin") });

  test("memory is as it was after a thousand passes with changes, drift, events and a cluster that fails", async () => {
    for (const name of ["a", "b", "c", "d"]) await put(rig.guest, pool(name));
    const path = await objectPath(rig.guest, nodePool("web"));
    let log = 0;
    const failing = specOf(rig, "failing", { guest: { kubeconfig: rig.kubeconfig("guest", "plain-user") } });
    const specs = [specOf(rig, "watch"), specOf(rig, "judged", { dryRun: true }), failing];
    const { fleet, state, ended } = runInProcess(specs, {
      intervalMs: 3_600_000,
      concurrency: 2,
      write: (text) => void (log += text.length),
    });
    // Without a pause between passes.
    fleet.onChange(() => {
      for (const { name, phase } of fleet.clusters())
        if (phase === "waiting" || phase === "backing-off") fleet.reconcileNow(name);
    });
    const passes = () =>
      fleet.clusters().reduce((sum, { passes: { ok, held, failed } }) => sum + ok + held + failed, 0);
    const samples: { passes: number; heap: number; rss: number; resources: number }[] = [];
    for (let round = 0; passes() < PASSES; round++) {
      const next = passes() + 20;
      await put(rig.management, policy([isIn(ARCH, round % 2 === 0 ? "arm64" : "amd64")]));
      await rig.guest.request(OPERATOR, "PATCH", `${path}?fieldManager=hand`, { spec: { weight: (round % 90) + 1 } });
      while (passes() < next) await sleep(20);
      if (passes() >= (samples.length + 1) * 100) {
        gc();
        const { heapUsed, rss } = process.memoryUsage();
        const resources = process.getActiveResourcesInfo().length;
        samples.push({ passes: passes(), heap: heapUsed / 2 ** 20, rss: rss / 2 ** 20, resources });
      }
    }
    const states = ["watch", "judged", "failing"].map((name) => state(name)!);
    fleet.quit();
    await ended;
    const [first, last] = [samples[2]!, samples.at(-1)!];
    const words = (one: typeof first) =>
      `${one.passes} passes: heap ${one.heap.toFixed(1)} MiB, rss ${one.rss.toFixed(0)} MiB, ${one.resources} handles`;
    console.log([words(samples[0]!), words(first), words(last), `${log} bytes of log`].join("\n"));
    expect(last.heap - first.heap).toBeLessThan(5);
    expect(last.rss - first.rss).toBeLessThan(50);
    // Connections come and go with each pass, so that one moment says little; one kept by each pass would be hundreds.
    const handles = (some: typeof samples) => some.reduce((sum, { resources }) => sum + resources, 0) / some.length;
    expect(handles(samples.slice(-3)) - handles(samples.slice(2, 5))).toBeLessThan(20);
    const [watch, judged, failed] = states;
    expect(watch?.drift).toBeGreaterThan(10);
    expect([judged?.drift, failed?.drift]).toEqual([0, 0]);
    expect(failed?.passes).toMatchObject({ ok: 0, held: 0 });
  });

  /** Between two passes: a request counts when it is sent, a pass when it ends. */
  async function counters(anp: AnpProcess) {
    let text = "";
    await until("no pass runs", async () => {
      text = await (await anp.ask("/metrics")).text();
      return /^anp_running_passes 0$/m.test(text);
    });
    const sum = (pattern: RegExp) => [...text.matchAll(pattern)].reduce((all, [, value]) => all + Number(value), 0);
    return {
      at: performance.now() / 1000,
      passes: sum(/^anp_reconciles_total\{.*\} (\S+)$/gm),
      requests: sum(/^anp_api_requests_total\{.*\} (\S+)$/gm),
      cpu: sum(/^process_cpu_seconds_total (\S+)$/gm),
      rss: sum(/^process_resident_memory_bytes (\S+)$/gm) / 2 ** 20,
    };
  }

  /**
   * The share is one of a core as fast as that of slowness.ts. What else runs can only add to it: where it is not good
   * enough, it is the best of three.
   */
  async function idle(
    clusters: number,
    interval: string,
    settle: number,
    seconds: number,
    isEnough: (share: number) => boolean = () => true,
  ) {
    const config = {
      apiVersion: "anp.hypershift.openshift.io/v1alpha1",
      kind: "WatchConfig",
      spec: {
        interval,
        listen: "127.0.0.1:0",
        clusters: Array.from({ length: clusters }, (_, index) => ({
          name: `c${index}`,
          namespace: NAMESPACE,
          guest: guest(),
          management: management(),
        })),
      },
    };
    const file = join(rig.folder, "watch.json");
    writeFileSync(file, JSON.stringify(config));
    const anp = startAnp(["watch", "--config", file]);
    try {
      // The first pass creates, and the next ones still hear of that.
      await anp.said(/(?:msg=reconciled[^]*?){4}/, 120_000);
      await sleep(settle * 1000);
      const measured = async () => {
        const speed = slowness();
        const before = await counters(anp);
        await sleep(seconds * 1000);
        const after = await counters(anp);
        const slow = (speed + slowness()) / 2;
        const per = (key: "at" | "passes" | "requests" | "cpu") => after[key] - before[key];
        const share = (100 * per("cpu")) / per("at");
        console.log(`${share.toFixed(1)} % of a core that is ${slow.toFixed(1)} times as slow`);
        return { share: share / slow, passes: per("passes"), requests: per("requests"), rss: after.rss };
      };
      let best = await measured();
      for (let more = 0; more < 2 && !isEnough(best.share); more++) {
        const next = await measured();
        if (next.share < best.share) best = next;
      }
      return best;
    } finally {
      anp.send("SIGTERM");
      expect([await anp.ended, anp.log().slice(-2000)]).toEqual([0, expect.any(String)]);
    }
  }

  test("an idle pass asks twelve times, so that an idle hour is some eight hundred requests", async () => {
    const { passes, requests } = await idle(1, "1s", 5, 10);
    // At 1m; and nine watches, which are opened anew after five to ten minutes.
    const hour = (60 * requests) / passes + (9 * 60) / 7.5;
    console.log(`${requests} requests in ${passes} idle passes: ${hour.toFixed(0)} an hour`);
    expect(passes).toBeGreaterThanOrEqual(5);
    expect(requests / passes).toBeGreaterThan(11.5);
    expect(requests / passes).toBeLessThan(12.6);
  });

  // All are on the one guest cluster there is: who was first with an object keeps it, all others see it as foreign.
  test("one loop over a hundred idle hosted clusters takes at most a twentieth of a core", async () => {
    const { share, passes, rss } = await idle(100, "60s", 65, 60, (percent) => percent < 5);
    console.log(`100 clusters: ${share.toFixed(1)} % of a core, ${passes} passes in 60 s, rss ${rss.toFixed(0)} MiB`);
    // One a minute each, and no news asks for another.
    expect(passes).toBeGreaterThan(75);
    expect(passes).toBeLessThan(125);
    expect(share).toBeLessThan(5);
  });
});
