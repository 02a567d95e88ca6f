/** A hash of the spec of a live object and of the owners of its fields. */
import { createHash } from "node:crypto";
import { canonical } from "../../krm/canonical.ts";
import type { LiveObject } from "../api/live-object.ts";
import { isApplyOfOurs, speaksOfSpec } from "../objects/field-owners.ts";

/**
 * A user who may patch an object may rewrite its managedFields. Then defaults cannot be told from leftovers. If the hash
 * is the one that anp recorded, spec and managedFields are as the API server wrote them.
 */
export function specHash({ metadata: { managedFields = [] }, spec }: LiveObject): string {
  const records = managedFields
    .filter((entry) => isApplyOfOurs(entry) || speaksOfSpec(entry))
    .map(({ manager, operation, subresource, fieldsV1 }) => ({ manager, operation, subresource, fieldsV1 }));
  return createHash("sha256").update(canonical({ spec, records })).digest("hex").slice(0, 16);
}
