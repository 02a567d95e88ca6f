/** Tests the vectors of one key against Karpenter's answers (test/support/oracle/vectors.ts). */
import { describe, expect, it } from "vitest";
import type { NodeSelectorRequirement, Operator } from "../../model/requirements/requirement.ts";
import {
  admitsAbsence,
  formatRequirement,
  intersection,
  operatorOf,
  type Requirement,
  requirementOf,
} from "./requirement.ts";

/** `In a,b @min2` → an entry of key `k`. */
function entry(text: string): NodeSelectorRequirement {
  const [, operator, values, minValues] = /^(\w+)(?: ([^@]*?))?(?: ?@min(\d+))?$/.exec(text)!;
  return {
    key: "k",
    operator: operator as Operator,
    values: values === undefined || values === "" ? [] : values.split(","),
    ...(minValues === undefined ? {} : { minValues: Number(minValues) }),
  };
}

const merge = (...entries: string[]): Requirement =>
  entries.map((text) => requirementOf(entry(text))).reduce(intersection);

describe("intersection", () => {
  it.each([
    [1, ["In a,b", "In b,c"], "In [b]"],
    [2, ["In a", "In b"], "DoesNotExist"],
    [3, ["In a,b", "NotIn b"], "In [a]"],
    [4, ["In a", "NotIn a"], "DoesNotExist"],
    [5, ["NotIn a", "NotIn b"], "NotIn [a b]"],
    [6, ["Exists", "NotIn a"], "NotIn [a]"],
    [7, ["Exists", "DoesNotExist"], "DoesNotExist"],
    [8, ["DoesNotExist", "NotIn a"], "DoesNotExist"],
    [9, ["In", "Exists"], "DoesNotExist"],
    [10, ["NotIn", "Exists"], "Exists"],
    [11, ["Gt 1", "Lt 9"], "Exists >=2 <=8"],
    [12, ["Gt 5", "Lt 6"], "DoesNotExist"],
    [13, ["Gt 5", "Lt 7"], "Exists >=6 <=6"],
    [14, ["Gte 5", "Lte 5"], "Exists >=5 <=5"],
    [15, ["Gte 6", "Lte 5"], "DoesNotExist"],
    [16, ["Gt 1", "Gt 9"], "Exists >=10"],
    [17, ["Gt 1", "Gte 2"], "Exists >=2"],
    [18, ["Lt 9", "Lte 8"], "Exists <=8"],
    [19, ["Gt 1", "In a,1,2,05,5.0"], "In [05 2]"],
    [21, ["NotIn 1,2", "Gt 1"], "NotIn [2] >=2"],
    [23, ["NotIn 2,5", "Gt 1"], "NotIn [2 5] >=2"],
    [25, ["NotIn 5", "Lt 5"], "Exists <=4"],
    [27, ["Lt 0", "In 0"], "DoesNotExist"],
    [29, ["Gt 9223372036854775807", "Exists"], "DoesNotExist"],
    [31, ["Gte 9223372036854775807"], "Exists >=9223372036854775807"],
    [33, ["Gt 99999999999999999999"], "DoesNotExist"],
    [35, ["In a,b @min2", "In a,b,c @min3"], "In [a b] minValues 3"],
    [37, ["Exists @min5", "In a,b"], "In [a b] minValues 5"],
    [39, ["In a,a @min2"], "In [a] minValues 2"],
    [41, ["Exists a,b", "In c"], "In [c]"],
    [45, ["In a,b,c", "In b,c,d", "NotIn c"], "In [b]"],
  ])("vector %i: %j is %s", (_number, entries, printed) => {
    expect(formatRequirement(merge(...entries))).toBe(printed);
    expect(formatRequirement(merge(...entries.toReversed()))).toBe(printed);
  });

  it("prints five values and counts the rest", () => {
    expect(formatRequirement(merge("In g,f,e,d,c,b,a"))).toBe("In [a b c d e and 2 others]");
  });
});

describe("an instance type without the label", () => {
  it.each([
    ["vector 49: bounds alone report Exists", ["Lt 2"], "Exists", false],
    ["vector 51: an exclusion beside them turns that round", ["Lt 4", "NotIn 1"], "NotIn", true],
    ["vector 53: an empty merge", ["In a", "In b"], "DoesNotExist", true],
    ["vector 47: Exists", ["Exists"], "Exists", false],
    ["values", ["In a"], "In", false],
  ] as const)("%s", (_what, entries, operator, passes) => {
    const merged = merge(...entries);
    expect([operatorOf(merged), admitsAbsence(merged)]).toStrictEqual([operator, passes]);
  });
});

describe("construction", () => {
  it.each([
    ["failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone"],
    ["failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region"],
    ["beta.kubernetes.io/arch", "kubernetes.io/arch"],
    ["beta.kubernetes.io/os", "kubernetes.io/os"],
    ["beta.kubernetes.io/instance-type", "node.kubernetes.io/instance-type"],
    ["example.com/constructor", "example.com/constructor"],
    ["constructor", "constructor"],
  ])("normalizes %s to %s", (key, normalised) => {
    expect(requirementOf({ key, operator: "Exists" }).key).toBe(normalised);
  });

  it.each([
    ["Gt", "x", "Exists >=1"],
    ["Lt", "", "Exists <=-1"],
    ["Gte", "+7", "Exists >=7"],
    ["Lte", "-99999999999999999999", "Exists <=-9223372036854775808"],
    ["Gte", "99999999999999999999x", "Exists >=9223372036854775807"],
    ["Gte", "99999999999999999x", "Exists >=0"],
    ["Lt", "-9223372036854775808", "Exists <=9223372036854775807"],
  ] as const)("%s of %j is %s, as in Go's Atoi", (operator, value, printed) => {
    expect(formatRequirement(requirementOf({ key: "k", operator, values: [value] }))).toBe(printed);
  });
});
