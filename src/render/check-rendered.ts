/** Checks a rendered object for what Karpenter refuses or fails on, at the input's line. */
import { type Finding, findingAt } from "../krm/findings/finding.ts";
import { type FieldPath, quotedField } from "../krm/places/field-path.ts";
import { describeResource } from "../krm/places/resource.ts";
import { fatalValuesOf } from "../karpenter/node-class/fatal-values.ts";
import { ec2NodeClassSpec } from "../model/ec2/node-class.ts";
import { nodePoolSpec } from "../model/pools/node-pool.ts";
import { memoizeByKey } from "../model/schema/memoize.ts";
import type { Profile } from "../model/crds/profile.ts";
import { check } from "../model/schema/validate.ts";
import { originOf, type RenderedObject } from "../resolve/origin.ts";

/** Checks the CRD of the profile, and values that make Karpenter fail for every pool of the cluster. */
export function checkRendered(rendered: RenderedObject, profile: Profile): Finding[] {
  const { object, wrapper } = rendered;
  if (wrapper === undefined) return [];
  const inputOf = (output: FieldPath) => originOf(rendered, output) ?? { resource: wrapper, path: [] };
  const schema = object.kind === "NodePool" ? nodePoolSchemas(profile) : nodeClassSchemas(profile);
  const invalid = check(schema, object.spec).violations.map(({ path, message, hint }) => {
    const output = ["spec", ...path];
    const { resource, path: input } = inputOf(output);
    const what = `the ${object.kind} ${object.metadata.name} rendered from it would be refused (profile ${profile})`;
    const words = `${describeResource(resource)}: ${what}: ${quotedField(output)} ${message}`;
    return findingAt("rendered-invalid", resource, input, { message: words, hint });
  });
  const fatal = fatalValuesOf(object, profile).map(({ path, message, hint }) => {
    const { resource, path: input } = inputOf(path);
    const words = `${describeResource(resource)}: ${quotedField(input)} ${message}`;
    return findingAt("value-crashes-karpenter", resource, input, { message: words, hint });
  });
  return [...invalid, ...fatal];
}

const nodePoolSchemas = memoizeByKey(nodePoolSpec);
const nodeClassSchemas = memoizeByKey(ec2NodeClassSpec);
