/** `anp check -o html`: the findings, the pools that they are about, and the proofs. */
import type { DescribedProof } from "../../analyze/check/check-answer.ts";
import { describeClusters } from "../../analyze/explain/describe-clusters.ts";
import { type CatalogueFor, explainClusters } from "../../analyze/explain/explain.ts";
import { type Finding, hasErrors } from "../../krm/findings/finding.ts";
import type { EffectivePolicy } from "../../resolve/policy.ts";
import type { ResolvedCluster } from "../../resolve/resolved-cluster.ts";
import type { Context } from "../cli/context.ts";
import { drawExplained } from "../input/draw-explained.ts";
import { pricesFor } from "../input/load-catalogue.ts";

export interface Checked {
  /** Of the page. */
  readonly title: string;
  readonly clusters: readonly ResolvedCluster[];
  /** All findings of check. */
  readonly findings: readonly Finding[];
  /** Undefined if the input could not be read. */
  readonly catalogueFor: CatalogueFor | undefined;
  /** The policy that raw pools are compared with. */
  readonly policy: EffectivePolicy | undefined;
}

interface Drawn extends Checked {
  readonly proofs?: readonly DescribedProof[];
  /** Whether each proof is drawn by itself, even if others are equal. */
  readonly all?: boolean | undefined;
}

const NOTHING_ASKED = { source: "", date: "" };

/** If the input cannot be read, the page has only findings. */
export async function drawChecked(
  { title, clusters, findings, catalogueFor, policy, proofs = [], all }: Drawn,
  context: Context,
): Promise<string> {
  const page = { title, findings, findingsFirst: true, proofs, all };
  if (catalogueFor === undefined) return drawExplained([], { ...page, pools: [], catalogue: NOTHING_ASKED });
  const readable = clusters.filter(({ bundle, gateOff }) => !gateOff && !hasErrors(bundle.findings));
  const explained = explainClusters(readable, catalogueFor, pricesFor(catalogueFor, {}, context));
  const pools = describeClusters(explained, policy);
  return drawExplained(explained, { ...page, pools, catalogue: catalogueFor() });
}
