/** The findings of bundles that are not rendered, which no other step reports. */
import { type Finding, ofCluster } from "../../krm/findings/finding.ts";
import type { Bundle } from "../../model/inputs/bundle.ts";
import { applyRulesOf } from "../../render/render-all.ts";
import { configOf } from "../../resolve/settings.ts";

/** Applies the rules of each cluster's RenderConfig, and names the hosted cluster if there are several. */
export function findingsOfBundles(bundles: readonly Bundle[]): readonly Finding[] {
  const isOfSeveral = bundles.length > 1;
  const found = bundles.flatMap((bundle) =>
    ofCluster(isOfSeveral ? bundle.hostedCluster : undefined, [...bundle.findings, ...configOf(bundle).findings]),
  );
  return applyRulesOf(bundles, found);
}
