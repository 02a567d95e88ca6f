/** The schema of a map with keys of the user's own, such as labels and tags. */
import * as z from "zod/mini";
// Imported by name: a use of `z.core` as a whole bundles all of zod, with messages in fifty languages.
import { $constructor, type $ZodRecordDef, util } from "zod/v4/core";

/** zod silently drops the key `__proto__`, because assigning to it would set the prototype. */
const PROTO = "__proto__";

type AnyMap = z.ZodMiniRecord<z.ZodMiniString, z.ZodMiniType>;

const RecordType: { init(schema: AnyMap, def: $ZodRecordDef): void } = z.ZodMiniRecord;

/** zod's record, which keeps that key as well. */
const OwnKeys = $constructor<AnyMap>("OwnKeys", (schema, def) => {
  RecordType.init(schema, def);
  const ofRecord = schema._zod;
  const parse = ofRecord.parse.bind(ofRecord);
  ofRecord.parse = (payload, context) => {
    const input: unknown = payload.value;
    const outcome = parse(payload, context);
    if (outcome instanceof Promise || !util.isPlainObject(input) || !Object.hasOwn(input, PROTO)) return outcome;
    const item = def.valueType._zod.run({ value: input[PROTO], issues: [] }, context);
    if (item instanceof Promise) return outcome;
    outcome.issues.push(...util.prefixIssues(PROTO, item.issues));
    const others = outcome.value as Record<string, unknown>;
    const keys = Object.keys(input).filter((key) => key === PROTO || Object.hasOwn(others, key));
    outcome.value = Object.fromEntries(keys.map((key) => [key, key === PROTO ? item.value : others[key]]));
    return outcome;
  };
});

/** One schema for all maps: each takes time to build. */
const keyType = z.string();

export function mapOf<V extends z.ZodMiniType>(value: V): z.ZodMiniRecord<z.ZodMiniString, V> {
  return new OwnKeys({ type: "record", keyType, valueType: value }) as z.ZodMiniRecord<z.ZodMiniString, V>;
}
