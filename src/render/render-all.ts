/** Every hosted cluster of the input, rendered one by one. */
import { type Finding, ofCluster, type Outcome } from "../krm/finding.ts";
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
  const several = bundles.length > 1;
  const value = bundles.map((bundle): RenderedCluster<C> => {
    const resolved = resolveBundle(bundle, options);
    const outcome = render(resolved);
    // What is of all hosted clusters, such as one RenderConfig for several, is said once.
    const again = told.has(bundle.renderConfig);
    for (const finding of outcome.findings) {
      if (isOfAll(finding, bundle, bundles)) {
        if (!again) findings.push(finding);
      } else findings.push(...ofCluster(several ? bundle.hostedCluster : undefined, [finding]));
    }
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

function isOfAll({ code, resource }: Finding, bundle: Bundle, bundles: readonly Bundle[]): boolean {
  if (code === "feature-gate-off") return true;
  if (resource?.kind !== "RenderConfig") return false;
  return bundles.some((one) => one !== bundle && one.renderConfig === bundle.renderConfig);
}

/** What each is rendered of, for further questions. */
export function resolvedOf(clusters: readonly RenderedCluster<ResolvedCluster>[]): ResolvedCluster[] {
  return clusters.map(({ resolved }) => resolved);
}

/** Findings on the input as a whole follow the rules of its RenderConfig, where there is one for all of it; others their cluster's. */
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
