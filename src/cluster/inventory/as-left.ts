/** A print of what anp is answerable for in a live object: its spec, and who owns what of it. */
import { createHash } from "node:crypto";
import { canonical } from "../../krm/canonical.ts";
import type { LiveObject } from "../api/live-object.ts";
import { isApplyOfOurs, speaksOfSpec } from "../objects/field-owners.ts";

/**
 * Whoever may patch an object may rewrite its managedFields, and then nobody can tell a default from what was left
 * behind. As long as the print is the one that anp took, both are as the API server wrote them.
 */
export function printOf({ metadata: { managedFields = [] }, spec }: LiveObject): string {
  const records = managedFields
    .filter((entry) => isApplyOfOurs(entry) || speaksOfSpec(entry))
    .map(({ manager, operation, subresource, fieldsV1 }) => ({ manager, operation, subresource, fieldsV1 }));
  return createHash("sha256").update(canonical({ spec, records })).digest("hex").slice(0, 16);
}
