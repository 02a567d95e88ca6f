/** Tests of templates of the AWS CDK: which text a manifest is, and where it is written. */
import { describe, expect, it } from "vitest";
import { testSource } from "../../../test/support/source.ts";
import { originOf, positionAt } from "../../krm/places/source.ts";
import { manifestsOfTemplate } from "./cdk-template.ts";

const template = (...manifests: readonly unknown[]): string => {
  const resource = (Manifest: unknown) => ({
    Type: "Custom::AWSCDK-EKS-KubernetesResource",
    Properties: { Manifest },
  });
  return JSON.stringify(
    { Resources: Object.fromEntries(manifests.map((one, at) => [`M${at}`, resource(one)])) },
    null,
    1,
  );
};
const joined = (...parts: readonly unknown[]) => ({ "Fn::Join": ["", parts] });
const textsOf = (text: string) => manifestsOfTemplate(testSource(text))?.map(({ manifest }) => manifest?.text);

describe("a template", () => {
  it.each<[what: string, manifest: unknown, text: string | undefined]>([
    ["a text", "[1]", '{"Manifest":[1]}'],
    ["a reference in a string", joined('["', { Ref: "Name" }, '"]'), '{"Manifest":["${Name}"]}'],
    ["an attribute", joined('["', { "Fn::GetAtt": ["Role", "Arn"] }, '"]'), '{"Manifest":["${Role.Arn}"]}'],
    ["a reference for a number", joined("[", { Ref: "Count" }, "]"), '{"Manifest":["${Count}"]}'],
    ["a quote in a string", joined('["\\"', { Ref: "A" }, '"]'), '{"Manifest":["\\"${A}"]}'],
    ["a name that would end the text", joined('["', { Ref: '"}]' }, '"]'), '{"Manifest":["${value}"]}'],
    ["another function", joined('["', { "Fn::Select": [0, { Ref: "A" }] }, '"]'), '{"Manifest":["${value}"]}'],
    ["another form about Karpenter", { "Fn::Sub": "[karpenter]" }, undefined],
  ])("%s", (_what, manifest, text) => {
    expect(textsOf(template(manifest))).toStrictEqual([text]);
  });

  it.each(["", "[]", "{", '{"Resources": 1}', '{"Resources": {"a": null, "__proto__": {"Type": 1}}}'])(
    "%j has no manifest",
    (text) => {
      expect(textsOf(text) ?? []).toStrictEqual([]);
    },
  );

  it("leads from each part to its line, also if two are the same", () => {
    const text = template(joined("[", { Ref: "A" }, ",", { Ref: "B" }, ",", { Ref: "C" }, "]"), "[2]");
    const manifest = manifestsOfTemplate(testSource(text))![0]!.manifest!;
    const lines = [...manifest.text].map((_, at) => {
      const { source, offset } = originOf(manifest, at);
      return text.split("\n")[positionAt(source, offset).line - 1]!.trim();
    });
    expect(new Set(lines)).toStrictEqual(new Set(['"[",', '",",', '"]"']));
    expect(lines.at(-1)).toBe('"]"');
  });
});
