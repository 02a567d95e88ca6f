/** Karpenter's options: layers, defaults by version, and manifests of anyone. */
import { describe, expect, it } from "vitest";
import { parseSources } from "../../krm/parse/parse.ts";
import { karpenterAmong, karpenterOptions, parseGates } from "./karpenter-options.ts";
import { testSource } from "../../../test/support/source.ts";

function among(text: string, namespace?: string) {
  const { value } = parseSources([testSource(text)]);
  return karpenterAmong(value, namespace);
}

function deployment(container: string, name = "karpenter", namespace = "kube-system"): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, namespace: ${namespace}}
spec: {template: {spec: {containers: [${container}]}}}
`;
}

describe("the options of Karpenter", () => {
  it("have the defaults of its version", () => {
    expect([...karpenterOptions("karpenter-1.15").gates]).toEqual(["ReservedCapacity"]);
    expect(karpenterOptions("hypershift")).toMatchObject({ minValuesPolicy: "Strict", preferencePolicy: "Respect" });
  });

  it("have no gate that the version lacks", () => {
    const featureGates = { TerminateFirstDrift: true, StaticCapacity: true };
    expect([...karpenterOptions("karpenter-1.14", [{ featureGates }]).gates]).toEqual([
      "ReservedCapacity",
      "StaticCapacity",
    ]);
    const given = { version: "v1.15.1", featureGates };
    expect(karpenterOptions("karpenter-1.14", [given]).gates).toContain("TerminateFirstDrift");
  });

  it("come from the first layer that has them", () => {
    const first = { featureGates: { NodeOverlay: false } };
    const second = { featureGates: { NodeOverlay: true, NodeRepair: true }, minValuesPolicy: "BestEffort" } as const;
    const found = karpenterOptions("karpenter-1.15", [first, undefined, second]);
    expect([...found.gates]).toEqual(["NodeRepair", "ReservedCapacity"]);
    expect(found.minValuesPolicy).toBe("BestEffort");
  });
});

describe("a Deployment of Karpenter", () => {
  it.each([
    ["env: [{name: FEATURE_GATES, value: 'Drift=true, NodeOverlay=true'}]", { NodeOverlay: true }],
    [
      "args: [--feature-gates=NodeOverlay=true], env: [{name: FEATURE_GATES, value: NodeOverlay=false}]",
      { NodeOverlay: true },
    ],
    ["command: [/karpenter, -feature-gates, NodeOverlay=true]", { NodeOverlay: true }],
    ["args: [--feature-gates]", {}],
    ["args: [--feature-gates, 7]", {}],
    ["args: --feature-gates=NodeOverlay=true", {}],
    ["env: [{name: AWS_FEATURE_GATES, value: 'NodeClassCEL=true,NodeOverlay=true'}]", { NodeClassCEL: true }],
    ["args: [--aws-feature-gates, NodeClassCEL=true]", { NodeClassCEL: true }],
    ["env: [{name: FEATURE_GATES, value: NodeClassCEL=true}]", {}],
    ["env: [7, {name: FEATURE_GATES, value: [NodeOverlay]}]", {}],
    ["env: [{name: FEATURE_GATES, value: 'NodeOverlay=maybe'}]", {}],
    ["env: [{name: FEATURE_GATES, value: '__proto__=true,constructor=true,NodeOverlay=true'}]", { NodeOverlay: true }],
  ])("with %s", (container, gates) => {
    expect(among(deployment(`{name: controller, ${container}}`)).featureGates).toEqual(gates);
  });

  it.each(["7", "[]", "null"])("with the container %s says nothing", (container) => {
    expect(among(deployment(container)).featureGates).toEqual({});
  });

  it("has the policies of the scheduler", () => {
    const env = "[{name: MIN_VALUES_POLICY, value: BestEffort}, {name: PREFERENCE_POLICY, value: Sometimes}]";
    expect(among(deployment(`{env: ${env}}`))).toMatchObject({
      minValuesPolicy: "BestEffort",
      preferencePolicy: undefined,
    });
  });

  it("of another name, or of another hosted cluster, is not Karpenter's", () => {
    const container = "{env: [{name: FEATURE_GATES, value: NodeOverlay=true}]}";
    expect(among(deployment(container, "shop")).featureGates).toEqual({});
    expect(among(deployment(container), "clusters-a").featureGates).toEqual({});
    expect(among(deployment(container, "karpenter", "clusters-a"), "clusters-a").featureGates).toEqual({
      NodeOverlay: true,
    });
  });
});

it("reads the gates in the text of an Application's values, unless it has them as an object", () => {
  const application = (helm: string): string =>
    `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: karpenter, namespace: argocd}\nspec:\n  source:\n    chart: karpenter\n    helm:\n      values: |\n        settings: {featureGates: {staticCapacity: true}}\n${helm}`;
  expect(among(application("")).featureGates).toEqual({ StaticCapacity: true });
  expect(among(application("      valuesObject: {}\n")).featureGates).toEqual({});
});

it("takes no gate that two manifests contradict", () => {
  const one = (value: string): string => deployment(`{env: [{name: FEATURE_GATES, value: '${value}'}]}`);
  const text = `${one("NodeOverlay=true,StaticCapacity=true")}---\n${one("NodeOverlay=false")}`;
  expect(among(text).featureGates).toEqual({ StaticCapacity: true });
});

it.each([
  "",
  "StaticCapacity",
  "StaticCapacity=",
  "StaticCapacity=1",
  "StaticCapacity=true;NodeOverlay=true",
  "=true,",
])("%j is no list of gates", (text) => {
  expect(parseGates(text)).toBeUndefined();
});
