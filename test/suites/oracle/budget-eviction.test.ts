/** Compares the numbers that order the removal of surplus nodes with Karpenter's, on random pods and NodeClaims. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  evictionCost,
  forbidsDisruption,
  inDeprovisioningOrder,
} from "../../../src/karpenter/disruption/node-limit-candidates.ts";
import { seedOf } from "../../support/property/seed.ts";
import { askOracle } from "../../support/oracle/ask.ts";

const QUESTIONS = 5_000;
const AT = Date.parse("2026-11-23T12:00:00Z");

const instant = (at: number): string => new Date(at).toISOString().replace(".000Z", "Z");
const ago = fc.integer({ min: -3600, max: 4_000_000 }).map((seconds) => AT - seconds * 1000);

const int32 = fc.integer({ min: -2_147_483_647, max: 2_147_483_647 });

const question = fc.record({
  deletionCost: fc.option(fc.oneof(int32.map(String), fc.constantFrom("", "cheap", "1.5e8", "+7", "1e", " 5", "-.5")), {
    nil: undefined,
  }),
  doNotDisrupt: fc.option(fc.constantFrom("true", "false", "True", "5m", "24h", "300h", "-5m", "0s", "", "soon"), {
    nil: undefined,
  }),
  priority: fc.option(fc.integer({ min: -2_147_483_648, max: 1_000_000_000 }), { nil: undefined }),
  startTime: fc.option(ago, { nil: undefined }),
  created: ago,
  expireAfter: fc.constantFrom("Never", "720h", "1h", "90m", "240h", "1000h"),
});

interface Answer {
  readonly cost: number;
  readonly forbids: boolean;
  readonly lifetimeLeft: number;
}

describe("the order of node removal", () => {
  test("eviction costs, do-not-disrupt and lifetimes are Karpenter's", async () => {
    const samples = fc.sample(question, { numRuns: QUESTIONS, seed: seedOf("evictions", 20_261_121) }).map((one) => {
      const annotations = {
        ...(one.deletionCost === undefined ? {} : { "controller.kubernetes.io/pod-deletion-cost": one.deletionCost }),
        ...(one.doNotDisrupt === undefined ? {} : { "karpenter.sh/do-not-disrupt": one.doNotDisrupt }),
      };
      return { ...one, annotations };
    });
    const replies = await askOracle(
      samples.map(({ annotations, priority, startTime, created, expireAfter }) => ({
        op: "eviction",
        at: instant(AT),
        pod: {
          metadata: { annotations },
          spec: priority === undefined ? {} : { priority },
          status: startTime === undefined ? {} : { startTime: instant(startTime) },
        },
        claim: { metadata: { creationTimestamp: instant(created) }, spec: { expireAfter } },
      })),
    );
    const counts = { forbids: 0, costly: 0, old: 0 };
    for (const [index, { annotations, priority, startTime, created, expireAfter }] of samples.entries()) {
      const theirs = replies[index]!.answer as Answer;
      const pod = { annotations, priority, startTime, ofDaemonSet: false };
      const node = { name: "a", launched: true, created, expireAfter, pods: [] };
      const [candidate] = inDeprovisioningOrder([node], AT, "karpenter-1.14");
      const ours = {
        cost: evictionCost(pod, "karpenter-1.14"),
        forbids: forbidsDisruption(pod, AT),
        lifetimeLeft: candidate!.lifetimeLeft,
      };
      expect(ours, JSON.stringify(samples[index])).toStrictEqual({
        cost: expect.closeTo(theirs.cost, 9) as number,
        forbids: theirs.forbids,
        lifetimeLeft: expect.closeTo(theirs.lifetimeLeft, 9) as number,
      });
      counts.forbids += Number(theirs.forbids);
      counts.costly += Number(theirs.cost > 1);
      counts.old += Number(theirs.lifetimeLeft < 0.5);
    }
    console.log(`evictions: ${QUESTIONS} questions, ${JSON.stringify(counts)}`);
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(QUESTIONS / 20);
  }, 900_000);
});
