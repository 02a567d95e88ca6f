/** `anp explain` and `anp check` say the same of a pool: it gets no nodes, or nothing is said of that. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkClusters } from "../../../src/analyze/check/check.ts";
import { explainClusters } from "../../../src/analyze/explain/explain.ts";
import type { PoolExplanation } from "../../../src/analyze/explain/explanation.ts";
import { renderLoaded } from "../../../src/commands/input/render-loaded.ts";
import { resolvedOf } from "../../../src/render/render-all.ts";
import type { Catalogue } from "../../../src/karpenter/catalogue/catalogue.ts";
import { regionalCatalogue } from "../../../src/karpenter/catalogue/regional-catalogue.ts";
import type { Finding } from "../../../src/krm/finding.ts";
import { bundlesOfFiles } from "../../../src/library/bundles-of-files.ts";
import { shippedCatalogue } from "../../../src/library/shipped-catalogue.ts";
import { CATALOGUE, entry } from "../../support/market.ts";
import { ROOT } from "../../support/process/built.ts";
import { seedOf } from "../../support/property/seed.ts";
import { resolve } from "../../../src/resolve/resolve.ts";

const GROUP = "karpenter.hypershift.openshift.io";

const AWS = join(ROOT, "fixtures/aws");
const answer = (name: string): never => JSON.parse(readFileSync(join(AWS, `${name}.json`), "utf8")) as never;

function regional(zones: boolean): Catalogue {
  const { InstanceTypes: first } = answer("instance-types-1");
  const { InstanceTypes: second } = answer("instance-types-2");
  const { InstanceTypeOfferings: offerings } = answer("offerings");
  const { AvailabilityZones } = answer("zones");
  const answers = {
    instanceTypes: [...(first as never[]), ...(second as never[])],
    offerings,
    zones: zones ? AvailabilityZones : [],
    date: "2026-11-20",
  };
  const made = regionalCatalogue(answers, shippedCatalogue());
  if ("problem" in made) throw new Error(made.problem.message);
  return made.catalogue;
}

/** Half of the labels of half of the types unknown, as of types newer than the catalogue that their facts come from. */
function patchy(catalogue: Catalogue): Catalogue {
  const columns = [...catalogue.labels].map(([key, { sets, of }], index) => {
    const keeps = index % 2 === 0 || key === "node.kubernetes.io/instance-type";
    return [key, { sets, of: of.map((at, type) => (keeps || type % 2 === 0 ? at : 0xffff)) }] as const;
  });
  return { ...catalogue, labels: new Map(columns) };
}

const CATALOGUES: Readonly<Record<string, Catalogue>> = {
  small: CATALOGUE,
  shipped: shippedCatalogue(),
  region: regional(true),
  "region without ids": regional(false),
  patchy: patchy(CATALOGUE),
};

const RESERVATION = "karpenter.k8s.aws/capacity-reservation-id";

/** By what they are for: in `market.ts`'s short form. */
const ENTRIES = {
  common: [
    "arch In amd64",
    "arch In arm64",
    "family In m5,c5",
    "family In m7g",
    "cpu Gte 8",
    "cpu Lt 5",
    "type In m5.xlarge,m5.large",
  ],
  optional: ["gpus Exists", "gpus In 1", "gpus In 4", "gpus NotIn 4", "gpus Gt 1", "gpus DoesNotExist", "gpus In 999"],
  zones: [
    "zone In us-east-1a",
    "zone In us-east-1z",
    "zone In eu-west-1a",
    "zone In eu-west-1a,us-east-1b",
    "zone NotIn us-east-1a",
    "zone Gt 3",
    "zone DoesNotExist",
  ],
  capacity: [
    "capacity In spot",
    "capacity In reserved",
    "capacity In reserved,spot",
    "capacity NotIn spot,on-demand",
    "capacity NotIn spot",
    "capacity Exists",
  ],
  reservation: [`${RESERVATION} In cr-1`, `${RESERVATION} Exists`, `${RESERVATION} DoesNotExist`],
  custom: ["tier In gold", "tier In silver", "tier Exists min 1", "tier NotIn gold"],
  slips: ["arch In x86_64", "family In m99", "cpu Gt 100000", "cpu Lt 0", "type NotIn m5.xlarge", "arch DoesNotExist"],
  minValues: [
    "family Exists min 2",
    "family Exists min 5",
    "zone Exists min 2",
    "zone Exists min 9",
    "zone In us-east-1a,us-east-1b min 2",
    "capacity In spot,on-demand min 2",
    "capacity Exists min 3",
    "capacity Exists min 4",
    "capacity In reserved,spot min 2",
    "arch In amd64,arm64 min 2",
    "cpu Gte 4 min 3",
    "gpus Exists min 2",
    `${RESERVATION} Exists min 1`,
    "topology.k8s.aws/zone-id Exists min 2",
    "karpenter.k8s.aws/instance-network-bandwidth Exists min 50",
  ],
} as const;

const side = fc.array(fc.oneof(...Object.values(ENTRIES).map((texts) => fc.constantFrom(...texts))), { maxLength: 4 });

const question = fc.record({
  catalogue: fc.constantFrom(...Object.keys(CATALOGUES)),
  policy: fc.option(side, { nil: undefined }),
  pools: fc.array(
    fc.record({
      user: side,
      labels: fc.dictionary(fc.constantFrom("kubernetes.io/arch", "team"), fc.constantFrom("amd64", "arm64"), {
        maxKeys: 1,
      }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  nodeClass: fc.constantFrom("none", "without reservations", "with reservations", "old, without reservations"),
  profile: fc.constantFrom("hypershift", "karpenter-1.14", "karpenter-1.15"),
  amis: fc.option(fc.constantFrom("amd64", "arm64"), { nil: undefined, freq: 4 }),
});

type Question = typeof question extends fc.Arbitrary<infer T> ? T : never;

interface Said {
  readonly explanations: readonly PoolExplanation[];
  readonly findings: readonly Finding[];
}

function ask({ catalogue, policy, pools, nodeClass, profile, amis }: Question): Said {
  const objects = [
    ...(policy === undefined
      ? []
      : [
          {
            apiVersion: `${GROUP}/v1beta1`,
            kind: "AutoNodePolicy",
            metadata: { name: "default", namespace: "clusters-a" },
            spec: { nodePoolDefaults: { requirements: policy.map(entry) } },
          },
        ]),
    ...pools.map(({ user, labels }, index) => ({
      apiVersion: `${GROUP}/v1beta1`,
      kind: "OpenshiftNodePool",
      metadata: { name: `pool-${index}` },
      spec: { template: { metadata: { labels }, spec: { requirements: user.map(entry) } } },
    })),
    ...(nodeClass === "none"
      ? []
      : [
          {
            apiVersion: `${GROUP}/${nodeClass.startsWith("old") ? "v1beta1" : "v1"}`,
            kind: "OpenshiftEC2NodeClass",
            metadata: { name: "default" },
            spec:
              nodeClass === "with reservations"
                ? { capacityReservationSelectorTerms: [{ id: "cr-1" }] }
                : { tags: { team: "a" } },
          },
        ]),
    {
      apiVersion: "anp.hypershift.openshift.io/v1alpha1",
      kind: "RenderConfig",
      metadata: { name: "config" },
      spec: {
        hostedCluster: { namespace: "clusters-a", ...(amis === undefined ? {} : { amis: { [amis]: "ami-0a1b2c3d" } }) },
      },
    },
  ];
  const files = objects.map((object, index) => ({ path: `${index}.json`, text: JSON.stringify(object) }));
  const options = { profile: profile as "hypershift" };
  const loaded = bundlesOfFiles(files, options);
  const rendered = renderLoaded(loaded, options, resolve);
  const known = CATALOGUES[catalogue]!;
  const clusters = resolvedOf(rendered.value.clusters);
  return {
    explanations: explainClusters(clusters, known).flatMap(({ explanations }) => explanations),
    findings: [...rendered.findings, ...checkClusters(clusters, known, { rosa: false })],
  };
}

/** Of one pool, and of nothing that other pools may get. */
const OF_POOL: readonly string[] = ["pool-unsatisfiable", "min-values-unreachable", "requirements-conflict"];
/** Of one entry: that it leaves nothing by itself, whoever's it is. */
const OF_ENTRY: readonly string[] = ["value-unknown", "requirement-unmatchable"];

function isOfPool({ code, message }: Finding, name: string): boolean {
  return OF_POOL.includes(code) && message.startsWith(`OpenshiftNodePool ${name}:`);
}

function isOfItsConflict({ code, message, resource, field = "" }: Finding, { conflict }: PoolExplanation): boolean {
  if (code === "policy-unsatisfiable") return true;
  const leavesNone = message.endsWith("leaves none") || code === "requirement-unmatchable";
  return (
    OF_ENTRY.includes(code) &&
    leavesNone &&
    conflict.some(({ place }) => {
      const at = place.path
        .reduce<string>((text, step) => (typeof step === "number" ? `${text}[${step}]` : `${text}.${step}`), "")
        .slice(1);
      return place.resource.name === resource?.name && field.startsWith(at);
    })
  );
}

describe("a pool that gets no nodes", () => {
  const seen = new Map<string, number>();

  it("is one for explain exactly when a finding of check says so", () => {
    const count = (what: string): unknown => seen.set(what, (seen.get(what) ?? 0) + 1);
    fc.assert(
      fc.property(question, (asked) => {
        const { explanations, findings } = ask(asked);
        for (const explanation of explanations) {
          const { pool, verdict, obstacles } = explanation;
          const ofPool = findings.filter((finding) => isOfPool(finding, pool.name));
          const others = findings.filter((finding) => isOfItsConflict(finding, explanation));
          expect([verdict === "unsatisfiable", obstacles.length > 0]).toStrictEqual(
            Array(2).fill(ofPool.length + (verdict === "unsatisfiable" ? others.length : 0) > 0),
          );
          // What a pool contradicts lets it pass again, and then it gets round the policy or asks in vain.
          if (findings.some(({ code }) => code === "policy-unsatisfiable")) expect(verdict).not.toBe("ok");
          count(`${asked.catalogue}: ${verdict}`);
          for (const { from, requirement } of explanation.conflict) count(`${from} ${requirement.key}`);
          for (const { code } of [...ofPool, ...others]) if (verdict === "unsatisfiable") count(code);
        }
      }),
      { numRuns: 1000, seed: seedOf("verdicts", 21) },
    );
  });

  it("is met among the random ones, for every reason and over every catalogue", () => {
    const verdicts = Object.keys(CATALOGUES).flatMap((name) =>
      ["ok", "unsatisfiable"].map((word) => `${name}: ${word}`),
    );
    const conflicts = ["karpenter.sh/capacity-type", RESERVATION, "kubernetes.io/arch"].map((key) => `class ${key}`);
    const few = [...verdicts, ...conflicts, ...OF_POOL, ...OF_ENTRY, "policy-unsatisfiable"].filter(
      (what) => (seen.get(what) ?? 0) < 20,
    );
    expect(few).toStrictEqual([]);
  });
});
