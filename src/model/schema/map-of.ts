/** The schema of a map with keys of the user's own, such as labels and tags. */
import * as z from "zod/mini";
// Imported by name: a use of `z.core` as a whole bundles all of zod, with messages in fifty languages.
import { $constructor, type $ZodRecordDef, util } from "zod/v4/core";
import type { Rule } from "./rule.ts";

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

/** Rules on each entry of a map, as CEL and as predicates that give the entry's place. */
export type StringMap = Readonly<Record<string, string>>;

interface EntryRule {
  /** CEL over `k` and `self[k]`. */
  readonly cel: string;
  readonly message: string;
  readonly hint?: string;
  readonly test: (key: string, value: string) => boolean;
}

/** Every entry must pass; the finding points at the first that does not. */
export function everyEntry({ cel, message, hint, test }: EntryRule): Rule<StringMap> {
  const wrong = (map: StringMap): string | undefined =>
    Object.entries(map).find(([key, value]) => !test(key, value))?.[0];
  return {
    cel: `self.all(k, ${cel})`,
    message,
    ...(hint === undefined ? {} : { hint }),
    test: (map) => wrong(map) === undefined,
    at: (map) => [wrong(map) ?? ""],
  };
}

/** Every key is one of `keys`. */
export function keysAmong(keys: readonly string[], what: string): Rule<StringMap> {
  return everyEntry({
    cel: `k in [${keys.map((key) => `'${key}'`).join(", ")}]`,
    message: `no ${what} that can be set here`,
    hint: `write one of ${keys.join(", ")}`,
    test: (key) => keys.includes(key),
  });
}
