/** A suite of watch on two real control planes: its tests in; started before the first, with one hosted cluster before each, stopped in the end. */
import { afterAll, beforeAll, beforeEach, describe } from "vitest";
import { controlPlaneMissing } from "../controlplane/programs.ts";
import { goMissing } from "../go/toolchain.ts";
import { ARCH, isIn } from "./inputs.ts";
import { clear, putEverything, type Rig, startRig } from "./rig.ts";

/** The first test on a machine builds the programs. */
const BUILD_MS = 20 * 60_000;

const missing = (await controlPlaneMissing()) ?? (await goMissing("tests of watch"));

/** @param suite gets the rig, which is there from the first `beforeAll` of its own on */
export function describeOnClusters(name: string, suite: (rig: Rig) => void): void {
  describe.skipIf(missing !== undefined)(name, () => {
    const rig = {} as Rig;

    beforeAll(async () => {
      Object.assign(rig, await startRig());
    }, BUILD_MS);

    afterAll(async () => {
      await rig.stop?.();
    });

    beforeEach(async () => {
      await clear(rig);
      await putEverything(rig, [isIn(ARCH, "amd64")]);
    });

    suite(rig);
  });
}
