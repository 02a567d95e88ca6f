/** What Karpenter's own rules would refuse of an object of version v1, at the input's line. */
import { type FieldPath, quotedField, samePath } from "../krm/field-path.ts";
import { type Finding, findingAt } from "../krm/finding.ts";
import { describeResource } from "../krm/resource.ts";
import { ec2NodeClassSpec } from "../model/ec2/node-class.ts";
import { nodeClaimResource } from "../model/node-claim.ts";
import { nodePoolSpec } from "../model/node-pool.ts";
import { once, oncePer } from "../model/once.ts";
import type { Profile } from "../model/profile.ts";
import { check } from "../model/validate.ts";
import { isFields } from "../karpenter/conversion/plain-fields.ts";
import type { Migration } from "./migration.ts";

const pools = oncePer(nodePoolSpec);
const classes = oncePer(ec2NodeClassSpec);
const claims = once(() => nodeClaimResource.spec());

export function checkMigrated({ resource, value }: Migration, profile: Profile): Finding[] {
  const { kind } = resource;
  const schema = kind === "NodePool" ? pools(profile) : kind === "NodeClaim" ? claims() : classes(profile);
  const spec = withoutNulls(value["spec"]);
  return check(schema, spec).violations.map(({ path, message, hint, unknownField }) => {
    const at = ["spec", ...path];
    const words = { message: `${describeResource(resource)}: ${quotedField(at)} ${message}`, hint };
    // The API server takes such an object, and leaves the field out.
    if (unknownField) return findingAt("unknown-field", resource, at, words, "key");
    return findingAt("migrate-invalid", resource, before(at), words);
  });
}

/** Where a field stood in v1beta1. */
function before(path: FieldPath): FieldPath {
  return samePath(path, ["spec", "template", "spec", "expireAfter"]) ? ["spec", "disruption", "expireAfter"] : path;
}

/** For the API server a field without a value is not there. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isFields(value)) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== null && field !== undefined);
  return Object.fromEntries(fields.map(([name, field]) => [name, withoutNulls(field)]));
}
