/** Tests that rendering holds a policy for NodePools of users as a guard does, however often it runs. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { admitPool } from "../../../src/guard/admit-pool.ts";
import { hasErrors } from "../../../src/krm/findings/finding.ts";
import { parseSources } from "../../../src/krm/parse/parse.ts";
import { sameValue } from "../../../src/krm/values/canonical.ts";
import { gatherBundles } from "../../../src/model/inputs/gather.ts";
import type { KubeObject } from "../../../src/model/objects/kube-object.ts";
import { POLICY_ENTRIES } from "../../../src/model/objects/marks.ts";
import { POLICY_END_ENTRY } from "../../../src/model/requirements/policy-end.ts";
import type { NodeSelectorRequirement } from "../../../src/model/requirements/requirement.ts";
import { render } from "../../../src/render/render.ts";
import { BLOCKER } from "../../../src/resolve/guarded-list.ts";
import { resolveInTurn } from "../../../src/resolve/resolve.ts";
import { policiesWithPools } from "../../support/guard/policies-and-pools.ts";
import { seedOf } from "../../support/property/seed.ts";
import { testSource } from "../../support/source.ts";

type Entries = readonly NodeSelectorRequirement[];

const CASES = 250;

const policyOf = (requirements: Entries): object => ({
  apiVersion: "karpenter.hypershift.openshift.io/v1beta1",
  kind: "AutoNodePolicy",
  metadata: { name: "default", namespace: "clusters-shop" },
  spec: { nodePoolDefaults: { requirements } },
});

const configOf = (onBypass: "Fail" | "Block"): object => ({
  apiVersion: "anp.hypershift.openshift.io/v1alpha1",
  kind: "RenderConfig",
  metadata: { name: "config" },
  spec: { onBypass },
});

const poolOf = (requirements: Entries, labels: Readonly<Record<string, string>>): KubeObject => ({
  apiVersion: "karpenter.sh/v1",
  kind: "NodePool",
  metadata: { name: "web" },
  spec: {
    template: {
      metadata: { labels },
      spec: { requirements, nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" } },
    },
  },
});

const listOf = ({ spec }: KubeObject): Entries =>
  (spec as { template: { spec: { requirements: Entries } } }).template.spec.requirements;

/** Undefined if the pool is refused. */
function rendered(policy: Entries, pool: KubeObject, onBypass: "Fail" | "Block" = "Fail") {
  const text = [policyOf(policy), configOf(onBypass), pool].map((one) => JSON.stringify(one)).join("\n---\n");
  const parsed = parseSources([testSource(text)]);
  const gathered = gatherBundles(parsed.value, { nodePools: "Raw" });
  const bundle = gathered.value.bundles[0]!;
  const { value, findings } = render(resolveInTurn(bundle, { nodePools: "Raw" }));
  const all = [...parsed.findings, ...gathered.findings, ...findings];
  const object = value.find((one) => one.object.kind === "NodePool")?.object;
  const codes = all.filter(({ severity }) => severity === "error").map(({ code }) => code);
  return { object: hasErrors(all) ? undefined : object, codes };
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
    const pool = poolOf(own, labels);
    const admission = admitPool(policy, { requirements: own, labels });
    const { object, codes } = rendered(policy, pool);
    if ("refused" in admission) {
      expect(admission.refused, context).toBe("bypass");
      expect(object, context).toBeUndefined();
      const blocked = rendered(policy, pool, "Block").object;
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
    expect(rendered(policy, object).object, context).toStrictEqual(object);
    // Whatever the policy becomes, it is as if the pool had never been rendered.
    const later = rendered(next, object);
    expect(later, context).toStrictEqual(rendered(next, pool));
    if (later.object !== undefined) expect(rendered(policy, later.object).object, context).toStrictEqual(object);
    expect(listOf(rendered([], object).object!), context).toStrictEqual(own);
    // A missing or forged record adds entries at most.
    for (const annotations of [{}, { [POLICY_ENTRIES]: "0000000000000000" }]) {
      const forged = { ...without(object), metadata: { name: "web", annotations } };
      const list = rendered(next, forged).object;
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
  for (const what of ["rendered", "blocked", "rendered without its record"])
    expect(seen.get(what), what).toBeGreaterThan(20);
}, 120_000);
