/** Renders loaded bundles, and collects the findings so far. */
import type { FindingCode } from "../../krm/findings/finding-codes.ts";
import { type Finding, findingOnInput, hasErrors, ofCluster, type Outcome } from "../../krm/findings/finding.ts";
import type { Bundle } from "../../model/inputs/bundle.ts";
import type { Gathered } from "../../model/inputs/gather.ts";
import { applyRulesOf, renderAll, type RenderedCluster, type ResolveBundle } from "../../render/render-all.ts";
import type { ClusterInTurn } from "../../resolve/resolved-cluster.ts";
import { configOf, type RenderOptions } from "../../resolve/settings.ts";

interface RenderedInput<C extends ClusterInTurn> {
  readonly clusters: readonly RenderedCluster<C>[];
  /** Whether the bundles contain the whole input: nothing is rendered from a part. */
  readonly readable: boolean;
}

/** @param despite a code that leaves out an object which belongs to no bundle, for commands that write nothing */
export function renderLoaded<C extends ClusterInTurn>(
  { value: { bundles }, findings: loaded }: Outcome<Gathered>,
  options: RenderOptions,
  resolveBundle: ResolveBundle<C>,
  despite?: FindingCode,
): Outcome<RenderedInput<C>> {
  const readable = !hasErrors(loaded.filter(({ code }) => code !== despite));
  const rendered: Outcome<RenderedCluster<C>[]> = readable
    ? renderAll(bundles, options, resolveBundle)
    : { value: [], findings: findingsOfBundles(bundles) };
  // If the input is not for anp, one finding says so, and not even the admission policies are rendered.
  const ours = !loaded.some(({ code }) => code === "input-not-ours");
  const onRendering = rendered.findings.filter(({ code }) => ours || code !== "no-wrappers");
  const findings: Finding[] = [...applyRulesOf(bundles, loaded), ...onRendering];
  return { value: { clusters: rendered.value, readable }, findings };
}

/** Without wrappers and a hosted cluster, only admission policies would be rendered, and for an unknown cluster. */
export function refusalOfNothing({ findings }: Outcome<Gathered>): Finding[] {
  if (!findings.some(({ code }) => code === "input-not-ours")) return [];
  const message = "nothing was rendered, because the input holds no wrapper and names no hosted cluster";
  return [findingOnInput("output-kept", { message, hint: "check the paths" })];
}

/** Applies the rules of each cluster's RenderConfig, and names the hosted cluster if there are several. */
export function findingsOfBundles(bundles: readonly Bundle[]): readonly Finding[] {
  const isOfSeveral = bundles.length > 1;
  const found = bundles.flatMap((bundle) =>
    ofCluster(isOfSeveral ? bundle.hostedCluster : undefined, [...bundle.findings, ...configOf(bundle).findings]),
  );
  return applyRulesOf(bundles, found);
}
