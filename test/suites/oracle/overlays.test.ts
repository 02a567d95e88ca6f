/** Compares what NodeOverlays change with Karpenter's own controller, on random overlays, pools and types. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { adjustedPrice, evaluateOverlays, readOverlay } from "../../../src/karpenter/catalogue/node-overlays.ts";
import { formatRequirements, requirementsOf } from "../../../src/karpenter/requirements/requirements.ts";
import { parseSources } from "../../../src/krm/parse/parse.ts";
import { WELL_KNOWN_LABELS } from "../../../src/model/requirements/labels.ts";
import type { NodeSelectorRequirement } from "../../../src/model/requirements/requirement.ts";
import { askOracle } from "../../support/oracle/ask.ts";
import { seedOf } from "../../support/property/seed.ts";
import { testSource } from "../../support/source.ts";

const QUESTIONS = 2000;

const TYPE = "node.kubernetes.io/instance-type";
const CAPACITY_TYPE = "karpenter.sh/capacity-type";
const ZONE = "topology.kubernetes.io/zone";
const CPU = "karpenter.k8s.aws/instance-cpu";
const GPU = "karpenter.k8s.aws/instance-gpu-name";
const TEAM = "example.com/team";

const VALUES: Readonly<Record<string, readonly string[]>> = {
  [TYPE]: ["m5.large", "m5.xlarge", "c5.large", "g5.xlarge"],
  [CAPACITY_TYPE]: ["spot", "on-demand"],
  [ZONE]: ["a", "b"],
  [CPU]: ["2", "4", "8"],
  [GPU]: ["a10g"],
  [TEAM]: ["web", "data"],
  "karpenter.sh/nodepool": ["one", "two"],
};

const entry = fc.constantFrom(...Object.keys(VALUES)).chain((key) =>
  fc.oneof(
    fc.record({
      key: fc.constant(key),
      operator: fc.constantFrom("In" as const, "NotIn" as const),
      values: fc.subarray([...VALUES[key]!], { minLength: 1 }),
    }),
    fc.record({ key: fc.constant(key), operator: fc.constantFrom("Exists" as const, "DoesNotExist" as const) }),
    fc.record({
      key: fc.constant(CPU),
      operator: fc.constantFrom("Gt" as const, "Lt" as const, "Gte" as const, "Lte" as const),
      values: fc.constantFrom(["2"], ["4"], ["8"]),
    }),
  ),
);

const change = fc.constantFrom(
  {},
  {},
  { price: "0.01" },
  { price: "3" },
  { priceAdjustment: "-68%" },
  { priceAdjustment: "+10.5%" },
  { priceAdjustment: "-0.07" },
  { priceAdjustment: "+.5" },
);

const capacity = fc.constantFrom(
  {},
  {},
  { capacity: { "smarter-devices/fuse": "1" } },
  { capacity: { "example.com/gpu": "2" } },
  { capacity: { "smarter-devices/fuse": "4", "example.com/gpu": "3" } },
);

const spec = fc
  .tuple(
    fc.array(entry, { maxLength: 2 }),
    change,
    capacity,
    fc.constantFrom({}, { weight: 1 }, { weight: 1 }, { weight: 7 }),
  )
  .map(([requirements, ...rest]) => Object.assign({ requirements }, ...rest) as object);

const offering = fc
  .tuple(
    fc.constantFrom(...VALUES[CAPACITY_TYPE]!),
    fc.constantFrom(...VALUES[ZONE]!),
    fc.integer({ min: 1, max: 4000 }),
  )
  .map(([capacityType, zone, price]) => ({
    requirements: [oneOf(CAPACITY_TYPE, capacityType), oneOf(ZONE, zone)],
    price: price / 1000,
  }));

const question = fc
  .record({
    specs: fc.array(spec, { minLength: 1, maxLength: 5 }),
    labels: fc.tuple(...["one", "two"].map(() => fc.constantFrom({}, { [TEAM]: "web" }, { [TEAM]: "data" }))),
    types: fc.tuple(
      ...VALUES[TYPE]!.map((name) =>
        fc
          .tuple(fc.constantFrom(...VALUES[CPU]!), fc.array(offering, { minLength: 1, maxLength: 4 }))
          .map(([cpus, offerings]) => {
            const entries: NodeSelectorRequirement[] = [
              oneOf(TYPE, name),
              oneOf(CPU, cpus),
              { key: ZONE, operator: "In", values: VALUES[ZONE]! },
              { key: CAPACITY_TYPE, operator: "In", values: VALUES[CAPACITY_TYPE]! },
              name.startsWith("g5") ? oneOf(GPU, "a10g") : { key: GPU, operator: "DoesNotExist" },
            ];
            return { name, requirements: entries, offerings };
          }),
      ),
    ),
  })
  .map(({ specs, labels, types }) => ({
    overlays: specs.map((one, at) => ({ metadata: { name: `overlay-${at}` }, spec: one })),
    pools: labels.map((own, at) => ({
      metadata: { name: ["one", "two"][at]! },
      spec: { template: { metadata: { labels: own }, spec: {} } },
    })),
    types,
  }));

function oneOf(key: string, value: string): NodeSelectorRequirement {
  return { key, operator: "In", values: [value] };
}

function answerOf({ overlays, pools, types }: typeof question extends fc.Arbitrary<infer T> ? T : never) {
  const read = overlays.map((overlay) => {
    const text = JSON.stringify({ apiVersion: "karpenter.sh/v1alpha1", kind: "NodeOverlay", ...overlay });
    return readOverlay(parseSources([testSource(text)]).value[0]!)!;
  });
  const evaluated = evaluateOverlays(
    read,
    pools.map(({ metadata, spec: { template } }) => ({ name: metadata.name, labels: template.metadata.labels })),
    types.map(({ name, requirements, offerings }) => ({
      name,
      requirements: requirementsOf(requirements),
      offerings: offerings.map((one) => requirementsOf(one.requirements)),
    })),
    WELL_KNOWN_LABELS,
  );
  const results = pools.map(({ metadata: { name: pool } }) => {
    const ofTypes = types.map(({ name, offerings }) => {
      const update = evaluated.updateOf(pool, name);
      const prices = offerings.map(({ requirements, price }) => {
        const found = update?.prices.get(formatRequirements(requirementsOf(requirements)));
        return found === undefined ? price : adjustedPrice(price, found.change);
      });
      return [name, { capacity: Object.fromEntries(update?.capacity ?? []), prices }];
    });
    return [pool, Object.fromEntries(ofTypes)];
  });
  return { conflicting: evaluated.conflicting, pools: Object.fromEntries(results) };
}

test.each(["1.14", "1.15"] as const)("overlays change what Karpenter's controller of %s changes", async (karpenter) => {
  const samples = fc.sample(question, { numRuns: QUESTIONS, seed: seedOf("overlays", 20_261_127) });
  const replies = await askOracle(
    samples.map((sample) => ({ op: "overlays", ...sample })),
    karpenter,
  );
  let conflicts = 0;
  let changed = 0;
  for (const [at, sample] of samples.entries()) {
    const ours = answerOf(sample);
    expect(replies[at]!.answer, JSON.stringify(sample)).toEqual(ours);
    conflicts += ours.conflicting.length;
    changed += JSON.stringify(ours.pools).includes('"example.com/gpu"') ? 1 : 0;
  }
  expect(conflicts).toBeGreaterThan(QUESTIONS / 10);
  expect(changed).toBeGreaterThan(QUESTIONS / 10);
});
