/** Time that jumps, and a policy that cannot make up its mind. */
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { readyOf } from "../watch/rig.ts";
import type { FaultCases } from "./fault.ts";
import { POLICY, TIGHTER } from "./hosted-cluster.ts";

const CLOCK = fileURLToPath(import.meta.resolve("./jumping-clock.ts"));
const DAY_MS = 86_400_000;
const PAUSE_MS = 80;

export const timeFaults: FaultCases = {
  "clock jumps": {
    done: "the time of anp's machine goes a day forward, then two days back",
    act: async (cluster) => {
      const { rig, setPolicy, settled, requests, writes } = cluster;
      const env = { CLOCK_JUMPS: `${DAY_MS},${-2 * DAY_MS}` };
      const watch = await cluster.start([], { preload: CLOCK, env });
      const twoPasses = async (): Promise<void> => {
        const passes = watch.passes().length;
        await watch.until("passes go on", async () => watch.passes().length > passes + 2, 20_000);
      };
      for (const [days, policy] of [
        [1, TIGHTER],
        [-1, POLICY],
      ] as const) {
        // What the pass before has to say of itself is said.
        await twoPasses();
        const ready = await readyOf(rig);
        const since = requests();
        process.kill(watch.pid, "SIGUSR2");
        await twoPasses();
        expect(Math.round((Date.parse(watch.passes().at(-1)!.time) - Date.now()) / DAY_MS)).toBe(days);
        expect(writes(since)).toEqual([]);
        expect(await readyOf(rig)).toEqual(ready);
        await setPolicy(policy);
        await settled(watch, 10_000);
      }
      return "passes go on each second, nothing is written; a change of policy is followed as ever";
    },
  },
  "policy flapping": {
    done: "the policy changed 50 times within a few seconds",
    act: async (cluster) => {
      const { setPolicy, settled, requests, writes } = cluster;
      const watch = await cluster.start();
      const passes = watch.passes().length;
      const since = requests();
      const began = Date.now();
      for (let turn = 0; turn < 50; turn++) {
        await setPolicy(turn % 2 === 0 ? POLICY : TIGHTER);
        await sleep(PAUSE_MS);
      }
      const took = Date.now() - began;
      await settled(watch);
      // The pass that wrote it has to come to its end.
      await watch.morePasses(1);
      const during = watch.passes().length - passes;
      const toWeb = () => writes(since).filter(({ name }) => name === "web").length;
      const written = toWeb();
      expect(written).toBeGreaterThan(0);
      expect(written).toBeLessThanOrEqual(during);
      await watch.morePasses(3);
      expect(toWeb()).toBe(written);
      console.log(`50 changes of the policy in ${took} ms: ${during} passes, ${written} writes of each pool`);
      await setPolicy(POLICY);
      await settled(watch);
      return "what was said last holds; at most one write of a pool in a pass, none afterwards";
    },
  },
};
