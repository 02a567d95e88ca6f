/** `anp check --prove`: whether any wrapper at all could get round the policy. */
import { type DescribedProof, describeProof } from "../../analyze/check/describe-proof.ts";
import { prove } from "../../analyze/check/prove.ts";
import type { CatalogueFor } from "../../analyze/explain/explain.ts";
import { oncePerObject } from "../../model/once.ts";
import { offeredTypes } from "../../karpenter/catalogue/reserved-capacity.ts";
import type { Finding } from "../../krm/finding.ts";
import type { EffectivePolicy } from "../../resolve/policy.ts";
import type { ResolvedCluster } from "../../resolve/resolved-cluster.ts";
import { proveText } from "../../report/explain/prove-text.ts";
import type { Context } from "../cli/context.ts";
import { EXIT, type ExitCode, exitCodeOf, exitCodeOfAnswer } from "../cli/exit-codes.ts";
import type { SharedOptions } from "../cli/options.ts";
import { reportFindings } from "../cli/report.ts";

interface ProveOptions extends SharedOptions {
  readonly output: string;
}

export interface Checked {
  readonly clusters: readonly ResolvedCluster[];
  /** Of everything that check looks at. */
  readonly findings: readonly Finding[];
  /** Undefined where the input could not be read. */
  readonly catalogueFor: CatalogueFor | undefined;
  /** That raw pools are held against. */
  readonly policy: EffectivePolicy | undefined;
}

export function isProofFormat(output: string): boolean {
  return output === "text" || output === "json" || output === "html";
}

/**
 * On standard output, with the findings of check beside it. Exit code 1 at findings of `--fail-on`, where a way past
 * the policy is open, or where there is no policy to prove.
 */
export async function answerProof(checked: Checked, options: ProveOptions, context: Context): Promise<ExitCode> {
  const { clusters, findings, catalogueFor } = checked;
  const { output, failOn } = options;
  // The proof itself says what the findings that are good to know say.
  const told = failOn === "info" ? findings : findings.filter(isTold);
  const all = [...findings, ...reportFindings(told, options, context).slice(told.length)];
  if (catalogueFor === undefined) return exitCodeOf(all, "error");
  const filterOf = oncePerObject(offeredTypes);
  const described = clusters.flatMap((cluster): DescribedProof[] => {
    const filter = filterOf(catalogueFor(cluster.settings));
    // With the gate off no policy reaches any pool.
    const proof = cluster.gateOff ? undefined : prove(cluster, filter);
    if (proof === undefined) return [];
    const { source, date } = filter.catalogue;
    const isOwn = cluster.settings?.config.catalogue !== undefined;
    return [{ ...describeProof(proof), ...(isOwn ? { catalogue: { source, date } } : {}) }];
  });
  const { source, date } = catalogueFor();
  const look = { style: context.outStyle(options.color), width: context.outWidth };
  if (output === "html") {
    const { drawChecked } = await import("./draw.ts");
    context.writeOut(await drawChecked({ ...checked, findings: all, proofs: described }, context));
  } else
    context.writeOut(
      output === "json"
        ? `${JSON.stringify({ schemaVersion: 1, catalogue: { source, date }, proofs: described }, undefined, 2)}\n`
        : proveText(described, { source, date }, look),
    );
  const proven = described.length === clusters.length && described.every(({ result }) => PROVEN.has(result));
  return proven ? exitCodeOfAnswer(all, failOn) : EXIT.no;
}

function isTold({ severity, code }: Finding): boolean {
  return severity !== "info" || code === "feature-gate-off" || code === "rules-loosened";
}

const PROVEN: ReadonlySet<string> = new Set(["holds", "guarded"]);
