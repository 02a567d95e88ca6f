/** Looks up the description of each field for CRDs, `kubectl explain` and editors. */
import { NODE_CLASS_DESCRIPTIONS } from "./node-class-descriptions.ts";
import { POOL_DESCRIPTIONS } from "./pool-descriptions.ts";

/** Descriptions by the end of a field's path: the kinds share stanzas, and the longest matching end counts. */
export const FIELD_DESCRIPTIONS: Readonly<Record<string, string>> = {
  ...POOL_DESCRIPTIONS,
  ...NODE_CLASS_DESCRIPTIONS,
};

type Schema = Readonly<Record<string, unknown>>;

/** Undefined if the field has no description. @param path from the kind on, without the brackets of lists */
export function descriptionKeyOf(path: readonly string[]): string | undefined {
  const ends = path.map((_, index) => path.slice(index).join("."));
  return ends.find((end) => Object.hasOwn(FIELD_DESCRIPTIONS, end));
}

/** @param path of the field that the schema is of */
export function describeFields(schema: Schema, path: readonly string[]): Schema {
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
