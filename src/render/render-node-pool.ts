/** Renders an OpenshiftNodePool as NodePool (docs/design.md#nodepools). */
import { type Finding, findingAt, hasErrors, type Outcome } from "../krm/findings/finding.ts";
import { type FieldPath, valueAt } from "../krm/places/field-path.ts";
import { describeResource, type Resource } from "../krm/places/resource.ts";
import { marks } from "../model/objects/marks.ts";
import type { OpenshiftNodePool } from "../model/pools/openshift-node-pool.ts";
import type { Origin, RenderedObject } from "../resolve/origin.ts";
import type { EffectivePolicy } from "../resolve/policy.ts";
import type { ResolvedPool } from "../resolve/resolve-pool.ts";
import { mergeRequirements } from "./merge-requirements.ts";

/**
 * Undefined if the pool would bypass the policy, or has other errors. Policy entries come before the user's; node
 * class and node labels are resolved.
 */
export function renderNodePool(pool: ResolvedPool, policy: EffectivePolicy): Outcome<RenderedObject | undefined> {
  const { wrapper, spec: given, labels, labelOrigins, boundOrigins, nodeClassRef } = pool;
  const { template, disruption, limits, weight } = given;
  const requirements = mergeRequirements(pool, policy);
  const { nodeLimitMode: _onTheWrapperOnly, ...copied } = disruption ?? {};
  const findings = [...pool.findings, ...requirements.findings, ...nodeLimit(wrapper, given)];
  // A pool that is not rendered needs no findings about its nodes.
  if (!hasErrors(findings)) findings.push(...noNodes(pool));
  const metadata = {
    ...(Object.keys(labels).length > 0 ? { labels: labels } : {}),
    ...(template.metadata?.annotations === undefined ? {} : { annotations: template.metadata.annotations }),
  };
  const { nodeClassRef: _resolved, requirements: _merged, ...rest } = template.spec;
  const spec = {
    template: {
      ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
      spec: { nodeClassRef, requirements: requirements.value.entries, ...rest },
    },
    ...(disruption === undefined ? {} : { disruption: copied }),
    ...(limits === undefined ? {} : { limits }),
    ...(weight === undefined ? {} : { weight }),
  };
  const { name } = wrapper;
  const object = {
    apiVersion: "karpenter.sh/v1",
    kind: "NodePool",
    metadata: { name, ...marks(wrapper.kind, name) },
    spec,
  };
  const origins: Origin[] = [
    { output: ["metadata", "name"], input: { resource: wrapper, path: ["metadata", "name"] } },
    { output: ["spec"], input: { resource: wrapper, path: ["spec"] } },
    ...labelOrigins,
    ...boundOrigins,
    ...missing(wrapper, ["spec", "template", "spec", "nodeClassRef"]),
    ...missing(wrapper, ["spec", "template", "spec", "requirements"]),
    ...requirements.value.origins,
  ];
  return { value: hasErrors(findings) ? undefined : { object, wrapper, origins }, findings };
}

/** Fields that anp sets if the wrapper lacks them. */
function missing(wrapper: Resource, path: FieldPath): Origin[] {
  return (valueAt(wrapper.value, path) ?? undefined) === undefined ? [{ output: path, input: undefined }] : [];
}

/** Reported during rendering because it needs no catalogue. */
export function noNodes({ wrapper, noNodes: reasons }: ResolvedPool): Finding[] {
  return reasons.map(({ code, place, message, hint }) => {
    const effect = code === "expires-at-once" ? "keeps no node" : "gets no nodes";
    return findingAt(code, place.resource, place.path, {
      message: `${describeResource(wrapper)} ${effect}: ${message}`,
      hint,
    });
  });
}

function nodeLimit(wrapper: Resource, spec: OpenshiftNodePool["spec"]): Finding[] {
  const mode = spec.disruption?.nodeLimitMode ?? "Hard";
  if (spec.limits?.["nodes"] === undefined || mode !== "Hard") return [];
  const message = `${describeResource(wrapper)}: Karpenter treats limits.nodes as soft; the manifest alone does not enforce a Hard limit`;
  const hint = "write disruption.nodeLimitMode: Soft if that is enough";
  return [findingAt("node-limit-not-enforced", wrapper, ["spec", "limits", "nodes"], { message, hint })];
}
