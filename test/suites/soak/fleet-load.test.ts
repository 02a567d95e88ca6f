/** A fleet of fake guests behind a real management cluster, shared by three replicas: what ill guests cost the others, and what idle ones cost. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { auditedRequests } from "../../support/controlplane/audit.ts";
import { until } from "../../support/controlplane/objects.ts";
import { isShort } from "../../support/soak/size.ts";
import type { GuestFill } from "../../support/watch-fleet/farm-table.ts";
import { figuresOf, percentile } from "../../support/watch-fleet/process-figures.ts";
import { namespaceOf, replicaOf, type ServedFleet, startServedFleet } from "../../support/watch-fleet/served-fleet.ts";
import type { WatchProcess } from "../../support/watch-process/start-watch.ts";
import { textTable } from "../../support/watch-process/text-table.ts";

const SIZE = Number(process.env["ANP_FLEET"] ?? (isShort ? 20 : 500));
const REPLICAS = 3;
/** How long nothing happens while requests, CPU and memory are counted. */
const IDLE_SECONDS = Number(process.env["ANP_FLEET_IDLE"] ?? (isShort ? 5 : 660));
/** After a change there are events and verdicts to be told. */
const CALM_MS = isShort ? 1000 : 60_000;
/** All wrappers are changed once within this time. */
const CHANGES_MS = isShort ? 5000 : 60_000;

const NAMES = Array.from({ length: SIZE }, (_, index) => `c${String(index).padStart(3, "0")}`);
const WELL: GuestFill = { pools: 3, annotated: false, delayMs: 0 };
const HANGING: GuestFill = { ...WELL, delayMs: null };
/** Beside those that are well and those that hang. */
const ILL: Readonly<Record<string, GuestFill>> = {
  many: { ...WELL, pools: isShort ? 500 : 10_000 },
  large: { pools: isShort ? 40 : 600, annotated: true, delayMs: 0 },
  slow: { ...WELL, delayMs: isShort ? 2000 : 28_000 },
};

describe("a fleet", () => {
  let fleet: ServedFleet;
  const replicas: WatchProcess[] = [];
  const hanging = NAMES.filter((_, index) => index % 10 === 9);
  const well = NAMES.filter((name) => !hanging.includes(name));

  beforeAll(async () => {
    fleet = await startServedFleet({ replicas: REPLICAS, isGated: false });
  });

  afterAll(async () => {
    for (const replica of replicas) await replica.stop("SIGKILL");
    await fleet?.stop();
  });

  /** What comes after one that ended tells nothing. */
  let hasEnded = false;
  beforeEach(({ skip }) => skip(hasEnded, "a replica has ended"));
  afterEach(async () => {
    const ends = await Promise.all(replicas.map(({ ended }) => Promise.race([ended, Promise.resolve("runs")])));
    hasEnded = ends.some((end) => end !== "runs");
    expect(ends).toEqual(replicas.map(() => "runs"));
  });

  /** Every wrapper of these has a pool that says the same. */
  const settled = async (names: readonly string[]): Promise<boolean> => {
    const [unlike, counts] = await Promise.all([fleet.farm.unlike(), fleet.farm.counts()]);
    return names.every((name) => unlike[name] === undefined && counts[name] !== undefined);
  };
  const unsettled = async (names: readonly string[]) => {
    const unlike = await fleet.farm.unlike();
    return names.filter((name) => unlike[name] !== undefined);
  };
  const total = async () => {
    const counts = Object.entries(await fleet.farm.counts()).filter(([name]) => well.includes(name));
    const guests = counts.reduce((sum, [, { requests, watches }]) => sum + requests + watches, 0);
    const namespaces = new Set(well.map(namespaceOf));
    const ofAnp = auditedRequests(fleet.management.auditLog).filter(({ userAgent }) => userAgent === "anp");
    return { guests, management: ofAnp.filter(({ namespace }) => namespaces.has(namespace)).length, all: ofAnp.length };
  };

  test("becomes kept from the start, while a tenth of it hangs", async () => {
    await fleet.add(Object.fromEntries(well.map((name) => [name, WELL])));
    await fleet.add(Object.fromEntries(hanging.map((name) => [name, HANGING])));
    const began = performance.now();
    for (let replica = 1; replica <= REPLICAS; replica++) replicas.push(fleet.start(replica));
    await replicas[0]!.until("those that are well are kept", () => settled(well), 600_000);
    console.log(`${well.length} of ${SIZE} kept after ${((performance.now() - began) / 1000).toFixed(1)} s`);
    await until("each replica has its share", () => Promise.resolve(isShared()), 300_000);
    console.log(`shared out after ${((performance.now() - began) / 1000).toFixed(1)} s`);
    tellCosts("at the start");
  });

  test("follows each change, idle guests or not", async () => {
    await react("beside those that hang");
  });

  /** As many shards as any other replica, but for one. */
  function isShared(): boolean {
    const held = replicas.map((replica) => {
      const count = (msg: string) => replica.lines().filter((line) => line.msg === msg).length;
      return count("shard taken") - count("shard given back") - count("shard lost");
    });
    return Math.max(...held) - Math.min(...held) <= 1;
  }

  async function react(where: string): Promise<void> {
    await fleet.farm.change(well, CHANGES_MS);
    const done = async () => {
      const { missing } = await fleet.farm.reactions();
      return !missing.some((name) => well.includes(name));
    };
    await until("all follow", done, 300_000);
    const { milliseconds, lag } = await fleet.farm.reactions();
    expect(milliseconds.length).toBeGreaterThanOrEqual(well.length);
    const told = [0.5, 0.99, 1].map((share) => `${percentile(milliseconds, share)} ms`);
    console.log(
      `${where}: changes followed after ${told.join(", ")} (p50, p99, longest); the guests' own loop lags ${lag.p50}, ${lag.p99}, ${lag.max} ms`,
    );
  }

  function tellCosts(when: string): void {
    const rows = replicas.map(({ pid }, index) => {
      const { cpu, rss, most } = figuresOf(pid);
      return [`${index + 1}`, `${cpu.toFixed(1)} s`, `${rss} MiB`, `${most} MiB`];
    });
    const farm = figuresOf(fleet.farm.pid);
    rows.push(["guests", `${farm.cpu.toFixed(1)} s`, `${farm.rss} MiB`, `${farm.most} MiB`]);
    console.log(`${when}\n${textTable([["replica", "CPU so far", "memory", "at most"], ...rows])}`);
  }

  test("costs little while nothing happens", async () => {
    await sleep(CALM_MS);
    const before = { ...(await total()), at: performance.now(), cpu: replicas.map(({ pid }) => figuresOf(pid).cpu) };
    await sleep(IDLE_SECONDS * 1000);
    const seconds = (performance.now() - before.at) / 1000;
    const cpu = replicas.map(({ pid }, index) => (100 * (figuresOf(pid).cpu - before.cpu[index]!)) / seconds);
    const after = await total();
    const hour = (requests: number) => ((requests / well.length) * 3600) / seconds;
    console.log(
      [
        `idle for ${seconds.toFixed(0)} s: ${cpu.map((share) => `${share.toFixed(1)} %`).join(", ")} of a core`,
        `an idle cluster and hour: ${hour(after.guests - before.guests).toFixed(0)} requests to its guest, ${hour(after.management - before.management).toFixed(0)} about it to the management cluster`,
        `an hour: ${(((after.all - before.all) * 3600) / seconds).toFixed(0)} requests to the management cluster in all`,
      ].join("\n"),
    );
    tellCosts("idle");
  });

  test("has clusters that have far too much, and one that is slow: the others notice nothing", async () => {
    await fleet.add(ILL);
    await sleep(isShort ? 1000 : 30_000);
    await react("beside one with many wrappers, one with large ones and a slow one");
    await until("the ones with much are kept", () => settled(["many", "large"]), 1_200_000);
    await react("when those are kept");
    tellCosts("with all of them");
  });

  test("has clusters that come, go and rotate their credentials while it runs", async () => {
    const come = NAMES.slice(0, Math.ceil(SIZE / 20)).map((name) => `new-${name}`);
    const went = well.slice(0, come.length);
    const turned = well.slice(come.length, 2 * come.length);
    const before = await fleet.farm.counts();
    await Promise.all([
      fleet.add(Object.fromEntries(come.map((name) => [name, WELL]))),
      fleet.drop(went),
      fleet.rotate(turned, 2),
    ]);
    await until("those that came are kept", () => settled(come), 300_000);
    const gone = () => {
      const left = replicas.flatMap((replica) => replica.lines()).filter(({ msg }) => msg === "not watched any more");
      return Promise.resolve(went.every((name) => left.some(({ cluster }) => cluster === namespaceOf(name))));
    };
    await until("those that went are left alone", gone, 60_000);
    await fleet.farm.change(turned, 1000);
    await until("the new credentials are used", () => settled(turned), 120_000);
    const asked = await fleet.farm.counts();
    await fleet.farm.change(went, 0);
    await sleep(3000);
    const counts = await fleet.farm.counts();
    expect(went.map((name) => counts[name])).toEqual(went.map((name) => asked[name]));
    expect(await unsettled(went)).toEqual(went);
    expect(Object.keys(before).length).toBe(SIZE + 3);
  });

  test("was kept by one replica each, and nothing was pruned", async () => {
    const writes = await fleet.farm.writes();
    expect(writes.filter(({ what }) => what.startsWith("DELETE"))).toEqual([]);
    const keepers = Map.groupBy(writes, ({ guest }) => guest);
    const shared = Map.groupBy(keepers.values(), (some) => replicaOf(some.at(-1)!.token));
    console.log(
      `clusters of each replica: ${[...shared].map(([replica, { length }]) => `${replica}: ${length}`).join(", ")}`,
    );
    for (const replica of replicas.splice(0)) expect(await replica.stop()).toBe(0);
  });
});
