/** Converts a manifest of a NodeClaim to the other version, without annotations of a conversion. */
import type { Finding, Outcome } from "../krm/findings/finding.ts";
import { KARPENTER_GROUP } from "../krm/findings/known-kinds.ts";
import type { Resource } from "../krm/places/resource.ts";
import { refToV1 } from "../karpenter/conversion/convert-node-class-ref.ts";
import { expiryOf } from "../karpenter/conversion/convert-node-claim.ts";
import { withoutConversionAnnotations } from "../karpenter/conversion/convert-node-pool.ts";
import { withUpstreamConditions } from "../karpenter/conversion/convert-status.ts";
import { type Fields, fieldsOf, isFields, withChanges } from "../krm/values/fields.ts";
import { inOrderOf, olderRequirements, refWithVersion } from "./migrate-node-pool.ts";
import { type KarpenterObject, noteOn } from "./migration.ts";

/**
 * @param className the new name of its node class, if planned
 * @param pool its NodePool in version v1, which has the node lifetime
 */
export function migrateClaimToV1(
  { resource: claim, meant }: KarpenterObject,
  className: string | undefined,
  pool: Fields | undefined,
): Outcome<Fields> {
  if (claim.apiVersion !== `${KARPENTER_GROUP}/v1beta1`) {
    return { value: withoutConversionAnnotations(renamedClass(claim.value, className)), findings: [] };
  }
  const { kubelet: _moved, nodeClassRef, ...spec } = fieldsOf(claim.value["spec"]);
  const findings: Finding[] = [];
  if (pool === undefined) {
    const message =
      ": its NodePool is not in the input, so expireAfter: Never is written, as in Karpenter's own conversion";
    const hint = "add the NodePool to the input, or set the node lifetime";
    findings.push(noteOn(claim, "migrate-behaves-differently", ["spec"], message, hint));
  }
  const value = withChanges(claim.value, {
    apiVersion: `${KARPENTER_GROUP}/v1`,
    spec: inOrderOf(claim.value["spec"], {
      ...spec,
      nodeClassRef: isFields(nodeClassRef) ? refToV1(nodeClassRef, meant) : undefined,
      expireAfter: pool === undefined ? "Never" : expiryOf(pool),
    }),
  });
  return { value: withUpstreamConditions(withoutConversionAnnotations(renamedClass(value, className))), findings };
}

export function migrateClaimToV1beta1(claim: Resource, kubelet: Fields | undefined): Outcome<Fields> {
  const { expireAfter, terminationGracePeriod, nodeClassRef, ...spec } = fieldsOf(claim.value["spec"]);
  const requirements = olderRequirements(claim, ["spec", "requirements"]);
  const findings: Finding[] = [...requirements.findings];
  for (const [name, lost] of Object.entries({ expireAfter, terminationGracePeriod })) {
    // v1beta1 has the lifetime of a claim in its pool.
    if (lost === undefined || (name === "expireAfter" && isOfPool(claim))) continue;
    const message = `: ${name}: ${String(lost)} is dropped: a NodeClaim of v1beta1 does not have it`;
    findings.push(noteOn(claim, "migrate-lossy", ["spec", name], message));
  }
  const value = withChanges(claim.value, {
    apiVersion: `${KARPENTER_GROUP}/v1beta1`,
    spec: inOrderOf(claim.value["spec"], {
      ...spec,
      requirements: requirements.value,
      nodeClassRef: refWithVersion(nodeClassRef),
      kubelet,
    }),
  });
  return { value: withUpstreamConditions(withoutConversionAnnotations(value)), findings };
}

function isOfPool({ value }: Resource): boolean {
  return poolNameOf(value) !== undefined;
}

export function poolNameOf(claim: Fields): unknown {
  return fieldsOf(fieldsOf(claim["metadata"])["labels"])["karpenter.sh/nodepool"];
}

function renamedClass(claim: Fields, className: string | undefined): Fields {
  const spec = fieldsOf(claim["spec"]);
  const { nodeClassRef } = spec;
  if (className === undefined || !isFields(nodeClassRef) || nodeClassRef["name"] === className) return claim;
  return withChanges(claim, {
    spec: withChanges(spec, { nodeClassRef: withChanges(nodeClassRef, { name: className }) }),
  });
}
