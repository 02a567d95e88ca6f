/** Edits the upstream EC2NodeClass CRD as HyperShift does. */
import type { KubernetesObject } from "./kubernetes-object.ts";

interface Schema {
  properties?: Record<string, Schema>;
  required?: string[];
  enum?: unknown[];
  "x-kubernetes-validations"?: { message: string; rule: string }[];
}

/**
 * Fields of this version that HyperShift's Karpenter, one release older, may lack. Objects for a hosted cluster must not
 * use them.
 */
const NEWER_FIELDS = ["connectionTracking", "cpuOptions", "networkInterfaces", "placementGroupSelector"];

/** HyperShift's classes have neither a role nor AMI aliases, and their AMIs are added by id. */
export function hypershiftEC2NodeClass(upstream: KubernetesObject): KubernetesObject {
  const crd = structuredClone(upstream);
  const { versions } = crd.spec as { versions?: { schema: { openAPIV3Schema: Schema } }[] };
  const spec = property(versions?.[0]?.schema.openAPIV3Schema, "spec");
  spec.required = [];
  spec["x-kubernetes-validations"] = [];
  property(spec, "amiFamily").enum = ["Custom"];
  property(spec, "amiSelectorTerms")["x-kubernetes-validations"] = [
    // Like HyperShift's own rule, it does not restrict ssmParameter.
    {
      message: 'no field but "id" may be set',
      rule: "self.all(x, !has(x.alias) && !has(x.tags) && !has(x.name) && !has(x.owner))",
    },
  ];
  for (const field of NEWER_FIELDS) {
    property(spec, field);
    delete spec.properties?.[field];
  }
  return crd;
}

function property(schema: Schema | undefined, name: string): Schema {
  const found = schema?.properties?.[name];
  if (found === undefined) throw new Error(`the EC2NodeClass CRD has no ${name}`);
  return found;
}
