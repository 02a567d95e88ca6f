/** Discovered hosted clusters are added, deleted, paused and configured without a pass of others. Runs on a real API server. */
import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { until } from "../../support/controlplane/objects.ts";
import { run } from "../../support/golden/case.ts";
import { CONTROL_PLANE, isIn, TYPE } from "../../support/watch/inputs.ts";
import { describeOnClusters } from "../../support/watch/on-clusters.ts";
import { put } from "../../support/watch/rig.ts";
import { startWatch, type WatchProcess } from "../../support/watch-process/start-watch.ts";
import { type FoundFleet, foundFleet, namespaceOf } from "../../support/watch-fleet/found-fleet.ts";
import { POOLS } from "../../support/watch-fleet/guest-places.ts";

describeOnClusters("a watch that discovers its clusters", (rig) => {
  let fleet: FoundFleet;
  let watch: WatchProcess | undefined;

  beforeEach(() => {
    fleet = foundFleet(rig);
  });

  afterEach(async () => {
    await watch?.stop("SIGKILL");
    watch = undefined;
    await fleet.stop();
  });

  function start(discover: object = {}, spec: object = {}, ...more: string[]): WatchProcess {
    watch = startWatch(["--config", fleet.config(discover, spec), ...more]);
    return watch;
  }
  const passes = (name: string) => watch!.passes(namespaceOf(name)).length;
  const appliedAll = (name: string) => () =>
    Promise.resolve(watch!.passes(namespaceOf(name)).some((line) => line["result"] !== "failed"));
  const said = (msg: string, name: string) =>
    watch!.lines().filter((line) => line.msg === msg && line["cluster"] === namespaceOf(name));
  const wasSaid = (msg: string, name: string) => () => Promise.resolve(said(msg, name).length > 0);
  const typesOf = (name: string) => JSON.stringify(fleet.guest(name).get(POOLS, "web")?.["spec"]).includes("m7i.large");

  test("a cluster is added, changed, paused and deleted, and no other one has a pass because of it", async () => {
    await fleet.add("a");
    await fleet.add("b", "no");
    const running = start();
    await running.until("the first is kept", appliedAll("a"));
    expect(fleet.guest("a").get(POOLS, "web")).toBeDefined();
    let before = -1;
    // Events of its own writes trigger one more pass.
    await running.until("nothing changes in it any more", async () => {
      before = passes("a");
      await sleep(1500);
      return passes("a") === before;
    });

    await fleet.add("c");
    await running.until("another one is kept", appliedAll("c"));
    await fleet.setPolicy("c", [isIn(TYPE, "m7i.large")]);
    await running.until("its policy is followed", () => Promise.resolve(typesOf("c")));
    const plane = { ...CONTROL_PLANE, metadata: { name: "c", namespace: namespaceOf("c"), labels: { found: "yes" } } };
    await put(rig.management, { ...plane, spec: { ...plane.spec, pausedUntil: "true" } });
    await running.until("it pauses", () =>
      Promise.resolve(running.passes(namespaceOf("c")).some((line) => line["policy"] === "Hold")),
    );
    await fleet.drop("c");
    await running.until("it is left alone", wasSaid("not watched any more", "c"));
    const asked = fleet.guest("c").requests();
    await sleep(1500);
    expect(fleet.guest("c").requests()).toBe(asked);
    expect(fleet.guest("c").get(POOLS, "web")).toBeDefined();
    expect([passes("a"), typesOf("a")]).toEqual([before, false]);
    // It never had the label.
    expect([said("watching", "b"), fleet.guest("b").requests()]).toEqual([[], 0]);
    expect(await running.stop()).toBe(0);
  });

  test("new credentials are used at once, by that cluster alone", async () => {
    await fleet.add("a");
    await fleet.add("b");
    const running = start({}, { interval: "1s" });
    await running.until("both are kept", async () => (await appliedAll("a")()) && appliedAll("b")());
    await fleet.rotate("a", "second");
    await running.until("the new token is used", () => {
      fleet.guest("a").put(POOLS, { ...fleet.guest("a").get(POOLS, "web")!, spec: { template: {} } });
      return Promise.resolve(fleet.guest("a").writes.some(({ token }) => token === "second"));
    });
    expect(fleet.guest("b").writes.every(({ token }) => token === "first")).toBe(true);
    expect(running.passes(namespaceOf("b")).every((line) => line["result"] !== "failed")).toBe(true);
  });

  test("a kubeconfig with more than credentials is not used, and the reason is logged", async () => {
    await fleet.add("a");
    const text = fleet.kubeconfig("a", "first").replace("token: first", "exec: {command: touch}");
    await fleet.setKubeconfig("a", text);
    const running = start();
    await running.until("it is refused", () =>
      Promise.resolve(running.lines().some((line) => JSON.stringify(line).includes("`exec` runs a program"))),
    );
    expect(fleet.guest("a").requests()).toBe(0);
    // A new kubeconfig is used at once.
    await fleet.setKubeconfig("a", fleet.kubeconfig("a", "first"));
    await running.until("it is kept", appliedAll("a"), 8000);
  });

  test("a cluster found while the kubeconfig of the management cluster is being written is kept once it can be read", async () => {
    await fleet.add("a");
    const running = start({}, { interval: "1s" });
    await running.until("the first is kept", appliedAll("a"));
    writeFileSync(rig.kubeconfig("management", "guest-admin"), "");
    await fleet.add("b");
    await running.until("its passes fail", () =>
      Promise.resolve(running.passes(namespaceOf("b")).some((line) => line["result"] === "failed")),
    );
    expect(said("not watched", "b")).toEqual([]);
    // Written anew.
    rig.kubeconfig("management", "guest-admin");
    await running.until("it is kept", appliedAll("b"));
  });

  test("settings apply to one cluster: a dry run, another RenderConfig; invalid settings change nothing", async () => {
    await fleet.add("a");
    await fleet.add("b");
    await fleet.set("b", "dryRun: true\n");
    const running = start({}, { interval: "1s" });
    await running.until("both had a pass", () =>
      Promise.resolve(
        passes("a") > 0 &&
          running.lines().some(({ msg, cluster }) => msg === "dry run" && cluster === namespaceOf("b")),
      ),
    );
    expect([fleet.guest("a").get(POOLS, "web") === undefined, fleet.guest("b").writes]).toEqual([
      false,
      expect.not.arrayContaining([expect.objectContaining({ what: expect.stringContaining("status") as string })]),
    ]);
    expect(fleet.guest("b").get(POOLS, "web")).toBeUndefined();
    await fleet.set("b", "renderConfig: {nodeLabels: {canary: 'yes'}}\n");
    await running.until("it is written otherwise", () =>
      Promise.resolve(JSON.stringify(fleet.guest("b").get(POOLS, "web") ?? {}).includes('"canary":"yes"')),
    );
    await fleet.set("b", "dryrun: true\n");
    await running.until("the problem is logged", wasSaid("not watched", "b"));
    expect(said("not watched", "b").at(-1)).toMatchObject({
      reason: expect.stringMatching(
        /clusters-b\/anp-watch-settings is not used: `dryrun` .*did you mean dryRun/,
      ) as string,
    });
    const written = fleet.guest("b").requests();
    await sleep(1500);
    expect(fleet.guest("b").requests()).toBe(written);
    await fleet.set("b", undefined);
    await running.until("it is kept again", () => Promise.resolve(fleet.guest("b").requests() > written));
  });

  test("--once has a pass for each cluster, and its dry run writes nothing", async () => {
    await fleet.add("a");
    await fleet.add("b");
    const running = start({}, {}, "--once", "--dry-run");
    await until("both", async () => running.lines().filter(({ msg }) => msg === "dry run").length === 2);
    expect([fleet.guest("a").get(POOLS, "web"), fleet.guest("b").get(POOLS, "web")]).toEqual([undefined, undefined]);
    expect(await start({}, {}, "--once", "--cluster", namespaceOf("b"), "--max-prune", "9").ended).not.toBe(4);
    expect([fleet.guest("a").writes, fleet.guest("b").get(POOLS, "web") === undefined]).toEqual([[], false]);
    const once = (...more: string[]) => run(rig.folder, ["watch", "--config", fleet.config(), "--once", ...more]);
    expect((await once("--cluster", "clusters-x")).stderr).toBe("anp: no hosted cluster clusters-x was found\n");
    expect((await once("--max-prune", "9")).stderr).toContain("relaxes a guard for all discovered clusters");
  });
});
