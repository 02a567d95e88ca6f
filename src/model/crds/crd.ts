/** Makes the manifest of a CustomResourceDefinition from a model, and describes its fields. */
import * as z from "zod/mini";
import type { PrinterColumn } from "../schema/metadata.ts";
import { ruleParams } from "../schema/rule.ts";
import { NODE_CLASS_DESCRIPTIONS } from "./node-class-descriptions.ts";
import { POOL_DESCRIPTIONS } from "./pool-descriptions.ts";

export interface CustomResource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames?: readonly string[];
  /** `kubectl get <category>` lists all kinds of it. */
  readonly categories?: readonly string[];
  readonly scope: "Namespaced" | "Cluster";
  readonly description: string;
  readonly spec: () => z.ZodMiniType;
  /** Whether the API server must refuse an object without spec. */
  readonly specRequired: boolean;
  readonly status: () => z.ZodMiniType;
  /** For `kubectl scale`. */
  readonly scale?: { readonly specReplicasPath: string; readonly statusReplicasPath: string };
  readonly columns: readonly PrinterColumn[];
}

type Schema = Record<string, unknown>;

export function customResourceDefinition(resource: CustomResource): Record<string, unknown> {
  const { group, version, kind, plural, singular, shortNames, categories, scope, columns } = resource;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        singular,
        ...(shortNames === undefined ? {} : { shortNames }),
        ...(categories === undefined ? {} : { categories }),
      },
      scope,
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          ...(columns.length > 0 ? { additionalPrinterColumns: columns } : {}),
          subresources: { ...(resource.scale === undefined ? {} : { scale: resource.scale }), status: {} },
          schema: { openAPIV3Schema: withPlainMetadata(objectSchema(resource)) },
        },
      ],
    },
  };
}

/** The API server knows metadata itself, and refuses a CRD that describes it. */
function withPlainMetadata(schema: Readonly<Schema>): Schema {
  const properties = schema["properties"] as Record<string, Schema>;
  return { ...schema, properties: { ...properties, metadata: { type: "object" } } };
}

/** The schema of the whole object, with a description of every field. */
export function objectSchema(resource: CustomResource): Readonly<Schema> {
  const schema = {
    description: resource.description,
    type: "object",
    ...(resource.specRequired ? { required: ["spec"] } : {}),
    properties: {
      apiVersion: { type: "string" },
      kind: { type: "string" },
      metadata: { type: "object" },
      spec: structuralSchema(resource.spec()),
      status: structuralSchema(resource.status()),
    },
  };
  return describeFields(schema, [resource.kind]);
}

/** The structural schema of a model (Kubernetes' subset of OpenAPI v3) with its CEL rules. */
export function structuralSchema(schema: z.ZodMiniType): Schema {
  return z.toJSONSchema(schema, {
    target: "openapi-3.0",
    io: "input",
    unrepresentable: "any",
    reused: "inline",
    override: ({ zodSchema, jsonSchema }) => adapt(zodSchema, jsonSchema as Schema),
  });
}

/** Changes a generated schema in place to the subset that a CRD may hold. */
function adapt(zodSchema: z.core.$ZodType, schema: Schema): void {
  const rules = rulesOf(zodSchema);
  if (rules.length > 0) schema["x-kubernetes-validations"] = rules;
  // Unknown fields are pruned, not refused: the API server does not allow both keywords here.
  if (schema["additionalProperties"] === false) delete schema["additionalProperties"];
  // The keyword means the same as a loose object's `additionalProperties: {}`; a structural schema has only one of
  // them.
  if (schema["x-kubernetes-preserve-unknown-fields"] === true) delete schema["additionalProperties"];
  // JSON Schema 2020 restricts keys like this; the CRD states such rules in CEL.
  delete schema["propertyNames"];
  delete schema["$schema"];
  if (schema["type"] === "integer") {
    // zod adds the bounds of JavaScript's safe integers, which are not rules of the API.
    if (schema["minimum"] === Number.MIN_SAFE_INTEGER) delete schema["minimum"];
    if (schema["maximum"] === Number.MAX_SAFE_INTEGER) delete schema["maximum"];
    // The API server derives the bounds of int32 from the format.
    if (schema["format"] === "int32" && schema["minimum"] === -(2 ** 31)) delete schema["minimum"];
    if (schema["format"] === "int32" && schema["maximum"] === 2 ** 31 - 1) delete schema["maximum"];
  }
  if (schema["x-kubernetes-int-or-string"] === true) {
    // The model has a union here; the CRD keyword expresses it fully.
    delete schema["type"];
    const kept = (schema["anyOf"] as Schema[] | undefined)?.find((member) => member["type"] === "string");
    if (kept?.["pattern"] !== undefined) schema["pattern"] = kept["pattern"];
    schema["anyOf"] = [{ type: "integer" }, { type: "string" }];
  }
}

function rulesOf(zodSchema: z.core.$ZodType): Schema[] {
  const checks = zodSchema._zod.def.checks ?? [];
  return checks.flatMap((check) => {
    const params = ruleParams(check);
    return params?.cel === undefined ? [] : [{ rule: params.cel, message: params.message }];
  });
}

/** Descriptions by the end of a field's path: the kinds share stanzas, and the longest matching end counts. */
export const FIELD_DESCRIPTIONS: Readonly<Record<string, string>> = {
  ...POOL_DESCRIPTIONS,
  ...NODE_CLASS_DESCRIPTIONS,
};

/** Undefined if the field has no description. @param path from the kind on, without the brackets of lists */
export function descriptionKeyOf(path: readonly string[]): string | undefined {
  const ends = path.map((_, index) => path.slice(index).join("."));
  return ends.find((end) => Object.hasOwn(FIELD_DESCRIPTIONS, end));
}

/** @param path of the field that the schema is of */
function describeFields(schema: Readonly<Schema>, path: readonly string[]): Schema {
  const { properties, items } = schema;
  return {
    ...schema,
    ...(properties === undefined ? {} : { properties: describeEach(properties as Record<string, Schema>, path) }),
    // The items of a list are not a field of their own.
    ...(items === undefined ? {} : { items: describeFields(items as Schema, path) }),
  };
}

function describeEach(properties: Readonly<Record<string, Schema>>, path: readonly string[]): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const field = [...path, name];
      const key = descriptionKeyOf(field);
      const description = key === undefined ? {} : { description: FIELD_DESCRIPTIONS[key]! };
      return [name, { ...description, ...describeFields(schema, field) }];
    }),
  );
}
