/** Lists the fields of Karpenter's CRDs, and those that differ between two objects. */
import { customResourceDefinition } from "../../../src/model/crds/crd.ts";
import { ec2NodeClassResource } from "../../../src/model/ec2/node-class-resource.ts";
import { nodePoolResource } from "../../../src/model/pools/node-pool-resource.ts";

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

const RESOURCES = { NodePool: nodePoolResource, EC2NodeClass: ec2NodeClassResource };

/** Fields of `spec` with plain values or maps of them, such as `spec.taints[].key`. */
export function fieldsOfCrd(kind: keyof typeof RESOURCES): string[] {
  const { spec } = customResourceDefinition(RESOURCES[kind]("karpenter-1.14")) as {
    spec: { versions: { schema: { openAPIV3Schema: Schema } }[] };
  };
  return leaves(spec.versions[0]!.schema.openAPIV3Schema.properties!["spec"]!, "spec");
}

function leaves({ properties, items }: Schema, path: string): string[] {
  if (items !== undefined) return leaves(items, `${path}[]`);
  if (properties === undefined) return [path];
  return Object.entries(properties).flatMap(([name, schema]) => leaves(schema, `${path}.${name}`));
}

/** With all parent fields. */
export function differingFields(from: unknown, to: unknown, path: string): string[] {
  if (JSON.stringify(from) === JSON.stringify(to)) return [];
  const parts = Array.isArray(from ?? to)
    ? partsOf(from, to).map((index) => [index, `${path}[]`] as const)
    : partsOf(from, to).map((name) => [name, `${path}.${name}`] as const);
  return [path, ...parts.flatMap(([key, below]) => differingFields(partAt(from, key), partAt(to, key), below))];
}

function partsOf(...values: readonly unknown[]): string[] {
  return [...new Set(values.flatMap((value) => (typeof value === "object" ? Object.keys(value ?? {}) : [])))];
}

function partAt(value: unknown, key: string): unknown {
  return typeof value === "object" ? (value as Record<string, unknown> | null)?.[key] : undefined;
}
