/** `anp check -o html`: findings, the pools that they are about, and what is proven. */
import type { DescribedProof } from "../../analyze/check/describe-proof.ts";
import { describeClusters } from "../../analyze/explain/describe-clusters.ts";
import { explainClusters } from "../../analyze/explain/explain.ts";
import { hasErrors } from "../../krm/finding.ts";
import type { Context } from "../cli/context.ts";
import { drawExplained } from "../input/draw-explained.ts";
import { pricesFor } from "../input/load-prices.ts";
import type { Checked } from "./prove.ts";

interface Drawn extends Checked {
  readonly proofs?: readonly DescribedProof[];
}

const NOTHING_ASKED = { source: "", date: "" };

/** Of what cannot be read the findings alone. */
export async function drawChecked(
  { clusters, findings, catalogueFor, policy, proofs = [] }: Drawn,
  context: Context,
): Promise<string> {
  const told = { title: "anp check", findings, findingsFirst: true, proofs };
  if (catalogueFor === undefined) return drawExplained([], { ...told, pools: [], catalogue: NOTHING_ASKED });
  const readable = clusters.filter(({ bundle, gateOff }) => !gateOff && !hasErrors(bundle.findings));
  const explained = explainClusters(readable, catalogueFor, pricesFor(catalogueFor, {}, context));
  const pools = describeClusters(explained, policy);
  return drawExplained(explained, { ...told, pools, catalogue: catalogueFor() });
}
