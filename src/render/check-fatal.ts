/** Refuses values that would end Karpenter for every pool of the cluster, at the user's line. */
import { quotedField } from "../krm/field-path.ts";
import { type Finding, findingAt } from "../krm/finding.ts";
import { describeResource } from "../krm/resource.ts";
import { fatalValuesOf } from "../karpenter/node-class/fatal-values.ts";
import type { Profile } from "../model/profile.ts";
import { originOf, type RenderedObject } from "../resolve/origin.ts";

export function checkFatal(rendered: RenderedObject, profile: Profile): Finding[] {
  const { object, wrapper } = rendered;
  if (wrapper === undefined) return [];
  return fatalValuesOf(object, profile).map(({ path, message, hint }) => {
    const { resource, path: input } = originOf(rendered, path) ?? { resource: wrapper, path: [] };
    const words = { message: `${describeResource(resource)}: ${quotedField(input)} ${message}`, hint };
    return findingAt("value-crashes-karpenter", resource, input, words);
  });
}
