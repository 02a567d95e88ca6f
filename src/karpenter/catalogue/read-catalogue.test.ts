/** Tests catalogues from users: both forms, and one clear error for anything else. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Catalogue, pricesOfCatalogue } from "./catalogue.ts";
import { catalogueJson } from "./catalogue-json.ts";
import { catalogueOf } from "./catalogue-of.ts";
import { AWS_LABELS } from "../requirements/label-presence.ts";
import { readCatalogue } from "./read-catalogue.ts";
import { formatRequirement } from "../requirements/requirement.ts";
import { formatRequirements, requirementsOf } from "../requirements/requirements.ts";
import { typeFilter } from "./type-filter.ts";
import { writeCatalogue } from "./write-catalogue.ts";

const COMPACT = {
  schemaVersion: 1,
  source: "a test",
  date: "2026-11",
  names: ["a.large", "b.large", "c.large"],
  labels: { "kubernetes.io/arch": { values: [["amd64"], null], of: [[0, 2], -1] } },
  offerings: { values: [[{ requirements: {}, available: true }]], of: [[0, 3]] },
  allocatable: { cpu: { values: ["2"], of: [-1, 0, 0] } },
};

function read(given: unknown): Catalogue {
  const result = readCatalogue(JSON.stringify(given), "mine.json");
  if ("problem" in result) throw new Error(result.problem.message);
  return result.catalogue;
}

const problemOf = (text: string): string | undefined => {
  const result = readCatalogue(text, "mine.json");
  return "problem" in result ? result.problem.message : undefined;
};

/** The requirements of each type, in Karpenter's notation. */
function described(catalogue: Catalogue): object {
  return JSON.parse(catalogueJson(catalogue, typeFilter(catalogue).all)) as object;
}

describe("the compact form", () => {
  it("has labels, offerings and resources of each type", () => {
    const { names, labels, offerings, allocatable, source, date, wellKnown, optional } = read(COMPACT);
    const arch = labels.get("kubernetes.io/arch")!;
    expect(arch.sets.map(formatRequirement)).toStrictEqual(["In [amd64]", "DoesNotExist"]);
    expect([...arch.of]).toStrictEqual([0, 0, 0xffff]);
    expect(labels.get("node.kubernetes.io/instance-type")!.sets.map(formatRequirement)).toStrictEqual(
      names.map((name) => `In [${name}]`),
    );
    expect(offerings.sets).toStrictEqual([[{ requirements: new Map(), available: true }]]);
    expect([...offerings.of]).toStrictEqual([0, 0, 0]);
    expect(allocatable.get("cpu")).toStrictEqual([undefined, "2", "2"]);
    expect({ source, date, wellKnown, optional }).toStrictEqual({ source: "a test", date: "2026-11", ...AWS_LABELS });
  });

  it("names its own well-known and optional labels", () => {
    const { wellKnown, optional } = read({ ...COMPACT, wellKnownLabels: ["a/b", "c/d"], optionalLabels: ["a/b"] });
    expect([wellKnown, optional]).toStrictEqual([new Set(["a/b", "c/d"]), new Set(["a/b"])]);
  });
});

const OPEN = {
  instanceTypes: [
    {
      name: "big",
      requirements: [
        { key: "kubernetes.io/arch", operator: "In", values: ["amd64"] },
        { key: "example.com/size", operator: "Gt", values: ["4"] },
        { key: "example.com/gpu", operator: "In", values: ["yes"] },
      ],
      offerings: [
        {
          requirements: [{ key: "topology.kubernetes.io/zone", operator: "In", values: ["z1"] }],
          available: false,
          price: 0.5,
        },
      ],
      capacity: { cpu: "8", memory: "16Gi" },
      allocatable: { cpu: "7900m", pods: 110 },
    },
    {
      name: "another",
      requirements: [{ key: "example.com/gpu", operator: "DoesNotExist", values: null }],
      capacity: { cpu: 4 },
    },
  ],
  wellKnownLabels: [
    "kubernetes.io/arch",
    "example.com/gpu",
    "node.kubernetes.io/instance-type",
    "topology.kubernetes.io/zone",
    "karpenter.sh/nodepool",
    "topology.kubernetes.io/region",
  ],
};

describe("the open form", () => {
  it("has the data of each type, sorted by name", () => {
    const catalogue = read(OPEN);
    expect(catalogue).toMatchObject({ names: ["another", "big"], source: "mine.json", date: "undated" });
    const said = catalogue.names.map((_, type) =>
      [...catalogue.labels].flatMap(([key, { sets, of }]) =>
        sets[of[type]!] ? [`${key} ${formatRequirement(sets[of[type]!]!)}`] : [],
      ),
    );
    expect(said).toStrictEqual([
      ["example.com/gpu DoesNotExist", "node.kubernetes.io/instance-type In [another]"],
      [
        "example.com/gpu In [yes]",
        "example.com/size Exists >=5",
        "kubernetes.io/arch In [amd64]",
        "node.kubernetes.io/instance-type In [big]",
      ],
    ]);
    const offered = catalogue.offerings.sets.map((set) =>
      set.map(({ requirements, available, price }) => [formatRequirements(requirements), available, price]),
    );
    expect(offered).toStrictEqual([[["", true, undefined]], [["topology.kubernetes.io/zone In [z1]", false, 0.5]]]);
    expect(Object.fromEntries(catalogue.allocatable)).toStrictEqual({
      cpu: ["4", "7900m"],
      pods: [undefined, "110"],
    });
  });

  it("treats labels that a type may lack as optional, except the name of the pool", () => {
    expect(read(OPEN).optional).toStrictEqual(
      new Set([
        "kubernetes.io/arch",
        "example.com/gpu",
        "topology.kubernetes.io/zone",
        "topology.kubernetes.io/region",
      ]),
    );
    expect(read({ ...OPEN, optionalLabels: ["example.com/gpu"] }).optional).toStrictEqual(new Set(["example.com/gpu"]));
  });

  it("defaults to the well-known and optional labels of the AWS provider", () => {
    const arch = [{ key: "kubernetes.io/arch", operator: "In", values: ["amd64"] }];
    const { wellKnown, optional } = read({ instanceTypes: [{ name: "a", requirements: arch }] });
    expect(wellKnown).toBe(AWS_LABELS.wellKnown);
    expect(optional).toStrictEqual(AWS_LABELS.optional);
    const some = read({ instanceTypes: [{ name: "a", requirements: arch }, { name: "b" }] });
    expect(some.optional).toStrictEqual(new Set([...AWS_LABELS.optional, "kubernetes.io/arch"]));
  });

  it("excludes no type for a label without data", () => {
    const filter = typeFilter(read(OPEN));
    const asked = requirementsOf([{ key: "topology.kubernetes.io/region", operator: "In", values: ["r1"] }]);
    expect(filter.compatible(asked)).toStrictEqual(filter.compatible(new Map()));
  });
});

const { offerings: _offerings, ...WITHOUT_OFFERINGS } = COMPACT;

it.each<[text: string, problem: string]>([
  ["", "is empty"],
  ["{", "is not JSON: Expected property name or '}' in JSON at position 1 (line 1 column 2)"],
  ["null", "is not a catalogue of instance types"],
  ["[]", "is not a catalogue of instance types"],
  ["{}", "is not a catalogue of instance types"],
  ['{"apiVersion":"v1","kind":"List","items":[]}', "is not a catalogue of instance types"],
  ['{"InstanceTypes":[]}', "is a response of `aws ec2`, not a catalogue"],
  ['{"InstanceTypeOfferings":[]}', "is a response of `aws ec2`, not a catalogue"],
  [JSON.stringify({ ...COMPACT, schemaVersion: 2 }), "has schemaVersion 2, but this anp reads 1"],
  [JSON.stringify({ ...OPEN, schemaVersion: "1" }), 'has schemaVersion "1", but this anp reads 1'],
  [JSON.stringify({ ...COMPACT, schemaVersion: undefined }), "schemaVersion must be 1, not nothing"],
  [JSON.stringify(WITHOUT_OFFERINGS), "offerings is missing"],
  [JSON.stringify({ ...COMPACT, names: [1] }), "names[0] must be a string, not 1"],
  [JSON.stringify({ ...COMPACT, names: [] }), "has no instance types"],
  [JSON.stringify({ ...COMPACT, names: ["b", "a", "c"] }), "names: a must be listed once, in order"],
  [
    JSON.stringify({ ...COMPACT, names: ["a", "b"] }),
    'labels["kubernetes.io/arch"].of is for 3 instance types, and there are 2',
  ],
  [
    JSON.stringify({ ...COMPACT, allocatable: { cpu: { values: ["2"], of: [0, 1, 0] } } }),
    'allocatable["cpu"].of names place 1, and there are 1 values',
  ],
  [
    JSON.stringify({ ...COMPACT, offerings: { values: [], of: [[-1, 3]] } }),
    "offerings.of names place -1, and there are 0 values",
  ],
  [JSON.stringify({ instanceTypes: [] }), "has no instance types"],
  [JSON.stringify({ instanceTypes: [{ name: "a" }, { name: "a" }] }), "gives the instance type a twice"],
  [JSON.stringify({ instanceTypes: [{ requirements: [] }] }), "instanceTypes[0].name is missing"],
  [
    JSON.stringify({ instanceTypes: [{ name: "a", requirements: [{ key: "k", operator: "IN" }] }] }),
    'instanceTypes[0].requirements[0].operator must be one of In, NotIn, Exists, DoesNotExist, Gt, Lt, Gte, Lte, not "IN"',
  ],
  [
    JSON.stringify({ instanceTypes: [{ name: "a", offerings: [{ price: "0.1" }] }] }),
    'instanceTypes[0].offerings[0].price must be a number, not "0.1"',
  ],
  [
    JSON.stringify({ prices: { currency: "dollar" }, instanceTypes: [{ name: "a" }] }),
    'prices.currency is "dollar", which is not a currency: write three letters, such as USD',
  ],
])("%s %s", (text, problem) => {
  expect(problemOf(text)).toBe(problem);
});

describe("reads what anp writes", () => {
  const labelSet = fc.uniqueArray(fc.constantFrom("a", "b", "c", "1", "2"), { maxLength: 3 });
  const labels = fc.dictionary(fc.constantFrom("kubernetes.io/arch", "x.io/a", "x.io/b"), labelSet);
  const requirements = labels.map((sets) =>
    requirementsOf(Object.entries(sets).map(([key, values]) => ({ key, operator: "In" as const, values }))),
  );
  const offering = fc.record(
    { requirements, available: fc.boolean(), price: fc.float({ min: 0, max: 100, noNaN: true }) },
    { requiredKeys: ["requirements", "available"] },
  );
  const type = fc.record({
    name: fc.stringMatching(/^[a-d]{1,3}$/),
    labels: requirements,
    offerings: fc.array(offering, { maxLength: 3 }),
    allocatable: fc.dictionary(fc.constantFrom("cpu", "memory"), fc.constantFrom("1", "2")),
  });
  const types = fc.uniqueArray(type, { selector: ({ name }) => name, minLength: 1, maxLength: 20 });
  const named = types.map((list) =>
    list.map((one) => ({
      ...one,
      labels: new Map([
        ...one.labels,
        ...requirementsOf([{ key: "node.kubernetes.io/instance-type", operator: "In", values: [one.name] }]),
      ]),
    })),
  );

  it.each<[string, (catalogue: Catalogue) => string]>([
    ["the compact form", writeCatalogue],
    ["the open form", (catalogue) => catalogueJson(catalogue, typeFilter(catalogue).all)],
  ])("in %s", (_form, write) => {
    fc.assert(
      fc.property(named, (list) => {
        const head = { source: "s", date: "2026" };
        const made = catalogueOf({ ...head, ...AWS_LABELS }, list);
        const prices = pricesOfCatalogue(head, made.offerings.sets, undefined);
        const catalogue = prices === undefined ? made : { ...made, prices };
        const result = readCatalogue(write(catalogue), "mine.json");
        expect("catalogue" in result && described(result.catalogue)).toStrictEqual(described(catalogue));
      }),
    );
  });
});
