/** Validates a v1 object with Karpenter's rules, and reports errors at the input's line. */
import { type FieldPath, quotedField, samePath } from "../krm/places/field-path.ts";
import { type Finding, findingAt } from "../krm/findings/finding.ts";
import { describeResource } from "../krm/places/resource.ts";
import { ec2NodeClassSpec } from "../model/ec2/node-class.ts";
import { nodeClaimResource } from "../model/pools/node-claim.ts";
import { nodePoolSpec } from "../model/pools/node-pool.ts";
import { memoize, memoizeByKey } from "../model/schema/memoize.ts";
import type { Profile } from "../model/crds/profile.ts";
import { check } from "../model/schema/validate.ts";
import { isFields } from "../krm/values/fields.ts";
import type { Migration } from "./migration.ts";

const pools = memoizeByKey(nodePoolSpec);
const classes = memoizeByKey(ec2NodeClassSpec);
const claims = memoize(() => nodeClaimResource.spec());

export function checkMigrated({ resource, value }: Migration, profile: Profile): Finding[] {
  const { kind } = resource;
  const schema = kind === "NodePool" ? pools(profile) : kind === "NodeClaim" ? claims() : classes(profile);
  const spec = withoutNulls(value["spec"]);
  return check(schema, spec).violations.map(({ path, message, hint, unknownField }) => {
    const at = ["spec", ...path];
    const words = { message: `${describeResource(resource)}: ${quotedField(at)} ${message}`, hint };
    // The API server accepts such an object and drops the field.
    if (unknownField) return findingAt("unknown-field", resource, at, words, "key");
    return findingAt("migrate-invalid", resource, before(at), words);
  });
}

/** The path of a field in v1beta1. */
function before(path: FieldPath): FieldPath {
  return samePath(path, ["spec", "template", "spec", "expireAfter"]) ? ["spec", "disruption", "expireAfter"] : path;
}

/** The API server treats a null field as absent. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isFields(value)) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== null && field !== undefined);
  return Object.fromEntries(fields.map(([name, field]) => [name, withoutNulls(field)]));
}
