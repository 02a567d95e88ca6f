/** Every hosted cluster of the input, rendered one by one. */
import type { Finding, Outcome } from "../krm/finding.ts";
import type { Resource } from "../krm/resource.ts";
import { type Bundle, hasWrappers } from "../model/bundle.ts";
import type { RenderedObject } from "../resolve/origin.ts";
import { render } from "./render.ts";
import { applyRules } from "../resolve/rules.ts";
import { resolve, type ResolvedCluster } from "../resolve/resolve.ts";
import { configOf, type RenderOptions } from "../resolve/settings.ts";

export interface RenderedCluster {
  readonly resolved: ResolvedCluster;
  readonly hostedCluster: string | undefined;
  readonly objects: readonly RenderedObject[];
  /** Nothing may be removed for a cluster without wrappers, or with the feature gate off (docs/design.md#output). */
  readonly mayPrune: boolean;
  readonly gateOff: boolean;
}

export function renderAll(bundles: readonly Bundle[], options: RenderOptions): Outcome<RenderedCluster[]> {
  const findings: Finding[] = [];
  const told = new Set<Resource | undefined>();
  const value = bundles.map((bundle): RenderedCluster => {
    const resolved = resolve(bundle, options);
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
export function resolvedOf(clusters: readonly RenderedCluster[]): ResolvedCluster[] {
  return clusters.map(({ resolved }) => resolved);
}

/** Findings on the input as a whole follow the rules of its RenderConfig, where there is one for all of it. */
export function applyRulesOf(bundles: readonly Bundle[], findings: readonly Finding[]): Finding[] {
  const [bundle, ...others] = bundles;
  const config = bundle === undefined || others.length > 0 ? undefined : configOf(bundle).value;
  return applyRules(findings, config?.rules);
}
