/** The options and the result of a migration, and its check with Karpenter's rules. */
import type { ObjectEdit } from "../krm/edit/rewrite-sources.ts";
import { type FieldPath, quotedField, samePath } from "../krm/places/field-path.ts";
import { type Finding, findingAt } from "../krm/findings/finding.ts";
import type { FindingCode } from "../krm/findings/finding-codes.ts";
import { describeResource, type Resource } from "../krm/places/resource.ts";
import type { ClassKind } from "../karpenter/conversion/convert-node-class-ref.ts";
import type { KarpenterKind, KarpenterVersion } from "../karpenter/conversion/karpenter-type.ts";
import type { Profile } from "../model/crds/profile.ts";
import { ec2NodeClassSpec } from "../model/ec2/node-class.ts";
import { nodeClaimResource } from "../model/pools/node-claim.ts";
import { nodePoolSpec } from "../model/pools/node-pool.ts";
import { memoize, memoizeByKey } from "../model/schema/memoize.ts";
import { check } from "../model/schema/validate.ts";
import { type Fields, isFields } from "../krm/values/fields.ts";

export interface MigrateOptions {
  readonly to: KarpenterVersion;
  /** Convert as Karpenter's conversion webhook does, with the annotations for the conversion back. */
  readonly compat: boolean;
  /** The Karpenter that v1 objects are for. */
  readonly profile: Profile;
}

/** An object of Karpenter as read. */
export interface KarpenterObject {
  readonly resource: Resource;
  readonly kind: KarpenterKind;
  readonly version: KarpenterVersion;
  /** The node classes that its reference means; undefined for those of AWS. */
  readonly meant: ClassKind | undefined;
}

/** A field of the input with text that another object takes over. */
export interface FieldPlace {
  readonly resource: Resource;
  readonly path: FieldPath;
}

export interface MigratedObject {
  readonly value: Fields;
  /** The former place of its kubelet settings, if they were in another object. */
  readonly kubeletFrom?: FieldPlace | undefined;
}

export interface Migration extends MigratedObject {
  readonly resource: Resource;
  /** Node classes that were split off from it. */
  readonly split: readonly MigratedObject[];
}

/** A finding about a field of the object; its name precedes the message. */
export function noteOn(
  resource: Resource,
  code: FindingCode,
  path: FieldPath,
  message: string,
  hint?: string,
): Finding {
  return findingAt(code, resource, path, { message: `${describeResource(resource)}${message}`, hint });
}

/** The migration as an edit of the object's source text. */
export function editOf({ resource, split, ...own }: Migration): ObjectEdit {
  const path = resource.kind === "NodePool" ? ["spec", "template", "spec", "kubelet"] : ["spec", "kubelet"];
  const carrying = ({ value, kubeletFrom: from }: MigratedObject) =>
    from === undefined ? { value } : { value, carried: { path, from } };
  return { resource, ...carrying(own), added: split.map(carrying) };
}

const pools = memoizeByKey(nodePoolSpec);
const classes = memoizeByKey(ec2NodeClassSpec);
const claims = memoize(() => nodeClaimResource.spec());

/** Validates a v1 object with Karpenter's rules, and reports errors at the input's line. */
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
