/** Reads a raw object as v1, with Karpenter's own conversion from v1beta1. */
import { convertAsWebhook } from "../karpenter/conversion/convert-object.ts";
import { karpenterType } from "../karpenter/conversion/karpenter-type.ts";
import { type Finding, findingAt, type Outcome } from "../krm/findings/finding.ts";
import { describeResource, type Resource } from "../krm/places/resource.ts";

/** Undefined if Karpenter's conversion fails. Places remain those of the object as written. */
export function asV1(resource: Resource): Outcome<Resource | undefined> {
  // The v1beta1 of other providers is not Karpenter's.
  if (karpenterType(resource)?.version !== "v1beta1") return { value: resource, findings: [] };
  const result = convertAsWebhook(resource.value, "v1");
  if ("refusal" in result) return { value: undefined, findings: [refused(resource)] };
  return { value: { ...resource, value: result.value }, findings: [converted(resource)] };
}

function converted(resource: Resource): Finding {
  const message = `${describeResource(resource)} is ${resource.apiVersion}; it is converted to v1 as Karpenter does`;
  return findingAt("old-dialect", resource, ["apiVersion"], { message, hint: "anp migrate --write converts it to v1" });
}

function refused(resource: Resource): Finding {
  const message = `${describeResource(resource)} is ${resource.apiVersion}, and Karpenter's conversion to v1 fails`;
  const code = resource.kind === "NodePool" ? "node-pool-invalid" : "node-class-invalid";
  return findingAt(code, resource, ["apiVersion"], { message, hint: "run anp migrate for the reason" });
}
