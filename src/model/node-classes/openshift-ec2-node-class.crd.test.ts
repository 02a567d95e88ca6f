/** The CRD schema of the wrapper holds no keyword that a structural schema forbids. */
import { describe, expect, it } from "vitest";
import { customResourceDefinition, structuralSchema } from "../crds/crd.ts";
import { nodeClassKubelet } from "./node-class-kubelet.ts";
import { openshiftEC2NodeClassResource, openshiftEC2NodeClassSpec } from "./openshift-ec2-node-class.ts";

type Json = Record<string, unknown>;

const FORBIDDEN = ["$ref", "$schema", "const", "definitions", "patternProperties", "propertyNames", "uniqueItems"];

/** The places in a schema that the API server would refuse, each with the reason. */
function faults(schema: Json, at = "$"): string[] {
  const own = [
    ...FORBIDDEN.filter((keyword) => keyword in schema).map((keyword) => `${at}: ${keyword}`),
    ...("additionalProperties" in schema && "properties" in schema
      ? [`${at}: additionalProperties next to properties`]
      : []),
    ...("additionalProperties" in schema && schema["x-kubernetes-preserve-unknown-fields"] === true
      ? [`${at}: additionalProperties next to preserve-unknown-fields`]
      : []),
    ...["exclusiveMinimum", "exclusiveMaximum"]
      .filter((keyword) => typeof schema[keyword] === "number")
      .map((keyword) => `${at}: ${keyword} as a number`),
    ...(typeof schema["type"] === "string" || schema["x-kubernetes-int-or-string"] === true ? [] : [`${at}: type`]),
    ...(["anyOf", "oneOf", "allOf", "not"].some((keyword) => keyword in schema) ? [`${at}: logic`] : []),
  ];
  const children = [
    ...Object.entries((schema["properties"] ?? {}) as Record<string, Json>),
    ...["items", "additionalProperties"].flatMap((name) =>
      name in schema ? [[name, schema[name] as Json] as const] : [],
    ),
  ];
  return [...own, ...children.flatMap(([name, child]) => faults(child, `${at}.${name}`))];
}

describe("the CRD of OpenshiftEC2NodeClass", () => {
  it.each([
    ["spec", openshiftEC2NodeClassSpec],
    ["kubelet", nodeClassKubelet],
    ["status", openshiftEC2NodeClassResource.status()],
  ])("%s is structural", (_name, schema) => {
    expect(faults(structuralSchema(schema))).toEqual([]);
  });

  it("carries the bounds and rules that zod keeps internally", () => {
    const { properties, ...spec } = structuralSchema(openshiftEC2NodeClassSpec) as { properties: Record<string, Json> };
    expect(spec).toEqual({ type: "object", minProperties: 1 });
    expect(Object.keys(properties)).toEqual([
      "subnetSelectorTerms",
      "securityGroupSelectorTerms",
      "capacityReservationSelectorTerms",
      "ipAddressAssociation",
      "tags",
      "blockDeviceMappings",
      "instanceStorePolicy",
      "monitoring",
      "metadataOptions",
      "version",
      "kubelet",
    ]);
    const rules = Object.values(properties).map(
      (field) => ((field["x-kubernetes-validations"] ?? []) as Json[]).length,
    );
    expect(rules).toEqual([2, 3, 2, 0, 6, 1, 0, 0, 0, 1, 5]);
    expect(properties["kubelet"]?.["x-kubernetes-preserve-unknown-fields"]).toBe(true);
    expect(properties["blockDeviceMappings"]).toMatchObject({
      minItems: 1,
      maxItems: 50,
      "x-kubernetes-list-type": "atomic",
    });
  });

  it("names the kind as HyperShift does", () => {
    expect(customResourceDefinition(openshiftEC2NodeClassResource)).toMatchObject({
      metadata: { name: "openshiftec2nodeclasses.karpenter.hypershift.openshift.io" },
      spec: {
        scope: "Cluster",
        names: { kind: "OpenshiftEC2NodeClass", singular: "openshiftec2nodeclass", shortNames: ["oec2nc", "oec2ncs"] },
        versions: [{ name: "v1", schema: { openAPIV3Schema: { required: ["spec"] } }, subresources: { status: {} } }],
      },
    });
  });
});
