/** Tests `--where` conditions: their meaning, and the number of EC2 instance types that match. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { catalogueOfTable } from "../../../scripts/build-catalogue.ts";
import type { NodeSelectorRequirement } from "../../model/requirements/requirement.ts";
import { parseWhere } from "./parse-where.ts";
import { requirementsOf } from "../requirements/requirements.ts";
import { typeFilter } from "./type-filter.ts";
import type { TypePrices } from "./type-prices.ts";
import { countTypes } from "./type-mask.ts";

const catalogue = catalogueOfTable(
  readFileSync(new URL("../../../data/ec2-instance-types.csv", import.meta.url), "utf8"),
);
const filter = typeFilter(catalogue);
const keys = [...catalogue.wellKnown];

function requirement(text: string, known: readonly string[] = keys): NodeSelectorRequirement {
  const where = parseWhere(text, known);
  if (!("requirement" in where)) throw new Error(JSON.stringify(where));
  return where.requirement;
}

it.each<[text: string, operator: string, values?: readonly string[]]>([
  ["a.b/c=v", "In", ["v"]],
  ["a.b/c==v", "In", ["v"]],
  [" a.b/c = v ", "In", ["v"]],
  ["a.b/c=", "In", [""]],
  ["a.b/c!=v", "NotIn", ["v"]],
  ["a.b/c in (v, w)", "In", ["v", "w"]],
  ["a.b/c IN (v)", "In", ["v"]],
  ["a.b/c notin (v,w)", "NotIn", ["v", "w"]],
  ["a.b/c>=4", "Gte", ["4"]],
  ["a.b/c >= 4", "Gte", ["4"]],
  ["a.b/c<=4", "Lte", ["4"]],
  ["a.b/c>4", "Gt", ["4"]],
  ["a.b/c<4", "Lt", ["4"]],
  ["a.b/c", "Exists"],
  ["!a.b/c", "DoesNotExist"],
  ["! a.b/c", "DoesNotExist"],
])("%s is %s %j", (text, operator, values) => {
  expect(requirement(text, ["a.b/c"])).toStrictEqual({ key: "a.b/c", operator, ...(values && { values }) });
});

it("accepts deprecated label names", () => {
  expect(requirement("beta.kubernetes.io/arch=arm64").key).toBe("kubernetes.io/arch");
});

it.each<[text: string, problem: string]>([
  ["", '"" is not a condition: write KEY=VALUE, '],
  ["a.b/c in v", '"a.b/c in v" is not a condition: '],
  ["a.b/c in (v", '"a.b/c in (v" is not a condition: '],
  ["a.b/c=v w", '"a.b/c=v w" is not a condition: '],
  ["a.b/c=>4", '"a.b/c=>4" is not a condition: '],
  ["=v", '"=v" is not a condition: '],
  [
    "karpenter.k8s.aws/instance-memory>=16Gi",
    '"karpenter.k8s.aws/instance-memory>=16Gi" compares with "16Gi", which is not a whole number',
  ],
  [
    "karpenter.k8s.aws/instance-cpu>",
    '"karpenter.k8s.aws/instance-cpu>" compares with "", which is not a whole number',
  ],
  ["instance-cpu>=4", "no instance type has the label instance-cpu; did you mean karpenter.k8s.aws/instance-cpu?"],
  ["cpu>=4", "no instance type has the label cpu; did you mean karpenter.k8s.aws/instance-cpu?"],
  ["arch=arm64", "no instance type has the label arch; did you mean kubernetes.io/arch?"],
  [
    "karpenter.k8s.aws/instance-cpus=4",
    "no instance type has the label karpenter.k8s.aws/instance-cpus; did you mean karpenter.k8s.aws/instance-cpu?",
  ],
  ["example.com/team=a", "no instance type has the label example.com/team; `anp catalogue -o json` lists them"],
])("%j: %s", (text, problem) => {
  const where = parseWhere(text, keys);
  expect("problem" in where ? where.problem : where).toContain(problem);
});

/** Counted in the table with awk; 70 of 1,363 types have a GPU, 36 of them one. */
describe.each<[conditions: readonly string[], left: number]>([
  [[], 1363],
  [["kubernetes.io/arch=arm64"], 396],
  [["karpenter.k8s.aws/instance-gpu-count"], 70],
  [["!karpenter.k8s.aws/instance-gpu-count"], 1293],
  // A missing label is not less than any value, but it differs from any value.
  [["karpenter.k8s.aws/instance-gpu-count<1000"], 70],
  [["karpenter.k8s.aws/instance-gpu-count!=1"], 1327],
  [["karpenter.k8s.aws/instance-gpu-count notin (0,1,2,4,8,16)"], 1293],
  // A contradiction on an optional label matches types that lack it.
  [["karpenter.k8s.aws/instance-gpu-count>=4", "karpenter.k8s.aws/instance-gpu-count<=2"], 1293],
  [["karpenter.k8s.aws/instance-cpu>=8", "karpenter.k8s.aws/instance-cpu<=4"], 0],
  // Values that are unknown for every type exclude none.
  [["topology.kubernetes.io/zone=us-east-1a"], 1363],
  [["karpenter.k8s.aws/instance-tenancy=dedicated"], 1363],
  [["node.kubernetes.io/windows-build"], 0],
  [["karpenter.k8s.aws/instance-hypervisor="], 143],
])("%j", (conditions, left) => {
  it(`leaves ${left}`, () => {
    expect(countTypes(filter.compatible(requirementsOf(conditions.map((text) => requirement(text)))))).toBe(left);
  });
});

const PRICES: TypePrices = {
  onDemand: new Map([
    ["a", 0.5],
    ["b", 1],
  ]),
  spot: new Map([["b", 0.3]]),
};

it.each([
  ["price<=0.5", "a"],
  ["price<0.5", ""],
  ["price>0.5", "b"],
  ["price >= 0.5", "a b"],
  ["price=1", "b"],
  ["price!=1", "a"],
  ["price", "a b"],
  ["!price", "c"],
  ["spot-price<0.4", "b"],
  ["!spot-price", "a c"],
])("%s leaves the types %j", (text, left) => {
  const where = parseWhere(text, keys);
  if (!("price" in where)) throw new Error(JSON.stringify(where));
  expect(["a", "b", "c"].filter((type) => where.price(type, PRICES)).join(" ")).toBe(left);
});

it.each(["price<=cheap", "price=", "price<=-1", "price in (0.5,1)"])("%s is not a price", (text) => {
  expect(parseWhere(text, keys)).toStrictEqual({ problem: expect.stringContaining("which is not a price") as string });
});

it("treats a label named price as a label", () => {
  expect(requirement("price=low", ["price"])).toStrictEqual({ key: "price", operator: "In", values: ["low"] });
});
