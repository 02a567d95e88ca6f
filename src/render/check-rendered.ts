/** A rendered object against its CRD: what Karpenter would refuse, at the input's line. */
import { type Finding, findingAt } from "../krm/finding.ts";
import { quotedField } from "../krm/field-path.ts";
import { describeResource } from "../krm/resource.ts";
import { ec2NodeClassSpec } from "../model/ec2/node-class.ts";
import { nodePoolSpec } from "../model/node-pool.ts";
import { oncePer } from "../model/once.ts";
import type { Profile } from "../model/profile.ts";
import { check } from "../model/validate.ts";
import { originOf, type RenderedObject } from "../resolve/origin.ts";

/** By the CRD of the cluster's profile. */
export function checkRendered(rendered: RenderedObject, profile: Profile): Finding[] {
  const { object, wrapper } = rendered;
  if (wrapper === undefined) return [];
  const schema = object.kind === "NodePool" ? nodePoolSchemas(profile) : nodeClassSchemas(profile);
  return check(schema, object.spec).violations.map(({ path, message, hint }) => {
    const output = ["spec", ...path];
    const { resource, path: input } = originOf(rendered, output) ?? { resource: wrapper, path: [] };
    const what = `the ${object.kind} ${object.metadata.name} rendered from it would be refused (profile ${profile})`;
    const words = {
      message: `${describeResource(resource)}: ${what}: ${quotedField(output)} ${message}`,
      hint,
    };
    return findingAt("rendered-invalid", resource, input, words);
  });
}

const nodePoolSchemas = oncePer(nodePoolSpec);
const nodeClassSchemas = oncePer(ec2NodeClassSpec);
