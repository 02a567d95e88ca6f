/** Tests of manifests in fields of objects: which there are, and what patches leave of them. */
import { describe, expect, it } from "vitest";
import { testSource } from "../../../test/support/source.ts";
import { parseSources } from "../../krm/parse/parse.ts";
import { embeddedObjects } from "./embedded-objects.ts";

const found = (yaml: string) => parseSources([testSource(yaml)]).value.flatMap(embeddedObjects);
const composition = (spec: string) => `apiVersion: apiextensions.crossplane.io/v1\nkind: Composition\nspec: ${spec}\n`;

describe("manifests inside a composition", () => {
  it.each<[what: string, spec: string, value: unknown]>([
    ["without patches", "{resources: [{base: {a: 1}}]}", { a: 1 }],
    [
      "a patch of a field",
      "{resources: [{base: {a: {b: 1}}, patches: [{fromFieldPath: x.y, toFieldPath: a.b}]}]}",
      { a: { b: "${x.y}" } },
    ],
    [
      "a patch without its own target",
      "{resources: [{base: {}, patches: [{fromFieldPath: a.b}]}]}",
      { a: { b: "${a.b}" } },
    ],
    [
      "a patch to the composite",
      "{resources: [{base: {a: 1}, patches: [{type: ToCompositeFieldPath, toFieldPath: a, fromFieldPath: b}]}]}",
      { a: 1 },
    ],
    [
      "combined fields",
      "{resources: [{base: {a: 1}, patches: [{type: CombineFromComposite, toFieldPath: a, combine: {}}]}]}",
      { a: "${patched}" },
    ],
    [
      "a set of patches",
      "{patchSets: [{name: s, patches: [{fromFieldPath: x, toFieldPath: a}]}], resources: [{base: {}, patches: [{type: PatchSet, patchSetName: s}]}]}",
      { a: "${x}" },
    ],
    [
      "an entry of a list",
      "{resources: [{base: {a: [1, 2]}, patches: [{fromFieldPath: x, toFieldPath: 'a[1]'}]}]}",
      { a: [1, "${x}"] },
    ],
    [
      "the prototype",
      "{resources: [{base: {a: 1}, patches: [{fromFieldPath: x, toFieldPath: __proto__.a}]}]}",
      JSON.parse('{"a": 1, "__proto__": {"a": "${x}"}}'),
    ],
    [
      "a step of a pipeline",
      "{pipeline: [{input: {patchSets: [{name: s, patches: [{fromFieldPath: a}]}], resources: [{base: {}, patches: [{type: PatchSet, patchSetName: s}]}]}}]}",
      { a: "${a}" },
    ],
  ])("%s", (_what, spec, value) => {
    expect(found(composition(spec)).map((one) => one.value)).toStrictEqual([value]);
  });

  it("are none in objects of another group", () => {
    expect(found("apiVersion: example.com/v1\nkind: Composition\nspec: {resources: [{base: {a: 1}}]}\n")).toStrictEqual(
      [],
    );
    expect(found("apiVersion: x/constructor\nkind: __proto__\n")).toStrictEqual([]);
  });
});
