/** What is said of raw pools and node classes, as rendering says it of wrappers. */
import { fatalValuesOf } from "../karpenter/node-class/fatal-values.ts";
import { formatFieldPath } from "../krm/field-path.ts";
import { type Finding, findingAt, hasErrors } from "../krm/finding.ts";
import { describeResource, type Resource } from "../krm/resource.ts";
import type { KubeObject } from "../model/kube-object.ts";
import type { ResolvedInputs } from "../resolve/inputs.ts";
import type { ResolvedPool } from "../resolve/resolve-pool.ts";
import type { ResolvedCluster } from "../resolve/resolved-cluster.ts";
import { mergeRequirements } from "./merge-requirements.ts";
import { noNodes } from "./render-node-pool.ts";

export function rawFindings({ inputs, pools, bundle }: ResolvedCluster): Finding[] {
  if (inputs === undefined) return [];
  return [
    ...bundle.nodeClasses.flatMap((nodeClass) => fatalFindings(nodeClass, inputs)),
    ...pools.flatMap((pool) => poolFindings(pool, inputs)),
  ];
}

function poolFindings(pool: ResolvedPool, inputs: ResolvedInputs): Finding[] {
  const findings = [...mergeRequirements(pool, inputs.policy).findings, ...fatalFindings(pool.wrapper, inputs)];
  return hasErrors(findings) ? findings : [...findings, ...foreignFindings(pool), ...noNodes(pool)];
}

/** Nodes come, of types that nobody has asked for. */
function foreignFindings({ wrapper, foreign }: ResolvedPool): Finding[] {
  return foreign.map(({ demand: { place }, message, hint }) => {
    const words = `${describeResource(wrapper)}: ${message}; nodes get it as a label of their own`;
    return findingAt("provider-mismatch", place.resource, place.path, { message: words, hint });
  });
}

/** Values that would end Karpenter for every pool of the cluster. */
function fatalFindings(resource: Resource, { settings }: ResolvedInputs): Finding[] {
  return fatalValuesOf(resource.value as unknown as KubeObject, settings.profile).map(({ path, message, hint }) => {
    const words = { message: `${describeResource(resource)}: \`${formatFieldPath(path)}\` ${message}`, hint };
    return findingAt("value-crashes-karpenter", resource, path, words);
  });
}
