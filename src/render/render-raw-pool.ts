/** Renders a NodePool that users write, with the policy's entries before its own. */
import { type Finding, hasErrors, type Outcome } from "../krm/findings/finding.ts";
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
 * See docs/design.md#nodepools-of-users. The user's own object, with the policy's entries above the mark, within the bounds. Undefined if the pool would
 * bypass the policy, or has other errors. It carries no mark of a wrapper, so no pruning removes it.
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

/** A later rendering recognises the policy's entries by this, even if the policy has changed since. */
function recorded(
  { annotations: given, ...metadata }: KubeObject["metadata"],
  entries: Parameters<typeof recordOf>[0],
  { settings }: ResolvedInputs,
): KubeObject["metadata"] {
  const { [POLICY_ENTRIES]: _record, ...others } = given ?? {};
  const { front } = splitAtPolicyEnd(entries);
  const isRecorded = !settings.shipped && front !== undefined;
  const annotations = isRecorded ? { ...others, [POLICY_ENTRIES]: recordOf(front) } : others;
  return { ...metadata, ...(Object.keys(annotations).length === 0 ? {} : { annotations }) };
}
