/** Every hosted cluster of the input, rendered one by one. */
import type { Finding, Outcome } from "../krm/finding.ts";
import type { Resource } from "../krm/resource.ts";
import { type Bundle, hasWrappers } from "../model/bundle.ts";
import type { RenderedObject } from "../resolve/origin.ts";
import { render } from "./render.ts";
import { applyRules } from "../resolve/rules.ts";
import type { ClusterInTurn, ResolvedCluster } from "../resolve/resolved-cluster.ts";
import { configOf, type RenderOptions } from "../resolve/settings.ts";

export interface RenderedCluster<C extends ClusterInTurn = ClusterInTurn> {
  readonly resolved: C;
  readonly hostedCluster: string | undefined;
  readonly objects: readonly RenderedObject[];
  /** Nothing may be removed for a cluster without wrappers, or with the feature gate off (docs/design.md#output). */
  readonly mayPrune: boolean;
  readonly gateOff: boolean;
}

/** How a bundle is resolved: `resolve`, or `resolveInTurn` where nothing more is asked of the pools. */
export type ResolveBundle<C extends ClusterInTurn> = (bundle: Bundle, options: RenderOptions) => C;

export function renderAll<C extends ClusterInTurn>(
  bundles: readonly Bundle[],
  options: RenderOptions,
  resolveBundle: ResolveBundle<C>,
): Outcome<RenderedCluster<C>[]> {
  const findings: Finding[] = [];
  const told = new Set<Resource | undefined>();
  const value = bundles.map((bundle): RenderedCluster<C> => {
    const resolved = resolveBundle(bundle, options);
    const outcome = render(resolved);
    // One RenderConfig for several hosted clusters says it once.
    const again = told.has(bundle.renderConfig);
    for (const finding of outcome.findings) if (!again || finding.code !== "rules-loosened") findings.push(finding);
    told.add(bundle.renderConfig);
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

/** What each is rendered of, for further questions. */
export function resolvedOf(clusters: readonly RenderedCluster<ResolvedCluster>[]): ResolvedCluster[] {
  return clusters.map(({ resolved }) => resolved);
}

/** Findings on the input as a whole follow the rules of its RenderConfig, where there is one for all of it. */
export function applyRulesOf(bundles: readonly Bundle[], findings: readonly Finding[]): Finding[] {
  const [bundle, ...others] = bundles;
  const config = bundle === undefined || others.length > 0 ? undefined : configOf(bundle).value;
  return applyRules(findings, config?.rules);
}
