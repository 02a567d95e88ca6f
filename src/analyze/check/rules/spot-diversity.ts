/** Rule: Spot pools with too few instance types for Spot-to-Spot consolidation. */
import { CAPACITY_TYPE } from "../../../model/requirements/label-keys.ts";
import { countTypes } from "../../../karpenter/catalogue/type-mask.ts";
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { describeResource } from "../../../krm/places/resource.ts";
import { CHEAPER_SPOT_TYPES } from "../../../model/settings/karpenter-options.ts";
import type { ResolvedPool } from "../../../resolve/resolve-pool.ts";
import { typesOfPolicy } from "../../explain/entries.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import type { KeyExplanation } from "../../explain/explanation.ts";

/** It is a minimum for consolidation, not for launching (docs/upstream/karpenter.md#spot-to-spot). */
export function spotDiversity(cluster: ExplainedCluster): Finding[] {
  const { explanations, knownTypes } = cluster;
  if (knownTypes.typesUnknown) return [];
  const isOn = knownTypes.karpenter?.gates.has("SpotToSpotConsolidation") ?? false;
  // If the policy allows too few types, no pool can have more.
  if (countTypes(typesOfPolicy(cluster).types) < CHEAPER_SPOT_TYPES) return [];
  return explanations.flatMap(({ pool, verdict, requirements, instanceTypes: { names } }) => {
    if (verdict === "unsatisfiable" || names.length === 0 || names.length >= CHEAPER_SPOT_TYPES) return [];
    if (!requirements.some(isSpotAlone)) return [];
    const types = names.length === 1 ? "1 instance type is" : `${names.length} instance types are`;
    const replaces = isOn
      ? `Karpenter replaces a Spot node with a cheaper one only if ${CHEAPER_SPOT_TYPES} types are cheaper`
      : `Karpenter replaces no Spot node with a cheaper one (its feature gate SpotToSpotConsolidation is off; with it, only if ${CHEAPER_SPOT_TYPES} types are cheaper)`;
    const interrupted = "an interruption of one type affects many nodes";
    const then = isConsolidated(pool) ? `${replaces}, and ${interrupted}` : interrupted;
    const message = `${describeResource(pool.wrapper)} uses Spot only, and ${types} left: ${then}`;
    const hint = "allow more families, sizes or generations";
    const path = ["spec", "template", "spec", "requirements"];
    return [findingAt("spot-diversity", pool.wrapper, path, { message, hint })];
  });
}

/** Whether an entry leaves Spot only. */
export function isSpotAlone({ key, effective: { complement, values } }: KeyExplanation): boolean {
  return key === CAPACITY_TYPE && !complement && values.size === 1 && values.has("spot");
}

function isConsolidated({ spec: { disruption } }: ResolvedPool): boolean {
  return disruption?.consolidationPolicy !== "WhenEmpty" && disruption?.consolidateAfter !== "Never";
}
