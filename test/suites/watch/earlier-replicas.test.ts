/** An upgrade: replicas with worker threads and without share one set of Leases, on a real kube-apiserver. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { shardOf } from "../../../src/cluster/shards/assign-shards.ts";
import { until } from "../../support/controlplane/objects.ts";
import { isIn, NAMESPACE, TYPE } from "../../support/watch/inputs.ts";
import { describeOnClusters } from "../../support/watch/on-clusters.ts";
import { ADMIN, OPERATOR } from "../../support/watch/rig.ts";
import {
  EARLIER,
  EARLIER_LABELS,
  type EarlierReplica,
  earlierReplica,
} from "../../support/watch-fleet/earlier-replica.ts";
import { type FoundFleet, foundFleet, namespaceOf } from "../../support/watch-fleet/found-fleet.ts";
import { POOLS } from "../../support/watch-fleet/guest-places.ts";
import { startWatch, type WatchProcess } from "../../support/watch-process/start-watch.ts";

const NAMES = ["a", "b", "c", "d", "e", "f"];
const SHARDS = 8;
const LEASES = `/apis/coordination.k8s.io/v1/namespaces/${NAMESPACE}/leases`;
const CRASHES = "anp.hypershift.openshift.io/crashes";
const PATIENCE_MS = 60_000;

interface Lease {
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: { readonly holderIdentity?: string };
}

describeOnClusters("a replica beside one with worker threads", (rig) => {
  let fleet: FoundFleet;
  let watch: WatchProcess | undefined;
  let earlier: EarlierReplica;

  beforeEach(async () => {
    fleet = foundFleet(rig);
    for (const name of NAMES) await fleet.add(name);
    earlier = earlierReplica(rig.management, NAMESPACE);
    await earlier.begin();
  });

  afterEach(async () => {
    earlier.crash();
    await watch?.stop("SIGKILL");
    await fleet.stop();
    await rig.management.request(OPERATOR, "DELETE", LEASES);
  });

  function start(): WatchProcess {
    const sharding = { shards: SHARDS, namespace: NAMESPACE };
    watch = startWatch(["--config", fleet.config({}, { sharding, workers: { count: 2, memory: "256Mi" } })]);
    return watch;
  }
  const leases = async (): Promise<readonly Lease[]> => {
    const { body } = await rig.management.request(ADMIN, "GET", LEASES);
    return (body.items ?? []) as unknown as Lease[];
  };
  const heldBy = async (isMeant: (holder: string) => boolean): Promise<readonly number[]> =>
    (await leases()).flatMap(({ metadata, spec }) => {
      const [, shard] = /\.shard\.(\d+)$/.exec(metadata.name) ?? [];
      return shard !== undefined && isMeant(spec.holderIdentity ?? "") ? [Number(shard)] : [];
    });
  const ours = () => heldBy((holder) => holder !== "" && holder !== EARLIER);
  const said = (msg: string) => watch!.lines().filter((line) => line.msg === msg);
  const applied = (name: string) => JSON.stringify(fleet.guest(name).get(POOLS, "web") ?? {}).includes("m7i.large");

  test("takes its share and no more, and all when that one is dead", { timeout: 180_000 }, async () => {
    for (const shard of [0, 1, 2, 3]) await earlier.take(shard);
    const replica = start();
    await replica.until("its share", async () => (await ours()).length === 4, PATIENCE_MS);
    expect((await ours()).toSorted((one, other) => one - other)).toEqual([4, 5, 6, 7]);
    expect(said("field without effect")).toMatchObject([{ level: "warn", field: "spec.workers" }]);
    // As the other one has them, so that it counts this one.
    const member = (await leases()).find(
      ({ metadata, spec }) => metadata.name.includes(".member.") && spec.holderIdentity !== EARLIER,
    );
    expect(member?.metadata.labels).toEqual(EARLIER_LABELS);
    const mine = NAMES.filter((name) => shardOf(namespaceOf(name), SHARDS) > 3);
    await replica.until("its clusters are kept", () =>
      Promise.resolve(mine.every((name) => replica.passes(namespaceOf(name)).length > 0)),
    );
    expect(
      said("watching")
        .map(({ cluster }) => String(cluster))
        .toSorted(),
    ).toEqual(mine.map(namespaceOf));

    earlier.crash();
    for (const name of NAMES) await fleet.setPolicy(name, [isIn(TYPE, "m7i.large")]);
    await replica.until("all follow", () => Promise.resolve(NAMES.every(applied)), PATIENCE_MS);
    expect(said("in a pass at a crash")).toEqual([]);
    expect(said("note on a Lease not read")).toEqual([]);
  });

  test("finds the crashes that were noted before that one had the shard", { timeout: 180_000 }, async () => {
    const shard = shardOf(namespaceOf("a"), SHARDS);
    await earlier.take(shard);
    const text = JSON.stringify([{ cluster: namespaceOf("a"), count: 2, last: new Date().toISOString() }]);
    const note = { metadata: { annotations: { [CRASHES]: text } } };
    await rig.management.request(ADMIN, "PATCH", `${LEASES}/anp-watch.shard.${shard}`, note, {
      "content-type": "application/merge-patch+json",
    });
    await earlier.take(shard);
    await earlier.giveBack(shard);
    earlier.crash();
    const replica = start();
    await replica.until("it is known", () => Promise.resolve(said("in a pass at a crash").length > 0), PATIENCE_MS);
    expect(said("in a pass at a crash")[0]).toMatchObject({ cluster: namespaceOf("a"), crashes: 2 });
    await until("it is kept", () => Promise.resolve(replica.passes(namespaceOf("a")).length > 0), PATIENCE_MS);
    expect(said("passes alone")).toMatchObject([{ cluster: namespaceOf("a"), crashes: 2 }]);
  });
});
