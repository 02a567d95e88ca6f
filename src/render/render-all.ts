/** Renders every hosted cluster of the input, one by one. */
import { type Finding, ofCluster, type Outcome } from "../krm/findings/finding.ts";
import type { Resource } from "../krm/places/resource.ts";
import { type Bundle, hasWrappers } from "../model/inputs/bundle.ts";
import type { RenderedObject } from "../resolve/origin.ts";
import { render } from "./render.ts";
import { applyRules } from "../resolve/rules.ts";
import type { ClusterInTurn, ResolvedCluster } from "../resolve/resolved-cluster.ts";
import { configOf, type RenderOptions } from "../resolve/settings.ts";

export interface RenderedCluster<C extends ClusterInTurn = ClusterInTurn> {
  readonly resolved: C;
  readonly hostedCluster: string | undefined;
  readonly objects: readonly RenderedObject[];
  /** False for a cluster without wrappers, or with the feature gate off (docs/design.md#output). */
  readonly mayPrune: boolean;
  readonly gateOff: boolean;
}

/** `resolve`, or `resolveInTurn` if the pools are read only once. */
export type ResolveBundle<C extends ClusterInTurn> = (bundle: Bundle, options: RenderOptions) => C;

export function renderAll<C extends ClusterInTurn>(
  bundles: readonly Bundle[],
  options: RenderOptions,
  resolveBundle: ResolveBundle<C>,
): Outcome<RenderedCluster<C>[]> {
  const findings: Finding[] = [];
  const reported = new Set<Resource | undefined>();
  const several = bundles.length > 1;
  const configs = Map.groupBy(bundles, ({ renderConfig }) => renderConfig);
  const value = bundles.map((bundle): RenderedCluster<C> => {
    const resolved = resolveBundle(bundle, options);
    const outcome = render(resolved);
    // Findings on a RenderConfig of several hosted clusters are reported once.
    const again = reported.has(bundle.renderConfig);
    for (const finding of outcome.findings) {
      if (isOfAll(finding, configs.get(bundle.renderConfig)!.length)) {
        if (!again) findings.push(finding);
      } else findings.push(...ofCluster(several ? bundle.hostedCluster : undefined, [finding]));
    }
    reported.add(bundle.renderConfig);
    const { gateOff } = resolved;
    return {
      resolved,
      hostedCluster: bundle.hostedCluster,
      objects: outcome.value,
      mayPrune: hasWrappers(bundle) && !gateOff,
      gateOff,
    };
  });
  return { value, findings };
}

/** @param clusters that have the RenderConfig of the finding's cluster */
function isOfAll({ code, resource }: Finding, clusters: number): boolean {
  return code === "feature-gate-off" || (resource?.kind === "RenderConfig" && clusters > 1);
}

/** The resolved cluster of each, for analysis. */
export function resolvedOf(clusters: readonly RenderedCluster<ResolvedCluster>[]): ResolvedCluster[] {
  return clusters.map(({ resolved }) => resolved);
}

/**
 * Findings on the input follow the rules of the RenderConfig if there is only one cluster; findings of a cluster
 * follow its own.
 */
export function applyRulesOf(bundles: readonly Bundle[], findings: readonly Finding[]): Finding[] {
  const [bundle, ...others] = bundles;
  if (bundle === undefined) return [...findings];
  if (others.length === 0) return applyRules(findings, configOf(bundle).value?.rules);
  const byName = new Map(bundles.map((one) => [one.hostedCluster, one]));
  return findings.flatMap((finding) => {
    const own = finding.hostedCluster === undefined ? undefined : byName.get(finding.hostedCluster);
    return own === undefined ? [finding] : applyRules([finding], configOf(own).value?.rules);
  });
}
