/** Renders a NodePool that users write, with the policy's entries before its own. */
import { type Finding, hasErrors, type Outcome } from "../krm/findings/finding.ts";
import { isHostAnnotation } from "../krm/resource-list/package-item.ts";
import type { KubeObject } from "../model/objects/kube-object.ts";
import { POLICY_ENTRIES } from "../model/objects/marks.ts";
import { withoutServerFields } from "../model/objects/without-server-fields.ts";
import { splitAtPolicyEnd } from "../model/requirements/policy-end.ts";
import { recordOf } from "../resolve/guarded-list.ts";
import type { ResolvedInputs } from "../resolve/inputs.ts";
import type { RenderedObject } from "../resolve/origin.ts";
import type { ResolvedPool } from "../resolve/resolve-pool.ts";
import { mergeRequirements } from "./merge-requirements.ts";
import { rawPoolFindings } from "./raw-findings.ts";

/**
 * See docs/design.md#nodepools-of-users. The user's own object, with the policy's entries above the mark, within the
 * bounds. Undefined if the pool would bypass the policy, or has other errors. It carries no mark of a wrapper, so no
 * pruning removes it.
 */
export function renderRawPool(pool: ResolvedPool, inputs: ResolvedInputs): Outcome<RenderedObject | undefined> {
  const { wrapper, spec, boundOrigins } = pool;
  const requirements = mergeRequirements(pool, inputs.policy);
  const findings: Finding[] = [...pool.findings, ...rawPoolFindings(pool, inputs, requirements.findings)];
  const given = withoutServerFields(wrapper.value as unknown as KubeObject);
  const { entries } = requirements.value;
  const template = { ...spec.template, spec: { ...spec.template.spec, requirements: entries } };
  const object = { ...given, metadata: recorded(given.metadata, entries, inputs), spec: { ...spec, template } };
  const input = { resource: wrapper, path: [] };
  const origins = [{ output: [], input }, ...boundOrigins, ...requirements.value.origins];
  return { value: hasErrors(findings) ? undefined : { object, wrapper, origins }, findings };
}

/**
 * A later rendering recognises its output by this, and in it the policy's entries, even if the policy has changed since.
 * Without a policy it records that none of the entries is the policy's.
 */
function recorded(
  { annotations: given, ...metadata }: KubeObject["metadata"],
  entries: Parameters<typeof recordOf>[0],
  { settings, policy }: ResolvedInputs,
): KubeObject["metadata"] {
  const others = Object.entries(given ?? {}).filter(([key]) => key !== POLICY_ENTRIES && !isHostAnnotation(key));
  const { front = [] } = policy.requirements.length === 0 ? {} : splitAtPolicyEnd(entries);
  const annotations = Object.fromEntries(settings.inferred ? others : [...others, [POLICY_ENTRIES, recordOf(front)]]);
  return { ...metadata, ...(Object.keys(annotations).length === 0 ? {} : { annotations }) };
}
