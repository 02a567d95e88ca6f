/** Reads a NodePool that users write: Karpenter's own, in any version, as v1. */
import { convertAsWebhook } from "../karpenter/conversion/convert-object.ts";
import { classKindMeant, providerOf } from "../karpenter/provider/providers.ts";
import { karpenterType } from "../karpenter/conversion/karpenter-type.ts";
import { type Finding, findingAt, type Outcome } from "../krm/findings/finding.ts";
import { KARPENTER_AWS_GROUP } from "../krm/findings/known-kinds.ts";
import { valueAt } from "../krm/places/field-path.ts";
import { describeResource, groupOf, type Resource } from "../krm/places/resource.ts";
import { fieldsOf } from "../krm/values/fields.ts";
import { nodePoolSchema } from "../model/pools/node-pool.ts";
import type { Profile } from "../model/crds/profile.ts";
import { kindNotServed } from "../model/objects/role.ts";
import { memoizeByKey } from "../model/schema/memoize.ts";
import { movedOfPool } from "../model/schema/moved-fields.ts";
import { validate } from "../model/schema/validate.ts";
import type { NodePoolWrapper } from "./read-node-pool.ts";

export interface ReadRawPool {
  /** As v1, with the places of the object as written; as given if Karpenter's conversion fails. */
  readonly resource: Resource;
  /** Undefined if invalid. */
  readonly value: NodePoolWrapper | undefined;
  readonly findings: readonly Finding[];
}

const schemaOf = memoizeByKey(nodePoolSchema);

const CODES = { code: "node-pool-invalid", unknownField: "unknown-field" } as const;

/** By API group of the node class. */
const movedFor = memoizeByKey((group: string) => {
  const { kinds = ["node class"] } = providerOf({ group });
  return movedOfPool(kinds[0]!, group);
});

/** @param classes the node classes of all providers in the input, which tell the provider of v1beta1 */
export function readRawPool(given: Resource, profile: Profile, classes: readonly Resource[] = []): ReadRawPool {
  const notServed = kindNotServed(given);
  if (notServed !== undefined) return { resource: given, value: undefined, findings: [notServed] };
  const { value: converted, findings: onVersion } = asV1(given, classes);
  if (converted === undefined) return { resource: given, value: undefined, findings: onVersion };
  const valid = validate(schemaOf(profile), converted, { ...CODES, moved: movedFor(groupOfClass(converted)) });
  const findings = [...onVersion, ...valid.findings];
  if (valid.value === undefined) return { resource: converted, value: undefined, findings };
  const { spec } = valid.value;
  const labels = spec.template.metadata?.labels ?? {};
  const { replicas } = spec;
  const value = { spec, given: spec, bounds: [], boundOrigins: [], labels, labelOrigins: [], replicas };
  return { resource: converted, value, findings };
}

function groupOfClass({ value }: Resource): string {
  const { group, apiVersion = "" } = fieldsOf(valueAt(value, ["spec", "template", "spec", "nodeClassRef"]));
  return String(group ?? groupOf(String(apiVersion))) || KARPENTER_AWS_GROUP;
}

/** Undefined if Karpenter's conversion fails. Places remain those of the object as written. */
export function asV1(resource: Resource, classes: readonly Resource[]): Outcome<Resource | undefined> {
  // The v1beta1 of other providers is not Karpenter's.
  if (karpenterType(resource)?.version !== "v1beta1") return { value: resource, findings: [] };
  const result = convertAsWebhook(resource.value, "v1", { meant: classKindMeant(resource, classes) });
  if ("refusal" in result) return { value: undefined, findings: [refused(resource)] };
  const v1 = { ...resource, value: result.value };
  if (resource.written === undefined) return { value: v1, findings: [converted(resource)] };
  const written = convertAsWebhook(resource.written, "v1", { meant: classKindMeant(resource, classes) });
  return {
    value: { ...v1, written: "refusal" in written ? {} : written.value },
    findings: [converted(resource)],
  };
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
