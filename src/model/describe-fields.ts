/** Says of each field of a CRD what it is for: what `kubectl explain` and editors tell. */
import { NODE_CLASS_DESCRIPTIONS } from "./node-class-descriptions.ts";
import { POOL_DESCRIPTIONS } from "./pool-descriptions.ts";

/** By the end of a field's path: the kinds share stanzas, and the longest end that is here counts. */
export const FIELD_DESCRIPTIONS: Readonly<Record<string, string>> = {
  ...POOL_DESCRIPTIONS,
  ...NODE_CLASS_DESCRIPTIONS,
};

type Schema = Readonly<Record<string, unknown>>;

/** Undefined where nothing is told of the field. @param path from the kind on, without the brackets of lists */
export function descriptionKeyOf(path: readonly string[]): string | undefined {
  const ends = path.map((_, index) => path.slice(index).join("."));
  return ends.find((end) => Object.hasOwn(FIELD_DESCRIPTIONS, end));
}

/** @param path of what the schema is of */
export function describeFields(schema: Schema, path: readonly string[]): Schema {
  const { properties, items } = schema;
  return {
    ...schema,
    ...(properties === undefined ? {} : { properties: describeEach(properties as Record<string, Schema>, path) }),
    // The items of a list are no field of their own.
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
