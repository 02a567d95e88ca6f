/** Rules on what needs feature gates of Karpenter: static pools and NodeOverlays. */
import { CAPACITY_TYPE } from "../../../model/requirements/label-keys.ts";
import { onDemandChange } from "../../../karpenter/catalogue/node-overlays.ts";
import { has } from "../../../karpenter/requirements/requirement.ts";
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { describeResource, type Resource } from "../../../krm/places/resource.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import type { PoolExplanation } from "../../explain/explanation.ts";
import { nodeLimitOf } from "../../../karpenter/disruption/node-limit.ts";
import { roomOf } from "../../running/node-lifetime.ts";

/** See docs/upstream/karpenter.md#static-pools. */
export function staticCapacityOff({ explanations }: ExplainedCluster): Finding[] {
  return explanations.flatMap(({ pool: { wrapper }, noNodes }) =>
    noNodes
      .filter(({ code }) => code === "static-capacity-off")
      .map(({ code, place: { resource, path }, message, hint }) =>
        findingAt(code, resource, path, { message: `${describeResource(wrapper)}: ${message}`, hint }),
      ),
  );
}

/** Drift of a static pool waits for room under its node limit, which never comes (docs/upstream/karpenter.md#static-pools). */
export function staticNeverRolls({ explanations, knownTypes: { karpenter } }: ExplainedCluster): Finding[] {
  const terminatesFirst = karpenter?.gates.has("TerminateFirstDrift") ?? false;
  return explanations.flatMap(({ pool: { wrapper, replicas, spec }, noNodes }) => {
    const limit = nodeLimitOf(spec.limits, "Soft");
    if (replicas === undefined || replicas === 0 || limit === undefined || limit.nodes === 0) return [];
    const room = roomOf({ limit, replicas, terminatesFirst }, Math.min(replicas, limit.nodes));
    if (room === undefined || room > 0 || noNodes.some(({ code }) => code === "static-capacity-off")) return [];
    const message = `${describeResource(wrapper)} keeps ${replicas} nodes within a limit of ${limit.nodes}: Karpenter launches a replacement first, and has no room for one, so it never replaces a drifted node`;
    const hint = "raise limits.nodes above replicas, or turn on the feature gate TerminateFirstDrift (Karpenter 1.15)";
    return [findingAt("static-never-rolls", wrapper, ["spec", "limits", "nodes"], { message, hint })];
  });
}

/** See docs/upstream/hypershift.md#rosa and docs/upstream/karpenter.md#static-pools. */
export function rosaReplicas({ pools }: ExplainedCluster): Finding[] {
  return pools
    .filter(({ replicas }) => replicas !== undefined)
    .map(({ wrapper }) => {
      const message = `${describeResource(wrapper)} has a fixed number of nodes: ROSA does not support it, and its Karpenter launches no nodes for the pool`;
      const hint = "make a pool without spec.replicas: Karpenter then launches the nodes that pods need";
      return findingAt("rosa-replicas", wrapper, ["spec", "replicas"], { message, hint });
    });
}

/** See docs/upstream/karpenter.md#node-overlays. */
export function overlayConflict({ knownTypes: { overlays, karpenter } }: ExplainedCluster): Finding[] {
  const conflicting = new Set(overlays?.conflicting);
  return (karpenter?.overlays ?? [])
    .filter(({ name }) => conflicting.has(name))
    .map((overlay) => {
      const message = `${describeResource(overlay)} changes what another overlay of the same weight changes, and Karpenter ignores it as a whole`;
      const hint = "give it another weight: the overlay with the higher one counts";
      return findingAt("overlay-conflict", overlay, ["metadata", "name"], { message, hint });
    });
}

/** Karpenter launches no Spot capacity above the cheapest on-demand price (docs/upstream/karpenter.md#node-overlays). */
export function overlayBelowSpot(cluster: ExplainedCluster): Finding[] {
  const { explanations, knownTypes } = cluster;
  const { overlays } = knownTypes;
  if (overlays === undefined) return [];
  const conflicting = new Set(overlays.conflicting);
  const applied = [...overlays.compared].filter(([{ name }]) => !conflicting.has(name));
  return explanations.flatMap((explanation): Finding[] => {
    const { pool, verdict, instanceTypes } = explanation;
    if (verdict === "unsatisfiable" || pool.provider.name !== "aws" || !isOfBoth(explanation)) return [];
    const changes = instanceTypes.names.map((type) => onDemandChange(overlays, pool.name, type));
    const change = changes.find((one) => one !== undefined && !one.startsWith("+"));
    const overlay = change === undefined ? undefined : applied.find(([, { price }]) => price === change)?.[0];
    if (change === undefined || overlay === undefined) return [];
    const message = `${describeResource(overlay)} changes on-demand prices (${change}) and not Spot prices, and ${describeResource(pool.wrapper)} allows both: Karpenter launches no Spot capacity above the cheapest on-demand price, so the pool may get no Spot nodes any more`;
    const hint = "change the prices of Spot in the same way, or exclude the pool from the overlay";
    return [findingAt("overlay-below-spot", overlay, placeOfPrice(overlay), { message, hint })];
  });
}

/** With a minimum of values Karpenter keeps dear Spot offerings. */
function isOfBoth({ requirements }: PoolExplanation): boolean {
  if (requirements.some(({ effective }) => effective.minValues !== undefined)) return false;
  const asked = requirements.find(({ key }) => key === CAPACITY_TYPE)?.effective;
  return asked === undefined || ["spot", "on-demand"].every((one) => has(asked, one));
}

function placeOfPrice({ value }: Resource): string[] {
  const { spec } = value as { readonly spec: object };
  return ["spec", Object.hasOwn(spec, "price") ? "price" : "priceAdjustment"];
}
