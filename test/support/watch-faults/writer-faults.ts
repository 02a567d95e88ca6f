/** What becomes of a pool that two anps write. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { setIdOf } from "../../../src/cluster/objects/membership.ts";
import { toYaml } from "../../../src/krm/yaml/write.ts";
import { objectPath } from "../controlplane/rest-path.ts";
import { NAMESPACE } from "../watch/inputs.ts";
import { live, nodePool, OPERATOR } from "../watch/rig.ts";
import { kwokPool } from "../watch-process/kwok-pools.ts";
import type { FaultCases } from "./fault.ts";

const REST_MS = 20_000;

export const writerFaults: FaultCases = {
  "two writers of one name": {
    done: "another anp adopts a pool and gives it another weight; when it is gone, its marks are forged",
    act: async ({ rig, start, settled }) => {
      const folder = join(rig.folder, "other");
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "web.yaml"), toYaml(kwokPool("web", [], { weight: 7 })));
      // Only what they hear of each other, and the end of a pause, makes them look.
      const rarely = ["--interval", "10m"];
      const watch = await start(rarely);
      const other = await start([folder, "--name", "other", "--adopt", "NodePool/web", ...rarely]);
      // Who is seen in the middle of a write counts less: each of the rounds that it lacks takes a pause of a minute.
      for (const one of [watch, other])
        await one.until("it is told", async () => one.lines().some(({ msg }) => msg === "double writer"), 420_000);
      const generation = async () => Number((await live(rig.guest, nodePool("web"))).metadata?.generation);
      const before = await generation();
      await sleep(REST_MS);
      // Each writes once in a minute at most.
      expect((await generation()) - before).toBeLessThanOrEqual(2);
      expect(await other.stop()).toBe(0);
      const path = await objectPath(rig.guest, nodePool("web"));
      const labels = { "anp.hypershift.openshift.io/set": setIdOf(NAMESPACE, "other") };
      const weight = async () => (await live(rig.guest, nodePool("web"))).spec?.["weight"];
      for (const forged of [8, 9]) {
        const told = watch.passes().length;
        const { status } = await rig.guest.request(OPERATOR, "PATCH", path, {
          metadata: { labels },
          spec: { weight: forged },
        });
        expect(status).toBe(200);
        await watch.until("it has looked", async () => watch.passes().length > told);
      }
      await watch.until("it is set right", async () => (await weight()) === undefined);
      await settled(watch);
      expect(watch.passes().at(-1)).toMatchObject({ result: "held", reason: "DoubleWriter" });
      return "told by both, and written once a minute at most; then as it was";
    },
  },
};
