/** Renders the rules that keep anp's metadata, and statuses that only Karpenter may write. */
import { MANAGED_BY } from "../model/objects/marks.ts";
import type { Validation } from "./reserved-key-rules.ts";

const PREFIX = "anp.hypershift.openshift.io/";

/**
 * The policies apply to all metadata except changes of status requests. Only updates need these rules, because every
 * other request is denied. Users cannot remove, change or add a mark of anp.
 */
export function metadataProtection(kind: string, isKarpenter: string | undefined): Validation[] {
  const message = `What anp writes into the metadata of ${kind} resources cannot be modified directly.`;
  const marks = [
    `(${at("object", "labels")}[?'${MANAGED_BY}'] == optional.of('anp')) == (${at("oldObject", "labels")}[?'${MANAGED_BY}'] == optional.of('anp'))`,
    ...["labels", "annotations"].flatMap((field) => [
      isWithin(at("object", field), at("oldObject", field)),
      isWithin(at("oldObject", field), at("object", field)),
    ]),
  ];
  const validations = [{ expression: unlessUpdate(marks.join(" && ")), message }];
  // This rule requires that Karpenter's users are known: if the schema of a CRD changes, the API server itself changes
  // recorded managed fields with the next request, and a finalizer that cannot be removed blocks nodes forever
  // (sigs.k8s.io/structured-merge-diff `merge/update.go`, `reconcileManagedFieldsWithSchemaChanges`). So removing a
  // finalizer from a terminating object also passes.
  if (isKarpenter !== undefined) {
    const same = `${ownedBy("object")} == ${ownedBy("oldObject")}`;
    validations.push({ expression: unlessUpdate(`${isKarpenter} || ${RELEASED} || ${same}`), message });
  }
  return validations;
}

const RELEASED =
  "has(oldObject.metadata.deletionTimestamp) && object.metadata.?finalizers != oldObject.metadata.?finalizers";

function unlessUpdate(expression: string): string {
  return `request.operation != 'UPDATE' || (${expression})`;
}

function at(side: string, field: string): string {
  return `${side}.metadata.?${field}.orValue({})`;
}

function isWithin(some: string, all: string): string {
  return `${some}.all(k, !k.startsWith('${PREFIX}') || ${all}[?k] == optional.of(${some}[k]))`;
}

function ownedBy(side: string): string {
  return `${side}.metadata.?managedFields.orValue([]).filter(m, m.?manager.orValue('') == 'anp' && m.?subresource.orValue('') == '')`;
}

interface StatusRule {
  readonly group: string;
  readonly resources: readonly string[];
}

interface Covered {
  readonly nodeClaims: boolean;
  /** NodePools and EC2NodeClasses. */
  readonly others: boolean;
}

/**
 * Karpenter reads AMIs, subnets, security groups and instance profile from the status of a class, and the instance of
 * a NodeClaim from its `providerID` (docs/upstream/karpenter.md#status). Rules on the object do not apply to requests
 * for its status.
 */
export function statusRules({ nodeClaims, others }: Covered): StatusRule[] {
  const ofKarpenter = [...(nodeClaims ? ["nodeclaims/status"] : []), ...(others ? ["nodepools/status"] : [])];
  return [
    ...(others ? [{ group: "karpenter.k8s.aws", resources: ["ec2nodeclasses/status"] }] : []),
    ...(ofKarpenter.length > 0 ? [{ group: "karpenter.sh", resources: ofKarpenter }] : []),
  ];
}

export function statusMessage(): string {
  return "The status of NodePools, NodeClaims and EC2NodeClasses is Karpenter's alone to write.";
}
