/** A watch suite on two real control planes, which are prepared before each test. */
import { afterAll, beforeAll, beforeEach, describe } from "vitest";
import { borrowRig } from "./borrow-rig.ts";
import { ARCH, isIn } from "./inputs.ts";
import { clear, putEverything, type Rig, startRig } from "./rig.ts";

/** An empty rig, and one complete hosted cluster. */
async function withOneCluster(rig: Rig): Promise<void> {
  await clear(rig);
  await putEverything(rig, [isIn(ARCH, "amd64")]);
}

/** Gets the rig, which exists in its `beforeAll` hooks and tests. */
type Suite = (rig: Rig) => void;

/** On shared clusters: the suite may leave only what `clear` removes. */
export function describeOnClusters(name: string, suite: Suite): void {
  describeOn(name, borrowRig, withOneCluster, suite);
}

/** On its own clusters, for a suite that leaves more, such as another CRD or a server under load. */
export function describeOnOwnClusters(name: string, suite: Suite): void {
  describeOn(name, startRig, withOneCluster, suite);
}

/** @param prepare before each test */
export function describeOn(
  name: string,
  getRig: () => Promise<Rig>,
  prepare: (rig: Rig) => Promise<void>,
  suite: Suite,
): void {
  describe(name, () => {
    const rig = {} as Rig;

    beforeAll(async () => {
      Object.assign(rig, await getRig());
    });

    afterAll(async () => {
      await rig.stop?.();
    });

    beforeEach(() => prepare(rig));

    suite(rig);
  });
}
