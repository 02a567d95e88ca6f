/** A suite of watch on two real control planes: its tests in; there before the first, prepared before each, given up in the end. */
import { afterAll, beforeAll, beforeEach, describe } from "vitest";
import { borrowRig } from "./borrow-rig.ts";
import { ARCH, isIn } from "./inputs.ts";
import { clear, putEverything, type Rig, startRig } from "./rig.ts";

/** The rig as it was, and one hosted cluster with all that belongs to it. */
export async function withOneCluster(rig: Rig): Promise<void> {
  await clear(rig);
  await putEverything(rig, [isIn(ARCH, "amd64")]);
}

/** Gets the rig, which is there from the first `beforeAll` of its own on. */
type Suite = (rig: Rig) => void;

/** On clusters that other suites have used and will use: what `clear` removes is all that the suite may leave behind. */
export function describeOnClusters(name: string, suite: Suite): void {
  describeOn(name, borrowRig, withOneCluster, suite);
}

/** For a suite that leaves more behind, such as another CRD or a server under load. */
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
