/** What is to be said of bundles that are not rendered: nobody else says it. */
import { type Finding, ofCluster } from "../../krm/finding.ts";
import type { Bundle } from "../../model/bundle.ts";
import { applyRulesOf } from "../../render/render-all.ts";
import { configOf } from "../../resolve/settings.ts";

/** By the rules of each hosted cluster's RenderConfig, with its name where there are several. */
export function findingsOfBundles(bundles: readonly Bundle[]): readonly Finding[] {
  const isOfSeveral = bundles.length > 1;
  const found = bundles.flatMap((bundle) =>
    ofCluster(isOfSeveral ? bundle.hostedCluster : undefined, [...bundle.findings, ...configOf(bundle).findings]),
  );
  return applyRulesOf(bundles, found);
}
