/** Tests the complete migration to v1 and back: pools keep their meaning, and no conversion annotations remain. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hasErrors } from "../../../src/krm/findings/finding.ts";
import { parseSources } from "../../../src/krm/parse/parse.ts";
import { testSource } from "../../support/source.ts";
import { type Fields, fieldsOf, listOf } from "../../../src/krm/values/fields.ts";
import { migrate } from "../../../src/migrate/migrate.ts";
import { seedOf } from "../../support/property/seed.ts";

interface Pool {
  readonly name: string;
  readonly nodeClass: string;
  readonly version: "v1beta1" | "v1";
  readonly maxPods: number | undefined;
  readonly expireAfter: string | undefined;
}

const pool: fc.Arbitrary<Pool> = fc.record({
  name: fc.constantFrom("a", "b", "c", "d", "e"),
  nodeClass: fc.constantFrom("x", "y"),
  version: fc.constantFrom("v1beta1", "v1beta1", "v1"),
  maxPods: fc.constantFrom(undefined, 10, 20, 30),
  expireAfter: fc.constantFrom(undefined, "24h", "Never"),
});
const pools = fc.uniqueArray(pool, { minLength: 1, maxLength: 5, selector: ({ name }) => name });

const KUBELET = "karpenter.sh/v1beta1-kubelet-conversion";

/** Both spellings of the annotation are in use. */
function poolObject({ name, nodeClass, version, maxPods, expireAfter }: Pool): Fields {
  const kubelet = maxPods === undefined ? undefined : { maxPods };
  const spelling = name < "c" ? "compatibility" : "compatability";
  if (version === "v1") {
    const nodeClassRef = { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: nodeClass };
    const annotations = kubelet === undefined ? {} : { [`${spelling}.${KUBELET}`]: JSON.stringify(kubelet) };
    const template = { spec: { nodeClassRef, requirements: [], expireAfter } };
    return { apiVersion: "karpenter.sh/v1", kind: "NodePool", metadata: { name, annotations }, spec: { template } };
  }
  const template = { spec: { nodeClassRef: { name: nodeClass }, requirements: [], kubelet } };
  const disruption = expireAfter === undefined ? undefined : { expireAfter };
  return { apiVersion: "karpenter.sh/v1beta1", kind: "NodePool", metadata: { name }, spec: { template, disruption } };
}

function classObject(name: string): Fields {
  const terms = [{ tags: { "karpenter.sh/discovery": "c1" } }];
  const spec = { amiFamily: "AL2023", role: "r", subnetSelectorTerms: terms, securityGroupSelectorTerms: terms };
  return { apiVersion: "karpenter.k8s.aws/v1beta1", kind: "EC2NodeClass", metadata: { name }, spec };
}

function migrated(objects: readonly Fields[], to: "v1" | "v1beta1"): readonly Fields[] {
  const text = objects.map((object) => `---\n${JSON.stringify(object)}\n`).join("");
  const { value: resources } = parseSources([testSource(text)]);
  const { value, findings } = migrate(resources, { to, compat: false, profile: "karpenter-1.14" });
  expect(hasErrors(findings), JSON.stringify(findings)).toBe(false);
  return resources.flatMap((resource) => {
    const found = value.find((one) => one.resource === resource);
    return found === undefined ? [resource.value] : [found.value, ...found.split.map((one) => one.value)];
  });
}

const nameOf = (object: Fields): unknown => fieldsOf(object["metadata"])["name"];
const templateOf = (object: Fields): Fields => fieldsOf(fieldsOf(fieldsOf(object["spec"])["template"])["spec"]);
const classNameOf = (object: Fields): unknown => fieldsOf(templateOf(object)["nodeClassRef"])["name"];
const ofKind = (objects: readonly Fields[], kind: string) => objects.filter((object) => object["kind"] === kind);

const seed = seedOf("the complete migration to v1", 20_261_121);

describe("the complete migration to v1", () => {
  test("every pool keeps its kubelet settings and node lifetime, and no conversion annotation remains", () => {
    let splits = 0;
    fc.assert(
      fc.property(pools, (input) => {
        const result = migrated([...input.map(poolObject), classObject("x"), classObject("y")], "v1");
        expect(JSON.stringify(result)).not.toMatch(/compat[ai]bility|v1beta1/);
        const classes = new Map(ofKind(result, "EC2NodeClass").map((one) => [nameOf(one), fieldsOf(one["spec"])]));
        expect(classes.size).toBe(ofKind(result, "EC2NodeClass").length);
        splits += classes.size - 2;
        for (const { name, maxPods, expireAfter } of input) {
          const own = ofKind(result, "NodePool").find((one) => nameOf(one) === name)!;
          const used = classes.get(classNameOf(own))!;
          expect(used["kubelet"]).toStrictEqual(maxPods === undefined ? undefined : { maxPods });
          expect(templateOf(own)["expireAfter"]).toBe(expireAfter);
          expect(listOf(used["amiSelectorTerms"])).toStrictEqual([{ alias: "al2023@latest" }]);
        }
        for (const nodeClass of ["x", "y"]) keepsItsName(input, nodeClass, result);
      }),
      { seed, numRuns: 600 },
    );
    expect(splits).toBeGreaterThan(100);
  });

  test("and back, every pool keeps its meaning", () => {
    fc.assert(
      fc.property(pools, (input) => {
        const there = migrated([...input.map(poolObject), classObject("x"), classObject("y")], "v1");
        const back = migrated(there, "v1beta1");
        for (const { name, maxPods, expireAfter } of input) {
          const own = ofKind(back, "NodePool").find((one) => nameOf(one) === name)!;
          expect(own["apiVersion"]).toBe("karpenter.sh/v1beta1");
          expect(templateOf(own)["kubelet"]).toStrictEqual(maxPods === undefined ? undefined : { maxPods });
          expect(fieldsOf(fieldsOf(own["spec"])["disruption"])["expireAfter"]).toBe(expireAfter);
        }
        const again = migrated(back, "v1");
        expect(again.map(asJson)).toStrictEqual(there.map(asJson));
      }),
      { seed, numRuns: 300 },
    );
  });

  test("is idempotent", () => {
    fc.assert(
      fc.property(pools, (input) => {
        const once = migrated([...input.map(poolObject), classObject("x"), classObject("y")], "v1");
        expect(migrated(once, "v1")).toStrictEqual(once);
      }),
      { seed, numRuns: 300 },
    );
  });
});

/** The settings of most pools keep the class; of equally many, those of the first name. */
function keepsItsName(input: readonly Pool[], nodeClass: string, result: readonly Fields[]): void {
  const users = input.filter((one) => one.nodeClass === nodeClass);
  const kept = users.filter(({ name }) =>
    ofKind(result, "NodePool").some((one) => nameOf(one) === name && classNameOf(one) === nodeClass),
  );
  for (const { maxPods } of users) {
    const rivals = users.filter((one) => one.maxPods === maxPods);
    expect(kept.length).toBeGreaterThanOrEqual(rivals.length);
    const first = (some: readonly Pool[]): string => some.map(({ name }) => name).toSorted()[0]!;
    if (rivals.length === kept.length) expect(first(kept) <= first(rivals)).toBe(true);
    const name = `${nodeClass}-${first(rivals)}`;
    const named = rivals.every((rival) => kept.includes(rival)) ? nodeClass : name;
    for (const rival of rivals)
      expect(classNameOf(ofKind(result, "NodePool").find((one) => nameOf(one) === rival.name)!)).toBe(named);
  }
}

function asJson(object: Fields): unknown {
  return JSON.parse(JSON.stringify(object)) as unknown;
}
