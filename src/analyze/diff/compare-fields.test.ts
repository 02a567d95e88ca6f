/** What a rule of `--ignore` covers, and which texts are not rules. */
import { describe, expect, it } from "vitest";
import { formatFieldPath } from "../../krm/places/field-path.ts";
import { isIgnoredField, parseIgnoreRule } from "./compare-fields.ts";

const WEB = { kind: "NodePool", name: "web" };

describe("--ignore", () => {
  it.each([
    ["spec.weight", ["spec", "weight"], true],
    ["spec", ["spec", "weight"], true],
    ["spec.weight", ["spec"], false],
    ["spec.weights", ["spec", "weight"], false],
    ['spec.limits["nvidia.com/gpu"]', ["spec", "limits", "nvidia.com/gpu"], true],
    ["spec.template.spec.taints[1].value", ["spec", "template", "spec", "taints", 1, "value"], true],
    ["spec.template.spec.taints[*].value", ["spec", "template", "spec", "taints", 7, "value"], true],
    ['spec.tags["*"]', ["spec", "tags", "name"], false],
    ["spec.template.spec.taints[0].value", ["spec", "template", "spec", "taints", 7, "value"], false],
    ["NodePool:spec.weight", ["spec", "weight"], true],
    ["EC2NodeClass:spec.weight", ["spec", "weight"], false],
    ["NodePool/web:spec.weight", ["spec", "weight"], true],
    ["NodePool/batch:spec.weight", ["spec", "weight"], false],
  ] as const)("%s and the field %j: %s", (text, path, ignored) => {
    const rule = parseIgnoreRule(text);
    expect(rule === undefined ? undefined : isIgnoredField([rule], WEB, path)).toBe(ignored);
  });

  it("reads every field as findings write it", () => {
    const path = ["spec", "a-b", "example.com/x", 3, 'quote"back\\slash', "line\nend", "*", "k"];
    expect(parseIgnoreRule(formatFieldPath(path))?.path).toStrictEqual(path);
  });

  it.each(["", "NodePool/web:", "spec..weight", "spec[", "spec weight", "nodepool:spec.weight", 'a["b]'])(
    "%j is no rule",
    (text) => {
      expect(parseIgnoreRule(text)).toBeUndefined();
    },
  );
});
