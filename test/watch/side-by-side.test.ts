/** Proves on real API servers that clusters that hang keep none waiting that are well, and that the end comes in time. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import type { Fleet } from "../../src/cluster/run/fleet.ts";
import { type ClusterSpec, type RunOptions, runWatch } from "../../src/cluster/run/run-watch.ts";
import type { LogEntry } from "../../src/cluster/tell/log-entry.ts";
import { until } from "../controlplane/objects.ts";
import { startAnp } from "./anp-process.ts";
import { NAMESPACE, pool } from "./inputs.ts";
import { describeOnClusters } from "./on-clusters.ts";
import { ADMIN, OPERATOR, put } from "./rig.ts";
import { type TcpGate, tcpGate } from "./tcp-gate.ts";

describeOnClusters("several clusters", (rig) => {
  const gates: TcpGate[] = [];

  afterEach(() => {
    for (const gate of gates.splice(0)) gate.close();
  });

  /** The guest cluster behind a gate. */
  async function gated(): Promise<{ gate: TcpGate; kubeconfig: string }> {
    const { port } = new URL(rig.guest.url);
    const gate = await tcpGate(Number(port));
    gates.push(gate);
    const kubeconfig = join(rig.folder, `gate-${gate.port}.kubeconfig`);
    writeFileSync(kubeconfig, rig.guest.kubeconfig(OPERATOR).replaceAll(`:${port}`, `:${gate.port}`));
    return { gate, kubeconfig };
  }

  function spec(name: string, guest = rig.kubeconfig("guest", OPERATOR)): ClusterSpec {
    return {
      name,
      hostedCluster: NAMESPACE,
      guest: { kubeconfig: guest },
      management: { kubeconfig: rig.kubeconfig("management", "guest-admin") },
      source: { paths: [], policyDir: undefined, config: undefined },
      render: {},
      onPolicyUnreadable: "Hold",
      adopt: new Set(),
      allowEmpty: false,
      maxPrune: 5,
      nodeLimits: "Disruption",
      dryRun: false,
    };
  }

  function run(specs: readonly ClusterSpec[], over: Partial<RunOptions>) {
    const entries: LogEntry[] = [];
    let fleet: Fleet | undefined;
    const ended = runWatch(specs, {
      once: false,
      intervalMs: 1000,
      concurrency: 4,
      leaderElection: undefined,
      listen: undefined,
      logFormat: "logfmt",
      write: () => undefined,
      log: (entry) => entries.push(entry),
      onFleet: (given) => (fleet = given),
      ...over,
    });
    const state = (name: string) => fleet?.clusters().find((cluster) => cluster.name === name);
    return { ended, entries, fleet: fleet!, state };
  }

  test("four that hang do not delay the fifth, with two passes at once", async () => {
    const { gate, kubeconfig } = await gated();
    gate.shut();
    const hanging = ["h1", "h2", "h3", "h4"];
    const { ended, fleet, state } = run([...hanging.map((name) => spec(name, kubeconfig)), spec("well")], {
      concurrency: 2,
    });
    const begin = performance.now();
    // They come first, and take both places until their requests run out of time.
    await until("the first pass of the one that is well", async () => state("well")?.lastEnd !== undefined, 70_000);
    const first = performance.now() - begin;
    // From now on they are suspects, who get half of the places.
    const before = state("well")?.passes.ok ?? 0;
    await sleep(20_000);
    const passes = (state("well")?.passes.ok ?? 0) - before;
    console.log(`first pass after ${(first / 1000).toFixed(1)} s, then ${passes} passes in 20 s at an interval of 1 s`);
    expect(passes).toBeGreaterThan(10);
    expect(hanging.map((name) => state(name)?.passes.ok)).toEqual([0, 0, 0, 0]);
    fleet.quit();
    await ended;
  }, 150_000);

  test("never more passes at once than allowed, and each cluster gets its turn", async () => {
    const names = Array.from({ length: 12 }, (_, index) => `c${index}`);
    let most = 0;
    const { ended, fleet } = run(
      names.map((name) => spec(name)),
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

  test("a pass that hangs is cut off after ten seconds, and a second signal waits for nothing", async () => {
    for (const second of [false, true]) {
      const { gate, kubeconfig } = await gated();
      const anp = startProcess(kubeconfig);
      await anp.said(/msg=reconciled .*result=ok/);
      gate.shut();
      await put(rig.guest, pool(`more-${second}`));
      await sleep(2500);
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
