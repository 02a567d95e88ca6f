/** A guest that ends the process that works on it: the built program, real processes and a real kube-apiserver with the Leases. */
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { until } from "../../support/controlplane/objects.ts";
import { buildOnce } from "../../support/process/built.ts";
import { isIn, NAMESPACE, TYPE } from "../../support/watch/inputs.ts";
import { describeOnClusters } from "../../support/watch/on-clusters.ts";
import { ADMIN, OPERATOR } from "../../support/watch/rig.ts";
import { startWatch, type WatchProcess } from "../../support/watch-process/start-watch.ts";
import { type FoundFleet, foundFleet, namespaceOf } from "../../support/watch-fleet/found-fleet.ts";
import { POOLS } from "../../support/watch-fleet/guest-places.ts";

const PRELOAD = fileURLToPath(new URL("../../support/watch-faults/ending-guest.ts", import.meta.url));
const PASSES = "anp.hypershift.openshift.io/clusters-in-a-pass";
const CRASHES = "anp.hypershift.openshift.io/crashes";
const LEASES = `/apis/coordination.k8s.io/v1/namespaces/${NAMESPACE}/leases`;
const OTHERS = ["a", "b"];
const PATIENCE_MS = 120_000;
const QUIET_MS = 3000;

interface Lease {
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
}

interface Condition {
  readonly type: string;
  readonly reason: string;
}

describeOnClusters("a guest that ends its process", (rig) => {
  let fleet: FoundFleet;
  const replicas: WatchProcess[] = [];

  beforeEach(async () => {
    await buildOnce();
    fleet = foundFleet(rig);
    for (const name of [...OTHERS, "bad"]) await fleet.add(name);
  });

  afterEach(async () => {
    for (const replica of replicas.splice(0)) await replica.stop("SIGKILL");
    await fleet.stop();
    await rig.management.request(OPERATOR, "DELETE", LEASES);
  });

  function start(spec: object): WatchProcess {
    const args = ["--config", fleet.config({}, { listen: "127.0.0.1:0", ...spec })];
    const replica = startWatch(args, { program: "built", preload: PRELOAD });
    replicas.push(replica);
    return replica;
  }
  const annotations = async (): Promise<Readonly<Record<string, string>>> => {
    const { body } = await rig.management.request(ADMIN, "GET", LEASES);
    return Object.assign({}, ...((body.items ?? []) as unknown as Lease[]).map(({ metadata }) => metadata.annotations));
  };
  const crashesOf = async (): Promise<readonly { cluster: string; count: number }[]> =>
    JSON.parse((await annotations())[CRASHES] ?? "[]") as { cluster: string; count: number }[];
  const applied = (name: string) => JSON.stringify(fleet.guest(name).get(POOLS, "web") ?? {}).includes("m7i.large");
  const said = (replica: WatchProcess, msg: string) => replica.lines().filter((line) => line.msg === msg);
  /** Until no cluster is in a pass any more. */
  const allKept = async (replica: WatchProcess): Promise<void> => {
    const all = [...OTHERS, "bad"].map(namespaceOf);
    await replica.until(
      "all are kept",
      () => Promise.resolve(all.every((name) => replica.passes(name).length > 0)),
      PATIENCE_MS,
    );
    // Its own writes bring further passes.
    const settled = async (): Promise<boolean> => {
      const before = replica.passes().length;
      await sleep(QUIET_MS);
      return replica.passes().length === before && (await annotations())[PASSES] === undefined;
    };
    await replica.until("none is in a pass", settled);
  };
  const readyOf = async (name: string): Promise<string | undefined> => {
    const path = `/apis/karpenter.hypershift.openshift.io/v1beta1/namespaces/${namespaceOf(name)}/autonodepolicies/default`;
    const { body } = await rig.management.request(ADMIN, "GET", path);
    const { status } = body as unknown as { readonly status?: { readonly conditions: readonly Condition[] } };
    return status?.conditions.find(({ type }) => type === "Ready")?.reason;
  };
  /** A change in the management cluster brings a pass. */
  const follow = (name: string): Promise<void> => fleet.setPolicy(name, [isIn(TYPE, "m7i.large")]);
  const crash = async (replica: WatchProcess): Promise<void> => {
    await allKept(replica);
    fleet.guest("bad").setEnds("passes");
    await follow("bad");
    expect(await replica.ended).toBe("SIGKILL");
    expect(JSON.parse((await annotations())[PASSES] ?? "")).toEqual([namespaceOf("bad")]);
  };
  const probe = async (replica: WatchProcess, path: string): Promise<string> => {
    const { address } = said(replica, "listening")[0]!;
    return (await fetch(`http://${String(address)}${path}`)).text();
  };

  test.each([
    ["of a shard", { sharding: { shards: 1, namespace: NAMESPACE } }],
    ["of a leader", { leaderElection: { namespace: NAMESPACE } }],
  ])("%s: the others are kept again by the next one, which lives on", async (_whose, spec) => {
    const first = start(spec);
    await crash(first);
    const crashed = performance.now();
    // As the kubelet does.
    const second = start(spec);
    for (const name of OTHERS) await follow(name);
    await second.until("the others follow", () => Promise.resolve(OTHERS.every(applied)), PATIENCE_MS);
    const seconds = (performance.now() - crashed) / 1000;
    console.log(`without a keeper for ${seconds.toFixed(1)} s`);

    await second.until("its pass crashes", () => Promise.resolve(said(second, "pass crashed").length > 0), PATIENCE_MS);
    expect(said(second, "pass crashed")[0]).toMatchObject({
      cluster: namespaceOf("bad"),
      reason: "it was ended by SIGKILL",
    });
    await until("it is noted", async () => (await crashesOf()).some(({ count }) => count === 2));
    expect(await crashesOf()).toMatchObject([{ cluster: namespaceOf("bad"), count: 2 }]);
    const words = /clusters-bad: a process of this watch crashed 2 times while a pass of this cluster was running/;
    expect(await probe(second, "/readyz")).toMatch(words);
    expect(await probe(second, "/healthz")).toMatch(words);
    const last = said(second, "in a pass at a crash").at(-1)!;
    expect(last).toMatchObject({
      cluster: namespaceOf("bad"),
      crashes: 2,
      reason: expect.stringContaining("in 30 s") as string,
    });

    await until("its policy says so", async () => (await readyOf("bad")) === "PassCrashed");

    // It is ended once more, and nothing else is.
    await second.until(
      "it is tried again",
      () => Promise.resolve(said(second, "pass crashed").length > 1),
      PATIENCE_MS,
    );
    fleet.guest("a").drop(POOLS, "web");
    await second.until("what changes is set right", () => Promise.resolve(applied("a")));
    fleet.guest("bad").setEnds(undefined);
    expect(await second.stop()).toBe(0);
    // A Lease that no replica takes keeps its note until it is deleted: that of the first replica.
    const isGone = (await annotations())[PASSES] === undefined;
    expect(isGone).toBe("leaderElection" in spec);

    // The count is on the Lease, for the next holder.
    expect(await crashesOf()).toMatchObject([{ cluster: namespaceOf("bad"), count: 3 }]);
    const third = start(spec);
    await third.until(
      "it is known",
      () => Promise.resolve(said(third, "in a pass at a crash").length > 0),
      PATIENCE_MS,
    );
    expect(said(third, "in a pass at a crash")[0]).toMatchObject({ cluster: namespaceOf("bad"), crashes: 3 });
  });

  test("once, by chance: it has one pass alone, and is worked on as before", { timeout: 600_000 }, async () => {
    const spec = { sharding: { shards: 1, namespace: NAMESPACE } };
    const first = start(spec);
    await crash(first);
    fleet.guest("bad").setEnds(undefined);
    const second = start(spec);
    await second.until("it follows", () => Promise.resolve(applied("bad")), PATIENCE_MS);
    await second.until("it is worked on as before", async () => (await probe(second, "/readyz")) === "ok\n");
    expect(said(second, "passes alone")).toMatchObject([{ cluster: namespaceOf("bad"), crashes: 1 }]);
    expect(said(second, "pass crashed")).toEqual([]);
    fleet.guest("bad").drop(POOLS, "web");
    await second.until("what changes is set right", () => Promise.resolve(applied("bad")));
    expect(await readyOf("bad")).not.toBe("PassCrashed");
    expect(await second.stop()).toBe(0);
  });

  test("by what a watch tells at its begin: that is with the first pass", { timeout: 600_000 }, async () => {
    const spec = { sharding: { shards: 1, namespace: NAMESPACE } };
    fleet.guest("bad").setEnds("watches");
    const first = start(spec);
    expect(await first.ended).toBe("SIGKILL");
    expect(JSON.parse((await annotations())[PASSES] ?? "[]")).toContain(namespaceOf("bad"));
    // A pass alone has no watches, and the next process of the watch ends as well: the last time.
    const second = start(spec);
    expect(await second.ended).toBe("SIGKILL");
    const third = start(spec);
    await third.until(
      "all are kept",
      () => Promise.resolve([...OTHERS, "bad"].every((name) => third.passes(namespaceOf(name)).length > 0)),
      4 * PATIENCE_MS,
    );
    expect(said(third, "passes alone")).toContainEqual(
      expect.objectContaining({ cluster: namespaceOf("bad"), crashes: 2 }),
    );
    expect(await third.stop()).toBe(0);
  });

  test("forged notes neither stop a watch nor keep a cluster from it", { timeout: 600_000 }, async () => {
    const spec = { sharding: { shards: 1, namespace: NAMESPACE } };
    const first = start(spec);
    await allKept(first);
    expect(await first.stop()).toBe(0);
    const forge = (text: string) =>
      rig.management.request(
        ADMIN,
        "PATCH",
        `${LEASES}/anp-watch.shard.0`,
        { metadata: { annotations: { [CRASHES]: text } } },
        { "content-type": "application/merge-patch+json" },
      );
    await forge("[".repeat(200_000));
    const second = start(spec);
    await allKept(second);
    expect(said(second, "note on a Lease not read")).not.toEqual([]);
    expect(said(second, "passes alone")).toEqual([]);
    expect(await second.stop()).toBe(0);
    const forged = { cluster: namespaceOf("a"), count: 1, last: "2999-01-01T00:00:00.000Z" };
    await forge(JSON.stringify([forged, { ...forged, cluster: "no-cluster" }]));
    const third = start(spec);
    await allKept(third);
    expect(said(third, "pass crashed")).toEqual([]);
    await third.until("it is worked on as before", async () => (await probe(third, "/readyz")) === "ok\n");
  });
});
