/** Tests that rendering holds a policy for NodePools of users as a guard does, however often it runs. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { admitPool } from "../../../src/guard/admit-pool.ts";
import { sameValue } from "../../../src/krm/values/canonical.ts";
import type { KubeObject } from "../../../src/model/objects/kube-object.ts";
import { POLICY_ENTRIES } from "../../../src/model/objects/marks.ts";
import { POLICY_END_ENTRY } from "../../../src/model/requirements/policy-end.ts";
import type { NodeSelectorRequirement } from "../../../src/model/requirements/requirement.ts";
import { BLOCKER } from "../../../src/resolve/guarded-list.ts";
import { policiesWithPools } from "../../support/guard/policies-and-pools.ts";
import { listOf, rawPoolOf, renderRawPool } from "../../support/property/render-raw-pool.ts";
import { seedOf } from "../../support/property/seed.ts";

type Entries = readonly NodeSelectorRequirement[];

const CASES = 250;

interface Turns {
  readonly policy: Entries;
  readonly next: Entries;
  /** The pool as rendered under `policy`. */
  readonly object: KubeObject;
  readonly own: Entries;
  readonly labels: Readonly<Record<string, string>>;
}

/** A guard of the next policy is in the cluster before Git renders that policy, and after it. */
function turnsWithGuard({ policy, next, object, own, labels }: Turns, context: string): string {
  const stored = { requirements: listOf(object), labels };
  const touched = admitPool(next, stored, stored);
  if ("refused" in touched) return `not touched: ${touched.refused}`;
  if (touched.blocked) return "blocked by the guard";
  const live = { ...rawPoolOf(touched.stored, labels), metadata: object.metadata };
  // The old policy is rendered over what the new guard stored: its entries come first, and none is lost.
  const behind = renderRawPool(policy, live).object;
  if (behind !== undefined) {
    const list = listOf(behind);
    expect(list.slice(0, policy.length), context).toStrictEqual(policy);
    const isThere = (entry: unknown): boolean => list.some((one) => sameValue(one, entry));
    expect([...next, ...own].every(isThere), context).toBe(true);
  }
  // The new policy is rendered: both agree, whichever writes last.
  const caughtUp = renderRawPool(next, live).object;
  if (caughtUp === undefined) return "refused by rendering alone";
  const requirements = listOf(caughtUp);
  expect(requirements, context).toStrictEqual(touched.stored);
  expect(admitPool(next, { requirements, labels }, stored), context).toMatchObject({ stored: touched.stored });
  return "in turns with a guard";
}

const without = (pool: KubeObject): KubeObject => ({ ...pool, metadata: { name: pool.metadata.name } });

test("the list is the one that a guard stores, and a second rendering under any policy is as the first", () => {
  const seen = new Map<string, number>();
  const count = (what: string): void => void seen.set(what, (seen.get(what) ?? 0) + 1);
  const pairs = fc.tuple(policiesWithPools(1, { lethal: false }), policiesWithPools(0, { lethal: false }));
  for (const [{ policy, pools }, { policy: next }] of fc.sample(pairs, {
    numRuns: CASES,
    seed: seedOf("raw pools", 20_261_126),
  })) {
    const { own, labels } = pools[0]!;
    const context = JSON.stringify({ policy, next, own, labels });
    const pool = rawPoolOf(own, labels);
    const admission = admitPool(policy, { requirements: own, labels });
    const { object, codes } = renderRawPool(policy, pool);
    if ("refused" in admission) {
      expect(admission.refused, context).toBe("bypass");
      expect(object, context).toBeUndefined();
      const blocked = renderRawPool(policy, pool, "Block").object;
      if (blocked !== undefined)
        expect(listOf(blocked), context).toStrictEqual([...policy, BLOCKER, POLICY_END_ENTRY, ...own]);
      count(blocked === undefined ? "refused" : "blocked");
      continue;
    }
    if (object === undefined) {
      expect(codes, context).not.toContain("policy-bypassed");
      count(codes.join(" "));
      continue;
    }
    expect(listOf(object), context).toStrictEqual(admission.stored);
    expect(renderRawPool(policy, object).object, context).toStrictEqual(object);
    // Whatever the policy becomes, it is as if the pool had never been rendered.
    const later = renderRawPool(next, object);
    expect(later, context).toStrictEqual(renderRawPool(next, pool));
    if (later.object !== undefined) expect(renderRawPool(policy, later.object).object, context).toStrictEqual(object);
    expect(listOf(renderRawPool([], object).object!), context).toStrictEqual(own);
    count(turnsWithGuard({ policy, next, object, own, labels }, context));
    // A missing or forged record adds entries at most.
    for (const annotations of [{}, { [POLICY_ENTRIES]: "0000000000000000" }]) {
      const forged = { ...without(object), metadata: { name: "web", annotations } };
      const list = renderRawPool(next, forged).object;
      if (list === undefined) continue;
      expect(listOf(list).slice(0, next.length + 1), context).toStrictEqual([...next, POLICY_END_ENTRY]);
      expect(
        own.every((entry) => listOf(list).some((one) => sameValue(one, entry))),
        context,
      ).toBe(true);
      count("rendered without its record");
    }
    count(later.object === undefined ? "rendered, and refused later" : "rendered");
  }
  console.log(`raw pools: ${JSON.stringify(Object.fromEntries(seen))}`);
  for (const what of ["rendered", "blocked", "rendered without its record", "in turns with a guard"])
    expect(seen.get(what), what).toBeGreaterThan(20);
}, 120_000);
