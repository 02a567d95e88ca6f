/** What a guard costs a real API server: the time of a write, the largest policy, and pools that are meant to cost. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ControlPlane } from "../../support/controlplane/control-plane.ts";
import { create } from "../../support/controlplane/objects.ts";
import {
  END,
  enforce,
  type Entries,
  outcomeOf,
  poolOf,
  requirementsOf,
  startCluster,
} from "../../support/guard/guarded-cluster.ts";

const names = (of: string, count: number): string[] => Array.from({ length: count }, (_, index) => `${of}${index}`);
/** Of every third the label may be missing on a node, so that it is guarded. */
const policyOf = (entries: number, values: number): Entries =>
  names("k", entries).map((name, index) => ({
    key: index % 3 === 0 ? `example.com/${name}` : "node.kubernetes.io/instance-type",
    operator: "In",
    values: names("v", values),
  }));
const OWN: Entries = [{ key: "karpenter.k8s.aws/instance-size", operator: "In", values: ["large"] }];

describe("a guard", () => {
  let controlPlane: ControlPlane;

  beforeAll(async () => {
    controlPlane = await startCluster();
  });

  afterAll(async () => {
    await controlPlane?.stop();
  });

  /** Milliseconds, of which half take less. */
  async function timeOfWrite(): Promise<number> {
    const times: number[] = [];
    for (let index = 0; index < 60; index += 1) {
      const start = performance.now();
      const { status } = await create(controlPlane, "guest-admin", poolOf("timed", OWN), { dryRun: true });
      times.push(performance.now() - start);
      expect(status).toBe(201);
    }
    return times.toSorted((a, b) => a - b)[times.length / 2]!;
  }

  test("takes a write some times as long: none, five and ninety entries in one run", async () => {
    const without = await timeOfWrite();
    await enforce(controlPlane, policyOf(5, 5));
    const few = await timeOfWrite();
    await enforce(controlPlane, policyOf(90, 5));
    const many = await timeOfWrite();
    const ratio = (time: number): string => (time / without).toFixed(1);
    console.log(`a write under a guard: 5 entries ${ratio(few)} times, 90 entries ${ratio(many)} times one without`);
    // A machine that others use as well proves no more than that it ends.
    expect(many).toBeLessThan(2000);
  });

  test("may have 98 entries of 300 values, thirty of them guarded, and a pool asks about all of those", async () => {
    const policy = policyOf(98, 300);
    await enforce(controlPlane, policy);
    const answer = await create(controlPlane, "guest-admin", poolOf("full", OWN.slice(1)), { dryRun: true });
    expect(outcomeOf(answer)).toBe("stored");
    expect(requirementsOf(answer.body)).toHaveLength(99);
    const own: Entries = [{ key: "example.com/k0", operator: "In", values: ["v299"] }];
    const asked = await create(controlPlane, "guest-admin", poolOf("full", own), { dryRun: true });
    expect(requirementsOf(asked.body)).toEqual([...policy, END, ...own]);
  });

  test("may have an entry of a thousand values on a guarded key, and refuses more than five thousand before it looks at one", async () => {
    await enforce(controlPlane, [{ key: "example.com/type", operator: "In", values: names("value", 1300) }]);
    const fair: Entries = [{ key: "example.com/type", operator: "NotIn", values: names("value", 1299) }];
    expect(outcomeOf(await create(controlPlane, "guest-admin", poolOf("fair", fair), { dryRun: true }))).toBe("stored");
    const hostile: Entries = Array.from({ length: 60 }, (_, index) => ({
      key: "example.com/type",
      operator: "NotIn",
      values: names(`value${index}x`, 400),
    }));
    const start = performance.now();
    const answer = await create(controlPlane, "guest-admin", poolOf("hostile", hostile), { dryRun: true });
    console.log(
      `a pool of 60 exclusions of 400 values: ${answer.status} after ${Math.round(performance.now() - start)} ms`,
    );
    expect(outcomeOf(answer)).toBe(
      "on a label that the AutoNodePolicy governs and a node may lack, a NodePool asks for 5000 values at most",
    );
  });
});
