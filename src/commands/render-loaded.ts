/** What was loaded, rendered: bundles and the findings of loading them in, manifests and all that is to be said so far out. */
import { type Finding, hasErrors, type Outcome } from "../krm/finding.ts";
import type { Gathered } from "../model/gather.ts";
import { applyRulesOf, type RenderedCluster, renderAll } from "../render/render-all.ts";
import type { RenderOptions } from "../render/settings.ts";

interface RenderedInput {
  readonly clusters: readonly RenderedCluster[];
  /** Whether the bundles hold everything that was given: nothing is rendered of a part. */
  readonly readable: boolean;
}

export function renderLoaded(
  { value: { bundles }, findings: loaded }: Outcome<Gathered>,
  options: RenderOptions,
): Outcome<RenderedInput> {
  const readable = !hasErrors(loaded);
  const rendered: Outcome<RenderedCluster[]> = readable
    ? renderAll(bundles, options)
    : { value: [], findings: bundles.flatMap((bundle) => bundle.findings) };
  const findings: Finding[] = [...applyRulesOf(bundles, loaded), ...rendered.findings];
  return { value: { clusters: rendered.value, readable }, findings };
}
