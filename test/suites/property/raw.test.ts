/** Tests that raw pools have the same verdicts as wrapped ones, are compared with a policy, and never bypass one. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { explainClusters, type ExplainedCluster } from "../../../src/analyze/explain/explain.ts";
import type { PoolExplanation } from "../../../src/analyze/explain/explanation.ts";
import { underPolicy } from "../../../src/analyze/explain/under-policy.ts";
import { clustersOf, type LoadedClusters } from "../../../src/commands/input/load-clusters.ts";
import { valuesOf } from "../../../src/karpenter/catalogue/type-filter.ts";
import { has, type Requirement } from "../../../src/karpenter/requirements/requirement.ts";
import { requirementsOf } from "../../../src/karpenter/requirements/requirements.ts";
import { poolOrder } from "../../../src/karpenter/scheduling/pool-order.ts";
import { parseSources } from "../../../src/krm/parse/parse.ts";
import { loadFiles } from "../../../src/library/bundles-of-files.ts";
import { check, render } from "../../../src/library/library.ts";
import { readPolicy } from "../../../src/resolve/policy.ts";
import { entry } from "../../support/instance-types.ts";
import {
  CATALOGUES,
  policyManifest,
  type Question,
  question,
  rawManifests,
  shippedManifests,
  wrappedManifests,
} from "../../support/property/questions.ts";
import { seedOf } from "../../support/property/seed.ts";
import { testSource } from "../../support/source.ts";

function filesOf(objects: readonly object[]) {
  return objects.map((object, index) => ({ path: `${index}.json`, text: JSON.stringify(object) }));
}

function load(objects: readonly object[], { profile }: Question): LoadedClusters {
  return clustersOf(loadFiles(filesOf(objects), {}), { profile });
}

function explained({ clusters }: LoadedClusters, { catalogue }: Question): ExplainedCluster[] {
  return explainClusters(clusters, CATALOGUES[catalogue]!);
}

function policyOf(entries: readonly string[]) {
  const [policy] = parseSources([testSource(JSON.stringify(policyManifest(entries)))]).value;
  return readPolicy(policy!).value!;
}

/** Without HyperShift's label, which rendering adds. */
function answerOf({ pool, verdict, instanceTypes, zones, conflict, remaining }: PoolExplanation) {
  const asked = conflict.map(({ from, requirement }) => `${from} ${requirement.key}`);
  return { name: pool.name, verdict, types: instanceTypes.names, zones, asked, shortfall: [...remaining.shortfall] };
}

/** Raw classes in files have no status with images. */
const withoutPolicy = question.map((asked) => ({ ...asked, policy: undefined, amis: undefined }));
const withPolicy = question.map((asked) => ({ ...asked, policy: asked.policy ?? ["arch In amd64"], amis: undefined }));

describe("random questions", () => {
  it("have the same results for raw pools as for wrapped ones without a policy", () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(withoutPolicy, (asked) => {
        const raw = load(rawManifests(asked), asked);
        expect(raw.mode).toBe("raw");
        const [mine, theirs] = [explained(raw, asked), explained(load(wrappedManifests(asked), asked), asked)];
        const answers = (all: readonly ExplainedCluster[]) =>
          all.flatMap(({ explanations }) => explanations.map(answerOf));
        expect(answers(mine)).toStrictEqual(answers(theirs));
        const order = ({ pools }: ExplainedCluster): string[] => poolOrder(pools).map(({ name }) => name);
        expect(mine.map(order)).toStrictEqual(theirs.map(order));
        for (const { verdict } of answers(mine)) seen.set(verdict, (seen.get(verdict) ?? 0) + 1);
      }),
      { numRuns: 1500, seed: seedOf("raw", 31) },
    );
    for (const verdict of ["ok", "narrowed", "unsatisfiable"]) expect(seen.get(verdict)).toBeGreaterThan(4);
  });

  it("have the same results in HyperShift as it ships as with the class that its wrapper renders to", () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(withoutPolicy, (asked) => {
        fc.pre(asked.pools.length > 0);
        const shipped = load(shippedManifests(asked), asked);
        expect([shipped.mode, shipped.readable]).toStrictEqual(["shipped", true]);
        const [mine, theirs] = [shipped, load(rawManifests(asked), asked)].map((loaded) =>
          explained(loaded, asked).flatMap(({ explanations }) => explanations.map(answerOf)),
        );
        expect(mine).toStrictEqual(theirs);
        for (const { verdict } of mine!) seen.set(verdict, (seen.get(verdict) ?? 0) + 1);
      }),
      { numRuns: 1500, seed: seedOf("shipped", 35) },
    );
    for (const verdict of ["ok", "narrowed", "unsatisfiable"]) expect(seen.get(verdict)).toBeGreaterThan(4);
  });

  it("have the same results under a policy as for wrapped pools with it", () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(withPolicy, (asked) => {
        const policy = policyOf(asked.policy);
        const under = explained(load(rawManifests({ ...asked, policy: undefined }), asked), asked).flatMap(
          ({ explanations, knownTypes }) => explanations.map(({ pool }) => underPolicy(pool, policy, knownTypes)),
        );
        const wrapped = explained(load(wrappedManifests(asked), asked), asked).flatMap((one) => one.explanations);
        expect(under.map(({ explanation }) => answerOf(explanation))).toStrictEqual(wrapped.map(answerOf));
        for (const { verdict } of under) seen.set(verdict, (seen.get(verdict) ?? 0) + 1);
      }),
      { numRuns: 1500, seed: seedOf("raw policies", 32) },
    );
    for (const verdict of ["within", "narrowed", "unsatisfiable", "bypassed"])
      expect([verdict, (seen.get(verdict) ?? 0) > 4]).toStrictEqual([verdict, true]);
  });
});

const OF_TYPES = ["arch In amd64", "arch In arm64", "family In m5,c5", "family NotIn m5", "cpu Gte 8", "cpu Lt 17", "type In m5.xlarge,m5.2xlarge", "gpus Exists", "gpus DoesNotExist", "gpus NotIn 4", "gpus In 1,4"]; // prettier-ignore

describe("within a policy", () => {
  it("is exactly a pool with only types that the policy admits", () => {
    const entries = fc.array(fc.constantFrom(...OF_TYPES), { maxLength: 3 });
    const counts = { within: 0, outside: 0 };
    fc.assert(
      fc.property(entries, fc.array(fc.constantFrom(...OF_TYPES), { minLength: 1, maxLength: 2 }), (user, policy) => {
        const asked: Question = { ...BARE, pools: [{ user, labels: {} }] };
        const [cluster] = explained(load(rawManifests(asked), asked), asked);
        const [{ pool, instanceTypes }] = cluster!.explanations as [PoolExplanation];
        const { verdict } = underPolicy(pool, policyOf(policy), cluster!.knownTypes);
        const { catalogue } = cluster!.knownTypes.filter;
        const asks = [...requirementsOf(policy.map(entry)).values()];
        const admitted = instanceTypes.names.every((name) =>
          asks.every((requirement) => {
            const values = valuesOf(catalogue, catalogue.names.indexOf(name), requirement.key);
            return values.length > 0 ? values.every((value) => has(requirement, value)) : takesAbsence(requirement);
          }),
        );
        if (instanceTypes.names.length > 0) expect(verdict === "within").toBe(admitted);
        counts[verdict === "within" ? "within" : "outside"]++;
      }),
      { numRuns: 2000, seed: seedOf("within", 33) },
    );
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(100);
  });
});

/** For entries with NotIn and DoesNotExist. */
function takesAbsence({ complement, values, gte, lte }: Requirement): boolean {
  return complement ? values.size > 0 && gte === undefined && lte === undefined : values.size === 0;
}

const BARE: Question = {
  catalogue: "small",
  policy: undefined,
  pools: [],
  nodeClass: "none",
  profile: "karpenter-1.14",
  amis: undefined,
};

/** What HyperShift ships beside raw NodePools. */
const SHIPPED: readonly object[] = [
  {
    apiVersion: "karpenter.hypershift.openshift.io/v1",
    kind: "OpenshiftEC2NodeClass",
    metadata: { name: "wrapped" },
    spec: {},
  },
  {
    apiVersion: "hypershift.openshift.io/v1beta1",
    kind: "HostedControlPlane",
    metadata: { name: "a", namespace: "clusters-a" },
    spec: { infraID: "a", platform: { type: "AWS", aws: {} } },
  },
];

/** Each of them marks a hosted cluster, regardless of other objects. */
const MEANING_HOSTED: readonly object[] = [
  ...SHIPPED,
  policyManifest(["arch In amd64"]),
  policyManifest([]),
  {
    apiVersion: "karpenter.hypershift.openshift.io/v1beta1",
    kind: "OpenshiftNodePool",
    metadata: { name: "wrapped" },
    spec: { template: { spec: {} } },
  },
  {
    apiVersion: "anp.hypershift.openshift.io/v1alpha1",
    kind: "RenderConfig",
    metadata: { name: "config" },
    spec: { hostedCluster: { namespace: "clusters-a" } },
  },
  { apiVersion: "karpenter.hypershift.openshift.io/v1beta1", kind: "AutoNodePolcy", metadata: { name: "default" } },
];

it("no raw pool bypasses a policy as raw input", () => {
  const options = fc.constantFrom({}, { policyDir: "rules" }, { hostedCluster: "clusters-a" }, { requirePolicy: true });
  const hosted = fc.subarray([...MEANING_HOSTED], { minLength: 0 });
  fc.assert(
    fc.property(withoutPolicy, hosted, options, fc.boolean(), (asked, beside, given, first) => {
      fc.pre(beside.length > 0 || Object.keys(given).length > 0);
      const raw = rawManifests(asked);
      const files = filesOf(first ? [...beside, ...raw] : [...raw, ...beside]);
      // Only questions infer what HyperShift ships, and rendering never does.
      const isShipped = beside.every((one) => SHIPPED.includes(one)) && Object.keys(given).length === 0;
      if (!isShipped) expect(check(files, given).findings.some(({ severity }) => severity === "error")).toBe(true);
      let manifests: readonly object[] = [];
      try {
        manifests = render(files, given).manifests;
      } catch {
        // Several hosted clusters: nothing is rendered.
      }
      const names = asked.pools.map((_pool, index) => `pool-${index}`);
      expect(
        manifests.filter((one) => names.includes((one as { metadata: { name: string } }).metadata.name)),
      ).toStrictEqual([]);
    }),
    { numRuns: 300, seed: seedOf("raw law", 34) },
  );
});
