/** A raw object as v1: what Karpenter's own conversion makes of v1beta1. */
import { convertAsWebhook, karpenterType } from "../karpenter/conversion/convert-object.ts";
import { type Finding, findingAt, type Outcome } from "../krm/finding.ts";
import { describeResource, type Resource } from "../krm/resource.ts";

/** Undefined where Karpenter's conversion fails at it. Places stay those of the object as written. */
export function asV1(resource: Resource): Outcome<Resource | undefined> {
  // Other providers have a v1beta1 of their own.
  if (karpenterType(resource)?.version !== "v1beta1") return { value: resource, findings: [] };
  const converted = convertAsWebhook(resource.value, "v1");
  if ("refusal" in converted) return { value: undefined, findings: [refused(resource)] };
  return { value: { ...resource, value: converted.value }, findings: [told(resource)] };
}

function told(resource: Resource): Finding {
  const message = `${describeResource(resource)} is ${resource.apiVersion}; it is read as the v1 that Karpenter's conversion makes of it`;
  return findingAt("old-dialect", resource, ["apiVersion"], { message, hint: "anp migrate --write turns it into v1" });
}

function refused(resource: Resource): Finding {
  const message = `${describeResource(resource)} is ${resource.apiVersion}, and Karpenter's conversion to v1 fails at it`;
  const code = resource.kind === "NodePool" ? "node-pool-invalid" : "node-class-invalid";
  return findingAt(code, resource, ["apiVersion"], { message, hint: "anp migrate says why" });
}
