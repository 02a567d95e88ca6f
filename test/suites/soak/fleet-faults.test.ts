/** Each of three replicas killed, stopped, cut off and with a clock that jumps, while every cluster changes: one writer each, never none for long. */
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { shardOf } from "../../../src/cluster/shards/assign-shards.ts";
import { auditedRequests } from "../../support/controlplane/audit.ts";
import { until } from "../../support/controlplane/objects.ts";
import { isShort } from "../../support/soak/size.ts";
import { POOLS } from "../../support/watch-fleet/guest-places.ts";
import {
  LEASES_IN,
  namespaceOf,
  REPLICA_USERS,
  replicaOf,
  type ServedFleet,
  SHARDS,
  startServedFleet,
} from "../../support/watch-fleet/served-fleet.ts";
import { longestPause, outOfTurn, type Write } from "../../support/watch-fleet/writers.ts";
import { ADMIN } from "../../support/watch/rig.ts";
import type { WatchProcess } from "../../support/watch-process/start-watch.ts";
import { textTable } from "../../support/watch-process/text-table.ts";

const REPLICAS = isShort ? [1] : [1, 2, 3];
const NAMES = Array.from({ length: isShort ? 6 : 24 }, (_, index) => `c${String(index).padStart(2, "0")}`);
/** So often a user changes a pool of each cluster. */
const BEAT_MS = 4000;
/** No cluster may be without a replica for longer, beyond the usual time for a change on this machine. */
const WITHOUT_MS = 25_000;
const STOPPED_MS = 60_000;
const CLOCK = fileURLToPath(new URL("../../support/watch-faults/jumping-clock.ts", import.meta.url));
const ENDING = fileURLToPath(new URL("../../support/watch-faults/ending-guest.ts", import.meta.url));
const DAY_MS = 86_400_000;

describe("of three replicas one", () => {
  let fleet: ServedFleet;
  const replicas = new Map<number, WatchProcess>();
  const table: string[][] = [["fault", "replica", "shards it had", "how it ended", "longest without a write"]];
  /** The longest pause while nothing was wrong. */
  let usual = 0;

  beforeAll(async () => {
    fleet = await startServedFleet({ replicas: 3, isGated: true });
    await fleet.add(Object.fromEntries(NAMES.map((name) => [name, { pools: 2, annotated: false, delayMs: 0 }])));
    for (const replica of [1, 2, 3]) start(replica);
    await untilShared(3);
    await fleet.farm.beat(NAMES, BEAT_MS);
    const begun = Date.now();
    const since = async () => (await poolWrites()).filter(({ time }) => time > begun);
    const followsAgain = async (): Promise<boolean> => {
      const byCluster = Map.groupBy(await since(), ({ of }) => of);
      return NAMES.every((name) => (byCluster.get(name)?.length ?? 0) >= 3);
    };
    await until("each follows again and again", followsAgain, 180_000);
    usual = longestPause(await since(), begun, Date.now())!.ms;
    table.push(["none", "", "", "", seconds(usual)]);
  });

  afterAll(async () => {
    for (const replica of replicas.values()) await replica.stop("SIGKILL");
    await fleet?.stop();
  });

  function start(replica: number): void {
    const env = { CLOCK_JUMPS: `${DAY_MS},${-2 * DAY_MS}` };
    replicas.set(replica, fleet.start(replica, { preload: [CLOCK, ENDING], env }));
  }

  const guestWrites = async (): Promise<Write[]> => {
    const writes = await fleet.farm.writes();
    return writes.map(({ guest, what, time, token }) => ({ of: guest, by: replicaOf(token), time, what }));
  };
  const poolWrites = async (): Promise<Write[]> =>
    (await guestWrites()).filter(({ what }) => what === `PATCH ${POOLS}/web`);
  /** What replicas wrote in the management cluster, by what it is about. */
  const managementWrites = () => {
    const done = auditedRequests(fleet.management.auditLog).filter(
      ({ userAgent, verb, status }) =>
        userAgent === "anp" && /^(create|update|patch|delete)$/.test(verb) && status < 300,
    );
    const of = (about: string, { user, received, verb, resource, name }: (typeof done)[number]): Write => ({
      of: about,
      by: REPLICA_USERS.findIndex((one) => one === user) + 1,
      time: received,
      what: `${verb} ${resource} ${name}`,
    });
    const leases = done.flatMap((request) => {
      const [, shard] = /^anp-watch\.shard\.(\d+)$/.exec(request.name) ?? [];
      return request.resource === "leases" && shard !== undefined ? [of(shard, request)] : [];
    });
    const ofClusters = NAMES.flatMap((name) =>
      done.filter(({ namespace }) => namespace === namespaceOf(name)).map((request) => of(name, request)),
    );
    return { leases, ofClusters };
  };

  interface Lease {
    readonly metadata: { readonly name: string };
    readonly spec: { readonly holderIdentity?: string };
  }

  /** How many shards each replica holds. */
  async function shares(): Promise<readonly number[]> {
    const path = `/apis/coordination.k8s.io/v1/namespaces/${LEASES_IN}/leases`;
    const { body } = await fleet.management.request(ADMIN, "GET", path);
    const shards = ((body.items ?? []) as unknown as Lease[]).filter(({ metadata }) =>
      metadata.name.includes(".shard."),
    );
    const held = shards.flatMap(({ spec }) => spec.holderIdentity || []);
    return [...Map.groupBy(held, (holder) => holder).values()].map(({ length }) => length);
  }
  const untilShared = (among: number): Promise<void> =>
    until(
      `${among} share all`,
      async () => {
        const held = await shares();
        const all = held.reduce((sum, one) => sum + one, 0);
        return all === SHARDS && held.length === among && Math.max(...held) - Math.min(...held) <= 1;
      },
      180_000,
    );
  const heldBy = (replica: WatchProcess): number => {
    const count = (msg: string) => replica.lines().filter((line) => line.msg === msg).length;
    return count("shard taken") - count("shard given back") - count("shard lost");
  };

  /** Until the others have its shares, and it has its own again. */
  async function through(fault: string, replica: number, act: (watch: WatchProcess) => Promise<string>): Promise<void> {
    const watch = replicas.get(replica)!;
    const [from, had] = [Date.now(), heldBy(watch)];
    const end = await act(watch);
    if (end !== "runs") {
      start(replica);
      await untilShared(3);
    }
    await sleep(2 * BEAT_MS);
    const pause = longestPause(await poolWrites(), from, Date.now())!;
    table.push([fault, String(replica), String(had), end, seconds(pause.ms)]);
    expect(pause.ms - usual - BEAT_MS).toBeLessThan(WITHOUT_MS);
  }

  test.each(REPLICAS)("is killed: %i", async (replica) => {
    await through("SIGKILL", replica, async (watch) => {
      const end = await watch.stop("SIGKILL");
      await untilShared(2);
      return String(end);
    });
  });

  test.runIf(!isShort).each(REPLICAS)("stands still for a minute: %i", async (replica) => {
    await through("SIGSTOP", replica, async (watch) => {
      watch.send("SIGSTOP");
      await sleep(STOPPED_MS);
      watch.send("SIGCONT");
      const end = await watch.ended;
      expect(end).toBe(4);
      return String(end);
    });
  });

  test.runIf(!isShort).each(REPLICAS)("is cut off from all API servers: %i", async (replica) => {
    await through("cut off", replica, async (watch) => {
      for (const gate of fleet.gates(replica)) gate.shut();
      const end = await watch.ended;
      expect(end).toBe(4);
      await untilShared(2);
      for (const gate of fleet.gates(replica)) gate.open();
      return String(end);
    });
  });

  test.each(REPLICAS)("has a clock that jumps a day forward, then two back: %i", async (replica) => {
    await through("clock jumps", replica, async (watch) => {
      const had = heldBy(watch);
      for (let jump = 0; jump < 2; jump++) {
        watch.send("SIGUSR2");
        await sleep(2 * BEAT_MS);
      }
      expect(heldBy(watch)).toBe(had);
      return "runs";
    });
  });

  test("works on a guest that ends its process: the others wait once, and then never again", async () => {
    const culprit = NAMES[0]!;
    const writesOfOthers = async () => (await poolWrites()).filter(({ of }) => of !== culprit);
    const said = (msg: string) =>
      [...replicas.values()].flatMap((replica) => replica.lines().filter((line) => line.msg === msg));
    const crashedAlone = said("pass crashed").length;
    const by = (await poolWrites()).findLast(({ of }) => of === culprit)!.by;
    const watch = replicas.get(by)!;
    const [from, had] = [Date.now(), heldBy(watch)];
    await fleet.farm.setEnds(culprit, "passes");
    expect(await watch.ended).toBe("SIGKILL");
    // As the kubelet does.
    start(by);
    await until("it crashes alone", () => Promise.resolve(said("pass crashed").length > crashedAlone), 120_000);
    await untilShared(3);
    await sleep(2 * BEAT_MS);
    const once = longestPause(await writesOfOthers(), from, Date.now())!;
    table.push(["a guest ends its process", String(by), String(had), "SIGKILL", seconds(once.ms)]);
    expect(once.ms - usual - BEAT_MS).toBeLessThan(WITHOUT_MS);

    // From now on only itself: it is tried again after 30 seconds and after a minute.
    const then = Date.now();
    await until("it crashes again", () => Promise.resolve(said("pass crashed").length >= crashedAlone + 3), 240_000);
    await sleep(2 * BEAT_MS);
    const later = longestPause(await writesOfOthers(), then, Date.now())!;
    table.push(["it is tried again, alone", "", "", "all run", seconds(later.ms)]);
    expect(later.ms - usual - BEAT_MS).toBeLessThan(WITHOUT_MS / 5);
    const ended = await Promise.race([...[...replicas.values()].map((replica) => replica.ended), sleep(0)]);
    expect(ended).toBeUndefined();
    await fleet.farm.setEnds(culprit, null);
    const named = said("in a pass at a crash").filter(({ cluster }) => cluster === namespaceOf(culprit));
    expect(Math.max(...named.map(({ crashes }) => Number(crashes)))).toBe(4);
  });

  test("and no replica wrote for a cluster whose shard another one had taken, nothing was lost or pruned", async () => {
    await fleet.farm.beat([], 0);
    await until("all is as the wrappers say", async () => Object.keys(await fleet.farm.unlike()).length === 0, 300_000);
    for (const replica of replicas.values()) expect(await replica.stop()).toBe(0);
    const { leases, ofClusters } = managementWrites();
    const ofGuests = await guestWrites();
    const writes = [...ofGuests, ...ofClusters];
    const strangersOf = (some: readonly Write[]) =>
      outOfTurn(leases, some, (name) => String(shardOf(namespaceOf(name), SHARDS)));
    console.log(
      `${textTable(table)}${ofGuests.length} writes to guests and ${ofClusters.length} about them to the management cluster, ${leases.length} to Leases of shards`,
    );
    expect(strangersOf(writes)).toEqual([]);
    // It would be seen: of each shard another replica was not the last to write the Lease.
    const ofOthers = writes.map((write) => ({ ...write, by: (write.by % 3) + 1 }));
    expect(strangersOf(ofOthers)).toHaveLength(writes.length);
    expect(ofGuests.filter(({ what }) => what.startsWith("DELETE"))).toEqual([]);
    // Several worked, so that there was something to see: of six clusters one replica may have had none.
    expect(new Set(ofGuests.map(({ by }) => by)).size).toBeGreaterThanOrEqual(isShort ? 2 : 3);
  });
});

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
