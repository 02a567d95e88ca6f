/** Fields that adopt lists as foreign are those that the wrapper does not have. */
import { expect, it } from "vitest";
import { nodeClass } from "../../test/support/spec-findings.ts";
import { jsonSchemaOf } from "../model/crds/json-schema.ts";
import { PROFILES } from "../model/crds/profile.ts";
import { karpenterResources } from "../model/ec2/node-class-resource.ts";
import { wrapperResources } from "../model/objects/own-kinds.ts";
import { splitForeignFields } from "./foreign-fields.ts";

/** Fields that have another name in the wrapper (src/adopt/adopt-ec2-node-class.ts). */
const RENAMED: Readonly<Record<string, string>> = {
  associatePublicIPAddress: "ipAddressAssociation",
  detailedMonitoring: "monitoring",
};

/** The fields of the spec of a kind. */
function fieldsOf(kind: string, resources: readonly Parameters<typeof jsonSchemaOf>[0][]): string[] {
  const { properties } = jsonSchemaOf(resources.find((one) => one.kind === kind)!) as {
    properties: { spec: { properties: object } };
  };
  return Object.keys(properties.spec.properties);
}

it.each(PROFILES)("what adopt takes out of an EC2NodeClass of %s is what the wrapper does not have", (profile) => {
  const given = fieldsOf("EC2NodeClass", karpenterResources(profile));
  const wrapped = fieldsOf("OpenshiftEC2NodeClass", wrapperResources(profile));
  const { spec } = splitForeignFields(nodeClass("{}"), Object.fromEntries(given.map((field) => [field, {}])));
  const kept = Object.keys(spec);
  const inWrapper = (field: string): boolean => wrapped.includes(RENAMED[field] ?? field);
  expect(kept.toSorted()).toStrictEqual(given.filter(inWrapper).toSorted());
});
