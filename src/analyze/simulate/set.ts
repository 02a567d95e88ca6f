/** Parses `--set` and applies it to pools: changes to try in a simulation. */
import { isFields } from "../../krm/values/fields.ts";
import { type FieldPath, parseFieldPath, valueAt } from "../../krm/places/field-path.ts";
import type { Resource } from "../../krm/places/resource.ts";

export interface Setting {
  readonly pool: string;
  /** From the root of the object. */
  readonly path: FieldPath;
  /** Undefined removes the field. */
  readonly value: unknown;
}

/**
 * Parses `web.limits.nodes=20`. The longest matching pool name is taken, because names may have dots. Undefined if no
 * pool has such a name, or the path is not a field path.
 */
export function parseSetting(text: string, pools: readonly string[]): Setting | undefined {
  const equals = text.indexOf("=");
  const target = text.slice(0, Math.max(0, equals));
  const [pool] = pools.filter((name) => target.startsWith(`${name}.`)).toSorted((a, b) => b.length - a.length);
  if (pool === undefined) return undefined;
  const path = parseFieldPath(target.slice(pool.length + 1));
  return (
    path && { pool, path: path[0] === "spec" ? path : ["spec", ...path], value: valueOf(text.slice(equals + 1), path) }
  );
}

/** JSON if it parses as JSON. In a budget the number of nodes stays text, because the field is a string there. */
function valueOf(text: string, path: FieldPath): unknown {
  if (text === "null" || text === "") return undefined;
  const isText =
    path.includes("budgets") &&
    typeof path.at(-1) === "string" &&
    path.at(-1) !== "budgets" &&
    path.at(-1) !== "reasons";
  if (isText) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Objects of other pools are returned unchanged. */
export function withSettings(resource: Resource, settings: readonly Setting[]): Resource {
  const own = settings.filter(({ pool }) => pool === resource.name);
  if (own.length === 0) return resource;
  let { value } = resource;
  for (const { path, value: set } of own) value = replaced(value, path, set) as Resource["value"];
  return { ...resource, value };
}

function replaced(object: unknown, [first, ...rest]: FieldPath, value: unknown): unknown {
  if (first === undefined) return value;
  const inner = replaced(valueAt(object, [first]), rest, value);
  if (typeof first === "number") {
    const list = Array.isArray(object) ? [...(object as readonly unknown[])] : [];
    if (inner === undefined) list.splice(first, 1);
    else list[first] = inner;
    return list;
  }
  const { [first]: _old, ...others } = isFields(object) ? object : {};
  return inner === undefined ? others : { ...others, [first]: inner };
}
