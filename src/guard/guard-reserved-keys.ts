/** Renders rules that refuse Karpenter's own keys in NodePool templates, or remove stored ones. */
import { isReserved, RESERVED_MESSAGE, TEMPLATE_MAPS } from "../render/reserved-key-rules.ts";
import type { Variable } from "./guarded-key.ts";
import type { Validation } from "./guard-objects.ts";

const FIELDS = Object.entries(TEMPLATE_MAPS).map(([field, allowed]) => ({
  field,
  allowed,
  reserved: `reserved${field[0]!.toUpperCase()}${field.slice(1)}`,
  kept: `kept${field[0]!.toUpperCase()}${field.slice(1)}`,
}));

/** The reserved keys, and those of them that are stored with the same value. */
export const RESERVED_VARIABLES: readonly Variable[] = FIELDS.flatMap(({ field, allowed, reserved, kept }) => [
  { name: reserved, expression: `(${mapOf("object", field)}).filter(k, ${isReserved("k", allowed)})` },
  {
    name: kept,
    expression: `variables.${reserved}.filter(k, request.operation == 'UPDATE' && (${mapOf("oldObject", field)})[?k] == optional.of(object.spec.template.metadata.${field}[k]))`,
  },
]);

/** The next write of a stored object removes its reserved keys, as it lowers values beyond a bound. */
export const RESERVED_PATCH = FIELDS.map(
  ({ field, kept }) =>
    `variables.${kept}.map(k, JSONPatch{op: "remove", path: "/spec/template/metadata/${field}/" + jsonpatch.escapeKey(k)})`,
).join("\n+ ");

export const RESERVED_VALIDATION: Validation = {
  expression: FIELDS.map(({ reserved, kept }) => `variables.${reserved}.all(k, k in variables.${kept})`).join(" && "),
  message: RESERVED_MESSAGE,
};

/** The CRD refuses anything but a map. */
function mapOf(object: string, field: string): string {
  const map = `${object}.?spec.?template.?metadata.?${field}.orValue({})`;
  return `type(${map}) == map ? ${map} : {}`;
}
