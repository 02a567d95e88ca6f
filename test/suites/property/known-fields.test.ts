/** The random inputs have every field of the schemas: a field that is new there is generated, or named here. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonSchemaOf } from "../../../src/model/crds/json-schema.ts";
import type { CustomResource } from "../../../src/model/crds/crd.ts";
import { policyResources, wrapperResources } from "../../../src/model/objects/own-kinds.ts";
import { scenario } from "../../support/property/arbitraries.ts";
import { objectsOf } from "../../support/property/documents.ts";

/** Fields that no random input has, by kind: other suites have them. */
const NOT_GENERATED: Readonly<Record<string, readonly string[]>> = {
  AutoNodePolicy: ["ec2NodeClassDefaults.rootVolume.throughput"],
  OpenshiftEC2NodeClass: [
    "blockDeviceMappings[].ebs.iops",
    "blockDeviceMappings[].ebs.kmsKeyID",
    "blockDeviceMappings[].ebs.snapshotID",
    "blockDeviceMappings[].ebs.throughput",
    "blockDeviceMappings[].rootVolume",
    "capacityReservationSelectorTerms[].id",
    "capacityReservationSelectorTerms[].instanceMatchCriteria",
    "capacityReservationSelectorTerms[].ownerID",
    "capacityReservationSelectorTerms[].tags",
    "kubelet.cpuCFSQuota",
    "kubelet.evictionHard",
    "kubelet.evictionMaxPodGracePeriod",
    "kubelet.imageGCHighThresholdPercent",
    "kubelet.imageGCLowThresholdPercent",
    "kubelet.kubeReserved",
    "kubelet.podsPerCore",
    "kubelet.systemReserved",
    "metadataOptions.httpPutResponseHopLimit",
    "securityGroupSelectorTerms[].id",
    "securityGroupSelectorTerms[].name",
    "securityGroupSelectorTerms[].tags",
    "subnetSelectorTerms[].id",
    "version",
  ],
  OpenshiftNodePool: [
    "disruption.budgets[].duration",
    "disruption.budgets[].reasons[]",
    "disruption.budgets[].schedule",
    "disruption.consolidationPolicy",
    "disruption.nodeLimitMode",
    "template.metadata.annotations",
    "template.spec.startupTaints[].timeAdded",
    "template.spec.taints[].timeAdded",
  ],
};

/** A field that is unknown on purpose. */
const NOT_IN_SCHEMAS: readonly string[] = ["kubelet.registryPullQPS"];

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** Paths of all fields below `spec`, without the entries of maps. */
function fieldsOf({ properties, items }: Schema, path: string): string[] {
  if (items !== undefined) return fieldsOf(items, `${path}[]`);
  const inner = Object.entries(properties ?? {});
  if (inner.length === 0) return [path];
  return inner.flatMap(([name, schema]) => fieldsOf(schema, path === "" ? name : `${path}.${name}`));
}

/** The same paths of a value. */
function fieldsIn(value: unknown, known: ReadonlySet<string>, path: string): string[] {
  if (known.has(path)) return [path];
  if (Array.isArray(value)) return value.flatMap((one) => fieldsIn(one, known, `${path}[]`));
  if (typeof value !== "object" || value === null) return [path];
  return Object.entries(value).flatMap(([name, inner]) =>
    fieldsIn(inner, known, path === "" ? name : `${path}.${name}`),
  );
}

const objects = fc.sample(scenario, { numRuns: 1000, seed: 1 }).flatMap((one) => objectsOf(one));

describe("the random inputs", () => {
  it.each([...policyResources(), ...wrapperResources("hypershift")].map((one) => [one.kind, one] as const))(
    "have each field of %s that is not named here, and no other",
    (kind: string, resource: CustomResource) => {
      const { properties } = jsonSchemaOf(resource) as Schema;
      const known = fieldsOf(properties!["spec"]!, "");
      const set = new Set(known);
      const generated = new Set(
        objects.filter((one) => one["kind"] === kind).flatMap((one) => fieldsIn(one["spec"], set, "")),
      );
      const unknown = [...generated].filter((path) => !set.has(path) && !NOT_IN_SCHEMAS.includes(path));
      expect(unknown).toStrictEqual([]);
      expect(known.filter((path) => !generated.has(path)).toSorted()).toStrictEqual(NOT_GENERATED[kind] ?? []);
    },
  );
});
