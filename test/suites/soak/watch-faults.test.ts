/** Faults around `anp watch` with a real Karpenter: nothing lost that should stay, nothing left that should go, no node replaced that nothing asked for. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { faultsByHand } from "../../support/watch-faults/faults-by-hand.ts";
import { type HostedCluster, startHostedCluster } from "../../support/watch-faults/hosted-cluster.ts";
import { inventoryFaults } from "../../support/watch-faults/inventory-faults.ts";
import { leaderFaults } from "../../support/watch-faults/leader-faults.ts";
import { leavingFaults } from "../../support/watch-faults/leaving-faults.ts";
import { readingFaults } from "../../support/watch-faults/reading-faults.ts";
import { serverFaults } from "../../support/watch-faults/server-faults.ts";
import { timeFaults } from "../../support/watch-faults/time-faults.ts";
import { writerFaults } from "../../support/watch-faults/writer-faults.ts";
import { isIn, TYPE } from "../../support/watch/inputs.ts";
import { nodesOf } from "../../support/watch-process/node-claims.ts";
import { textTable } from "../../support/watch-process/text-table.ts";

describe("a fault", () => {
  const cluster = {} as HostedCluster;
  const outcomes: string[][] = [["fault", "what was done", "outcome"]];

  beforeAll(async () => {
    Object.assign(cluster, await startHostedCluster());
  });

  afterAll(async () => {
    await cluster.stop?.();
  });

  describe("leaves pools, classes and nodes as they are:", () => {
    afterEach(() => cluster.check());

    const faults = {
      ...serverFaults,
      ...faultsByHand,
      ...inventoryFaults,
      ...readingFaults,
      ...leavingFaults,
      ...timeFaults,
      ...leaderFaults,
      ...writerFaults,
    };
    for (const [name, { done, act }] of Object.entries(faults)) {
      test(name, async () => {
        outcomes.push([name, done, await act(cluster)]);
      });
    }
  });

  test("and Karpenter does replace nodes here, when the policy no longer allows them", async () => {
    const watch = await cluster.start();
    const before = await nodesOf(cluster.rig.guest);
    const types = new Set(before.map(({ instanceType }) => instanceType));
    await cluster.setPolicy([{ key: TYPE, operator: "NotIn", values: [...types] }, isIn("kubernetes.io/os", "linux")]);
    await watch.until("other nodes", async () => {
      const now = await nodesOf(cluster.rig.guest);
      return before.every(
        ({ uid }) =>
          now.find((node) => node.uid === uid)?.leaving !== undefined || !now.some((node) => node.uid === uid),
      );
    });
    outcomes.push(["none, for comparison", "a policy that excludes the nodes' types", "Karpenter replaces them"]);
    await watch.stop();
  });

  test("the table of faults", async () => {
    await expect(textTable(outcomes)).toMatchFileSnapshot("../watch-faults/outcomes.txt");
  });
});
