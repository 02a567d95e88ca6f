/** Plans of Terraform: hostile ones end, and what is no plan is none. */
import { describe, expect, it } from "vitest";
import type { Source } from "../places/source.ts";
import { mayBePlan, plannedObjects } from "./plan.ts";

function sourceOf(text: string): Source {
  return { file: "plan.json", folder: "/r", text, explicit: true, trusted: true, config: false };
}

const planOf = (changes: unknown, variables: unknown = {}) =>
  plannedObjects(sourceOf(JSON.stringify({ format_version: "1.2", variables, resource_changes: changes })), () => true);

const changeOf = (after: unknown, marks: unknown = {}) => ({
  address: "kubernetes_manifest.a",
  mode: "managed",
  type: "kubernetes_manifest",
  change: { before: null, after: { manifest: after }, after_unknown: { manifest: marks } },
});

const OBJECT = { apiVersion: "karpenter.sh/v1", kind: "NodePool", metadata: { name: "a" } };

describe("a plan of Terraform", () => {
  it.each([
    ["no JSON", '{"format_version": "1", "resource_changes": ['],
    ["a list", '["format_version", "resource_changes"]'],
    ["another object", '{"a": 1}'],
  ])("is not %s", (_, text) => {
    const source = sourceOf(text);
    expect(mayBePlan(source) ? plannedObjects(source, () => true) : undefined).toBeUndefined();
  });

  it("has values that are known after apply as unknown ones", () => {
    const made = planOf([changeOf({ ...OBJECT, spec: { a: [1, null] } }, { spec: { a: [false, true], b: true } })]);
    expect(made?.after.value.map(({ value }) => value["spec"])).toEqual([
      { a: [1, "$<kubernetes_manifest.a.spec.a.1>"], b: "$<kubernetes_manifest.a.spec.b>" },
    ]);
    expect(made?.before.value).toEqual([]);
  });

  it.each([
    ["texts in place of lists", "x"],
    ["null", null],
    ["changes without fields", [{}, null, 1, { type: "kubectl_manifest" }, { type: "kubectl_manifest", change: 1 }]],
    ["manifests that are no objects", [changeOf(null), changeOf("x"), changeOf([1])]],
    [
      "names of the prototype",
      [
        { ...changeOf(OBJECT), type: "__proto__" },
        { ...changeOf(OBJECT), type: "constructor" },
      ],
    ],
  ])("may have %s", (_, changes) => expect(planOf(changes)?.after.value).toEqual([]));

  it("is none if it is deeper than any, or has too many values of variables", () => {
    let deep: unknown = 1;
    for (let depth = 0; depth < 2000; depth++) deep = [deep];
    expect(planOf([changeOf({ ...OBJECT, spec: deep })])).toBeUndefined();
    const texts = Array.from({ length: 5000 }, (_, index) => `text-${index}`);
    expect(planOf([changeOf({ ...OBJECT, spec: texts })], { a: { value: texts } })).toBeUndefined();
  });

  it("reads ten thousand changes", () => {
    const changes = Array.from({ length: 10_000 }, (_, index) =>
      changeOf({ ...OBJECT, metadata: { name: `p${index}` } }),
    );
    expect(planOf(changes)?.after.value).toHaveLength(10_000);
  });
});
