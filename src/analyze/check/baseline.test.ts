/** Baselines: accepted, new and stale findings, and codes that cannot be accepted. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Finding } from "../../krm/findings/finding.ts";
import { codeEntry, FINDING_CODES, type FindingCode } from "../../krm/findings/finding-codes.ts";
import { acceptFindings, formatBaseline, isAcceptable, parseBaseline } from "./baseline.ts";

const WEB = { apiVersion: "karpenter.hypershift.openshift.io/v1beta1", kind: "OpenshiftNodePool", name: "web" };

const conflict: Finding = {
  code: "requirements-conflict",
  severity: "warning",
  message: "OpenshiftNodePool web: `In [a]` has nothing in common with `In [b]` (policy.yaml:9, config.yaml:12)",
  resource: WEB,
  field: "spec.template.spec.requirements[0]",
  file: "pool.yaml",
  line: 13,
  column: 11,
};

function accepted(before: readonly Finding[], now: readonly Finding[]): string {
  const entries = parseBaseline(formatBaseline(before))!;
  const { left, accepted: count, stale } = acceptFindings(now, entries);
  return `${left.length} left, ${count} accepted, ${stale.length} stale`;
}

describe("a finding is the same", () => {
  it.each<[string, Partial<Finding>, string]>([
    ["when nothing changes", {}, "0 left, 1 accepted, 0 stale"],
    ["when lines move", { line: 99, column: 1 }, "0 left, 1 accepted, 0 stale"],
    ["when the object moves to another file", { file: "other.yaml" }, "0 left, 1 accepted, 0 stale"],
    [
      "when places in the words move, or are given in another way",
      { message: conflict.message.replace("(policy.yaml:9, config.yaml:12)", "(./in/policy.yaml:10, /c.yaml:1)") },
      "0 left, 1 accepted, 0 stale",
    ],
    ["when its severity is changed", { severity: "error" }, "0 left, 1 accepted, 0 stale"],
    [
      "when the object is of another version",
      { resource: { ...WEB, apiVersion: "x/v1" } },
      "0 left, 1 accepted, 0 stale",
    ],
    ["but not of another object", { resource: { ...WEB, name: "api" } }, "1 left, 0 accepted, 1 stale"],
    ["but not in another namespace", { resource: { ...WEB, namespace: "a" } }, "1 left, 0 accepted, 1 stale"],
    ["but not of another field", { field: "spec.weight" }, "1 left, 0 accepted, 1 stale"],
    ["but not with another code", { code: "requirement-ignored" }, "1 left, 0 accepted, 1 stale"],
    ["but not about another value", { message: conflict.message.replace("[a]", "[c]") }, "1 left, 0 accepted, 1 stale"],
  ])("%s", (_what, change, result) => {
    expect(accepted([conflict], [{ ...conflict, ...change }])).toBe(result);
  });
});

it("accepts each finding once", () => {
  expect(accepted([conflict], [conflict, conflict])).toBe("1 left, 1 accepted, 0 stale");
  expect(accepted([conflict, conflict], [conflict])).toBe("0 left, 1 accepted, 1 stale");
});

const codes = Object.keys(FINDING_CODES) as FindingCode[];

it.each(codes.filter((code) => codeEntry(code).fixed))("never accepts %s", (code) => {
  const finding = { ...conflict, code };
  expect(formatBaseline([finding])).toBe('{\n  "schemaVersion": 1,\n  "findings": []\n}\n');
  const forged = formatBaseline([conflict]).replace("requirements-conflict", code);
  expect(acceptFindings([finding], parseBaseline(forged)!)).toMatchObject({ left: [finding], accepted: 0 });
});

it("has the same bytes for the same findings in any order, and accepts exactly what can be accepted", () => {
  const finding = fc.record({
    code: fc.constantFrom(...codes),
    severity: fc.constantFrom("error", "warning", "info"),
    message: fc.string({ unit: "binary" }),
    field: fc.option(fc.constantFrom("spec", "spec.weight"), { nil: undefined }),
    resource: fc.option(fc.constantFrom(WEB, { ...WEB, name: "api" }), { nil: undefined }),
  });
  fc.assert(
    fc.property(fc.array(finding as fc.Arbitrary<Finding>), (findings) => {
      const text = formatBaseline(findings);
      expect(formatBaseline(findings.toReversed())).toBe(text);
      const { left, stale } = acceptFindings(findings, parseBaseline(text)!);
      expect(left).toStrictEqual(findings.filter((one) => !isAcceptable(one)));
      expect(stale).toStrictEqual([]);
    }),
  );
});

it.each(["", "[]", "null", "{}", '{"schemaVersion":2,"findings":[]}', '{"schemaVersion":1,"findings":[{"code":1}]}'])(
  "%s is no baseline",
  (text) => {
    expect(parseBaseline(text)).toBeUndefined();
  },
);
