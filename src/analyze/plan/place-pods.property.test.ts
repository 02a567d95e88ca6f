/** Random pods on random pools: a node has enough of everything and what its pod selects. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { parseQuantity } from "../../model/values/quantity.ts";
import { type PlacedPod, placePods } from "./place-pods.ts";
import { poolOrder } from "../../karpenter/scheduling/pool-order.ts";
import {
  ARCH,
  asking,
  clusterOf,
  daemonSetObject,
  FAMILY,
  isIn,
  podObject,
  podsOf,
  poolOf,
  TEST_CATALOGUE,
} from "../../../test/support/pod-input.ts";

const families = fc.subarray(["c5", "m5", "m7g", "r5", "g5"], { minLength: 1 });
const effect = fc.constantFrom("NoSchedule", "NoExecute", "PreferNoSchedule");

const pool = fc.record({
  families,
  minValues: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined, freq: 3 }),
  effect: fc.constantFrom(undefined, undefined, "NoSchedule", "NoExecute", "PreferNoSchedule"),
  weight: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
});

const requests = fc.record(
  {
    cpu: fc.constantFrom("0", "100m", "1", "2", "3500m", "15", "16", "17"),
    memory: fc.constantFrom("0", "1Gi", "4Gi", "8Gi", "33Gi", "64Gi"),
    "nvidia.com/gpu": fc.constantFrom("0", "0", "0", "1"),
  },
  { requiredKeys: [] },
);

const pod = fc.record({
  requests,
  family: fc.constantFrom(undefined, undefined, undefined, "c5", "m5", "x9"),
  arch: fc.constantFrom(undefined, undefined, "amd64", "arm64"),
  prefers: fc.option(fc.constantFrom("c5", "g5", "x9"), { nil: undefined, freq: 2 }),
  tolerates: fc.option(effect, { nil: undefined, freq: 2 }),
});

const daemon = fc.option(fc.record({ requests, arch: fc.constantFrom(undefined, "amd64", "arm64") }), {
  nil: undefined,
  freq: 2,
});

const nano = (text: string | undefined): bigint => (text === undefined ? 0n : parseQuantity(text)!.nano);
const has = (type: string, key: string, value: string): boolean => {
  const column = TEST_CATALOGUE.labels.get(key)!;
  return column.sets[column.of[TEST_CATALOGUE.names.indexOf(type)]!]!.values.has(value);
};

it("a pod that a pool takes has a type with enough of everything", () => {
  let taken = 0;
  const property = fc.property(fc.array(pool, { minLength: 1, maxLength: 4 }), pod, daemon, (pools, wish, beside) => {
    const cluster = clusterOf(
      ...pools.map((one, index) =>
        poolOf(
          `pool-${String(index)}`,
          {
            requirements: [
              {
                ...isIn(FAMILY, ...one.families),
                minValues: one.minValues && Math.min(one.minValues, one.families.length),
              },
            ],
            ...(one.effect === undefined ? {} : { taints: [{ key: "dedicated", effect: one.effect }] }),
          },
          { weight: one.weight },
        ),
      ),
    );
    const selector = {
      ...(wish.family === undefined ? {} : { [FAMILY]: wish.family }),
      ...(wish.arch === undefined ? {} : { [ARCH]: wish.arch }),
    };
    const preferred =
      wish.prefers === undefined ? [] : [{ weight: 1, preference: { matchExpressions: [isIn(FAMILY, wish.prefers)] } }];
    const object = podObject("a", {
      ...asking(wish.requests),
      nodeSelector: selector,
      affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: preferred } },
      tolerations: wish.tolerates === undefined ? [] : [{ operator: "Exists", effect: wish.tolerates }],
    });
    const daemonSets =
      beside === undefined
        ? []
        : [
            daemonSetObject("agent", {
              ...asking(beside.requests),
              tolerations: [{ operator: "Exists" }],
              ...(beside.arch === undefined ? {} : { nodeSelector: { [ARCH]: beside.arch } }),
            }),
          ];
    const [placed] = placePods(podsOf(object, ...daemonSets), cluster);
    expectConsistent(
      placed!,
      poolOrder(cluster.pools).map(({ name }) => name),
    );
    if (placed!.takenBy === null) return;
    taken += 1;
    const chosen = pools[Number(placed!.takenBy.slice("pool-".length))]!;
    expect([undefined, "PreferNoSchedule", wish.tolerates]).toContain(chosen.effect);
    for (const type of placed!.instanceTypes) {
      const at = TEST_CATALOGUE.names.indexOf(type);
      const runs = beside !== undefined && (beside.arch === undefined || has(type, ARCH, beside.arch));
      for (const resource of ["cpu", "memory", "nvidia.com/gpu"] as const) {
        const needed = nano(wish.requests[resource]) + (runs ? nano(beside.requests[resource]) : 0n);
        expect(nano(TEST_CATALOGUE.allocatable.get(resource)![at]) >= needed, `${type} ${resource}`).toBe(true);
      }
      for (const [key, value] of Object.entries(selector)) expect(has(type, key, value)).toBe(true);
      expect(chosen.families.some((family) => has(type, FAMILY, family))).toBe(true);
    }
  });
  fc.assert(property, { numRuns: 400 });
  // Without any placed pod the test would prove nothing.
  expect(taken).toBeGreaterThan(40);
});

function expectConsistent(placed: PlacedPod, order: readonly string[]): void {
  const { takenBy, instanceTypes, why, attempts } = placed;
  expect(attempts.map((attempt) => attempt.pool)).toStrictEqual(order);
  expect([instanceTypes.length > 0, why === null]).toStrictEqual([takenBy !== null, takenBy !== null]);
  expect(attempts.some(({ fits }) => fits)).toBe(takenBy !== null);
  for (const { fits, reason, sentence, instanceTypes: count, pool: name } of attempts) {
    expect([reason === null, count > 0]).toStrictEqual([fits, fits]);
    expect(sentence).not.toBe("");
    if (name === takenBy) expect([fits, count]).toStrictEqual([true, instanceTypes.length]);
  }
}
