/** Reports the findings of rendering for raw pools and node classes. */
import { fatalValuesOf } from "../karpenter/node-class/fatal-values.ts";
import { formatFieldPath } from "../krm/places/field-path.ts";
import { type Finding, findingAt, hasErrors } from "../krm/findings/finding.ts";
import { describeResource, type Resource } from "../krm/places/resource.ts";
import type { KubeObject } from "../model/objects/kube-object.ts";
import { effectOf, reservedAnnotations } from "../model/requirements/reserved-keys.ts";
import type { ResolvedInputs } from "../resolve/inputs.ts";
import { ANNOTATIONS, REMOVE_KEY } from "../resolve/reserved-keys.ts";
import type { ResolvedPool } from "../resolve/resolve-pool.ts";
import type { ResolvedCluster } from "../resolve/resolved-cluster.ts";
import { mergeRequirements } from "./merge-requirements.ts";
import { noNodes } from "./render-node-pool.ts";

export function rawFindings({ inputs, pools, bundle }: ResolvedCluster): Finding[] {
  if (inputs === undefined) return [];
  return [
    ...bundle.nodeClasses.flatMap((nodeClass) => fatalFindings(nodeClass, inputs)),
    ...pools.flatMap((pool) => rawPoolFindings(pool, inputs, mergeRequirements(pool, inputs.policy).findings)),
  ];
}

/** @param onRequirements the findings of merging them */
export function rawPoolFindings(
  pool: ResolvedPool,
  inputs: ResolvedInputs,
  onRequirements: readonly Finding[],
): Finding[] {
  // Under a policy, reading has refused or removed reserved keys.
  const onKeys = inputs.policy.resource === undefined ? reservedKeys(pool) : [];
  const findings = [...onRequirements, ...fatalFindings(pool.wrapper, inputs), ...onKeys];
  return hasErrors(findings) ? findings : [...findings, ...foreignFindings(pool), ...noNodes(pool)];
}

/** The schema of the kind refuses reserved labels. */
function reservedKeys({ wrapper, spec }: ResolvedPool): Finding[] {
  return reservedAnnotations(spec.template.metadata?.annotations).map((key) => {
    const message = `${describeResource(wrapper)}: the template has the annotation ${key}: ${effectOf(key)}`;
    return findingAt("template-key-reserved", wrapper, [...ANNOTATIONS, key], { message, hint: REMOVE_KEY });
  });
}

/** The pool gets nodes, but of unintended types. Labels of one provider are one mistake. */
function foreignFindings({ wrapper, foreign }: ResolvedPool): Finding[] {
  const keyOf = ({ demand }: ResolvedPool["foreign"][number]): string => demand.requirement.key;
  const groups = Map.groupBy(foreign, (one) => one.message.slice(keyOf(one).length));
  return [...groups.values()].map(([first, ...rest]) => {
    const { demand, message, hint } = first!;
    const others = new Set(rest.map(keyOf)).difference(new Set([keyOf(first!)]));
    const also = others.size === 0 ? "" : `, and so ${others.size === 1 ? "is" : "are"} ${[...others].join(", ")}`;
    const effect = others.size === 0 ? "it only becomes a label" : "they only become labels";
    const words = `${describeResource(wrapper)}: ${message}${also}; ${effect} of the nodes`;
    return findingAt("provider-mismatch", demand.place.resource, demand.place.path, { message: words, hint });
  });
}

/** Values that make Karpenter fail for every pool of the cluster. */
function fatalFindings(resource: Resource, { settings }: ResolvedInputs): Finding[] {
  return fatalValuesOf(resource.value as unknown as KubeObject, settings.profile).map(({ path, message, hint }) => {
    const words = { message: `${describeResource(resource)}: \`${formatFieldPath(path)}\` ${message}`, hint };
    return findingAt("value-crashes-karpenter", resource, path, words);
  });
}
