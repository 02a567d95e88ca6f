/** Renders what was loaded: manifests, and all that is to be said so far. */
import { type Finding, findingOnInput, hasErrors, type Outcome } from "../../krm/finding.ts";
import type { FindingCode } from "../../krm/finding-codes.ts";
import type { Gathered } from "../../model/gather.ts";
import { applyRulesOf, type RenderedCluster, renderAll, type ResolveBundle } from "../../render/render-all.ts";
import type { ClusterInTurn } from "../../resolve/resolved-cluster.ts";
import type { RenderOptions } from "../../resolve/settings.ts";
import { findingsOfBundles } from "./findings-of-bundles.ts";

interface RenderedInput<C extends ClusterInTurn> {
  readonly clusters: readonly RenderedCluster<C>[];
  /** Whether the bundles hold everything that was given: nothing is rendered of a part. */
  readonly readable: boolean;
}

/** @param despite where nothing is written: what leaves out an object that is no part of any bundle */
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
  // Of an input that is not anp's nothing else is to be said: not even the admission policies are wanted.
  const ours = !loaded.some(({ code }) => code === "input-not-ours");
  const onRendering = rendered.findings.filter(({ code }) => ours || code !== "no-wrappers");
  const findings: Finding[] = [...applyRulesOf(bundles, loaded), ...onRendering];
  return { value: { clusters: rendered.value, readable }, findings };
}

/** Admission policies alone would be rendered from nothing: for whom, nobody has said. */
export function refusalOfNothing({ findings }: Outcome<Gathered>): Finding[] {
  if (!findings.some(({ code }) => code === "input-not-ours")) return [];
  const message = "nothing was rendered, because the input holds no wrapper and names no hosted cluster";
  return [findingOnInput("output-kept", { message, hint: "check the paths" })];
}
