/** Rules: NodeOverlays that conflict, or that lower on-demand prices in pools with Spot. */
import { onDemandChange, readOverlay } from "../../../karpenter/catalogue/node-overlays.ts";
import { has } from "../../../karpenter/requirements/requirement.ts";
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { describeResource, type Resource } from "../../../krm/places/resource.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import type { PoolExplanation } from "../../explain/explanation.ts";

const CAPACITY_TYPE = "karpenter.sh/capacity-type";

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
  const { overlays, karpenter } = knownTypes;
  if (overlays === undefined || karpenter === undefined) return [];
  const conflicting = new Set(overlays.conflicting);
  const applied = karpenter.overlays.filter(({ name }) => !conflicting.has(name));
  return explanations.flatMap((explanation): Finding[] => {
    const { pool, verdict, instanceTypes } = explanation;
    if (verdict === "unsatisfiable" || pool.provider.name !== "aws" || !isOfBoth(explanation)) return [];
    const changes = instanceTypes.names.map((type) => onDemandChange(overlays, pool.name, type));
    const change = changes.find((one) => one !== undefined && !one.startsWith("+"));
    const overlay = change === undefined ? undefined : applied.find((one) => readOverlay(one)?.price === change);
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
