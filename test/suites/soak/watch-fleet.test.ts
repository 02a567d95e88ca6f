/** Three hosted clusters in one `anp watch`, of which one cannot be reached: the others must not notice, and it has to catch up by itself. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { valueAt } from "../../../src/krm/places/field-path.ts";
import { ARCH, type Entry, isIn, pool } from "../../support/watch/inputs.ts";
import { live, nodePool, put } from "../../support/watch/rig.ts";
import { type Fleet, startFleet } from "../../support/watch-faults/fleet.ts";
import { listOf } from "../../support/watch-faults/state.ts";
import { startWatch, type WatchProcess } from "../../support/watch-process/start-watch.ts";
import { textTable } from "../../support/watch-process/text-table.ts";

const NAMES = ["c1", "c2", "c3"];
/** For so long the others are looked at. */
const UNMOVED_MS = 5000;

const ARM = [isIn(ARCH, "arm64")];
const AMD = [isIn(ARCH, "amd64")];

describe("of three clusters one", () => {
  let fleet: Fleet;
  let watch: WatchProcess;
  const outcomes: string[][] = [["fault", "what was done", "outcome"]];

  beforeAll(async () => {
    fleet = await startFleet(NAMES);
    watch = startWatch(["--config", fleet.config]);
    for (const name of NAMES) await untilPolicy(name, []);
  });

  afterAll(async () => {
    await watch?.stop("SIGKILL");
    await fleet?.stop();
  });

  const requirements = async (name: string) =>
    valueAt(await live(fleet.guest(name), nodePool("web")), ["spec", "template", "spec", "requirements"]);

  async function untilPolicy(name: string, entries: readonly Entry[], withinMs = 60_000): Promise<number> {
    const began = Date.now();
    const isThere = async () => JSON.stringify(await requirements(name).catch(() => "")) === JSON.stringify(entries);
    await watch.until(`the policy of ${name}`, isThere, withinMs);
    return Date.now() - began;
  }

  /** All get another policy. The others have it soon, and the longest pause between two of their passes is told. */
  async function expectUnmoved(others: readonly string[], entries: readonly Entry[]): Promise<number> {
    const passes = Object.fromEntries(others.map((name) => [name, watch.passes(name).length]));
    for (const name of NAMES) await fleet.setPolicy(name, entries);
    for (const name of others) await untilPolicy(name, entries, 5000);
    await sleep(UNMOVED_MS);
    const pauses = others.flatMap((name) => {
      const times = watch
        .passes(name)
        .slice(passes[name])
        .map(({ time }) => Date.parse(time));
      expect(
        watch
          .passes(name)
          .slice(passes[name])
          .filter(({ result }) => result !== "ok"),
      ).toEqual([]);
      return times.slice(1).map((time, index) => time - times[index]!);
    });
    expect(pauses.length).toBeGreaterThan(others.length);
    const longest = Math.max(...pauses);
    expect(longest).toBeLessThan(3000);
    return longest;
  }

  let cutAt = 0;

  test("whose connections are cut without a word", async () => {
    fleet.gate("c3").cut();
    cutAt = Date.now();
    await put(fleet.guest("c3"), pool("new"));
    const longest = await expectUnmoved(["c1", "c2"], ARM);
    console.log(`cut: the others passed at least each ${longest} ms`);
  });

  // The cut one still waits for answers that never come.
  test("whose API server was killed", async () => {
    const { uid } = (await live(fleet.guest("c2"), nodePool("web"))).metadata!;
    await fleet.guest("c2").killApiServer();
    const longest = await expectUnmoved(["c1"], AMD);
    await fleet.guest("c2").startApiServer();
    const caughtUp = await untilPolicy("c2", AMD);
    expect((await live(fleet.guest("c2"), nodePool("web"))).metadata?.uid).toBe(uid);
    console.log(`killed: c1 passed at least each ${longest} ms; c2 caught up ${caughtUp} ms after it was ready`);
    outcomes.push(["guest unreachable", "API server of one of three guests killed, then started", TOLD]);
  });

  test("whose API server hangs", async () => {
    const { apiServer } = fleet.guest("c2").pids;
    process.kill(apiServer, "SIGSTOP");
    const longest = await expectUnmoved(["c1"], ARM).finally(() => process.kill(apiServer, "SIGCONT"));
    const caughtUp = await untilPolicy("c2", ARM);
    console.log(`hanging: c1 passed at least each ${longest} ms; c2 caught up ${caughtUp} ms afterwards`);
    outcomes.push(["guest hangs", "SIGSTOP to the API server of one of three guests, then SIGCONT", TOLD]);
  });

  test("that was cut off comes back by itself", async () => {
    const isThere = async () => (await listOf(fleet.guest("c3"), "NodePool")).length === 2;
    // A request waits for 30 seconds at most; then the server is left alone for a while.
    await watch.until("the new pool", isThere, 60_000);
    await untilPolicy("c3", ARM);
    const caughtUp = Date.now() - cutAt;
    expect(caughtUp).toBeLessThan(75_000);
    console.log(`cut: c3 caught up ${caughtUp} ms after the cut`);
    outcomes.push([
      "watch cut silently",
      "what connects anp with one of three guests passes on nothing any more",
      TOLD,
    ]);
    expect(await watch.stop()).toBe(0);
  });

  test("the table of fleets", async () => {
    await expect(textTable(outcomes)).toMatchFileSnapshot("../watch-faults/outcomes-fleet.txt");
  });
});

const TOLD = "the others' passes go on, their policy changes are followed; it catches up by itself";
