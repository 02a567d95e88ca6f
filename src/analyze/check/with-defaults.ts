/** Adds the API server's defaults to a spec, so that a default equals an absent field. */
import { structuralSchema } from "../../model/crds/crd.ts";
import { ec2NodeClassSpec } from "../../model/ec2/node-class.ts";
import { nodePoolSpec } from "../../model/pools/node-pool.ts";
import type { Profile } from "../../model/crds/profile.ts";

interface Schema {
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
}

/**
 * kubernetes pkg/apis/admissionregistration/v1/defaults.go; a binding has defaults in its matchResources only, which
 * anp never writes.
 */
const ADMISSION_POLICY: Schema = {
  properties: {
    failurePolicy: { default: "Fail" },
    matchConstraints: {
      properties: {
        matchPolicy: { default: "Equivalent" },
        namespaceSelector: { default: {} },
        objectSelector: { default: {} },
        resourceRules: { items: { properties: { scope: { default: "*" } } } },
      },
    },
  },
};

const SCHEMAS: Readonly<Record<string, (profile: Profile) => Schema>> = {
  NodePool: (profile) => structuralSchema(nodePoolSpec(profile)),
  EC2NodeClass: (profile) => structuralSchema(ec2NodeClassSpec(profile)),
  ValidatingAdmissionPolicy: () => ADMISSION_POLICY,
};

/** Schemas are made once for each kind, on demand. */
export function defaultsOf(profile: Profile): (kind: string, spec: unknown) => unknown {
  const made = new Map<string, Schema>();
  return (kind, spec) => {
    const schema = made.get(kind) ?? SCHEMAS[kind]?.(profile) ?? {};
    made.set(kind, schema);
    return withDefaults(spec, schema);
  };
}

/** The same as k8s.io/apiextensions-apiserver pkg/apiserver/schema/defaulting/algorithm.go. */
function withDefaults(value: unknown, schema: Schema): unknown {
  if (Array.isArray(value))
    return schema.items === undefined ? value : value.map((item) => withDefaults(item, schema.items!));
  if (typeof value !== "object" || value === null) return value;
  const { properties = {}, additionalProperties } = schema;
  const given = Object.entries(value);
  const present = new Set(given.filter(([, item]) => item !== undefined && item !== null).map(([key]) => key));
  const absent = Object.entries(properties).filter(([key, part]) => part.default !== undefined && !present.has(key));
  return Object.fromEntries(
    [...given.filter(([key]) => present.has(key)), ...absent.map(([key, part]) => [key, part.default] as const)].map(
      ([key, item]) => {
        const part = Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
        return [key, typeof part === "object" ? withDefaults(item, part) : item];
      },
    ),
  );
}
