/** `anp check --prove`: whether any wrapper could bypass the policy. */
import type { DescribedProof } from "../../analyze/check/check-answer.ts";
import { describeProof, prove } from "../../analyze/check/prove.ts";
import { memoizeByObject } from "../../model/schema/memoize.ts";
import { offeredTypes } from "../../karpenter/catalogue/reserved-capacity.ts";
import type { Finding } from "../../krm/findings/finding.ts";
import { terminalText } from "../../report/blocks/terminal.ts";
import { proveBlocks } from "../../report/explain/prove-blocks.ts";
import type { Context } from "../cli/context.ts";
import { EXIT, type ExitCode, exitCodeOf, exitCodeOfAnswer } from "../cli/exit-codes.ts";
import type { SharedOptions } from "../cli/options.ts";
import { reportFindings } from "../cli/report.ts";
import type { Checked } from "./draw.ts";

interface ProveOptions extends SharedOptions {
  readonly output: string;
}

export function isProofFormat(output: string): boolean {
  return output === "text" || output === "json" || output === "html";
}

/**
 * Prints the proof on standard output, with the findings of check beside it. Exit code 1 for findings of `--fail-on`, if a
 * wrapper could bypass the policy, or if there is no policy to prove.
 */
export async function answerProof(checked: Checked, options: ProveOptions, context: Context): Promise<ExitCode> {
  const { clusters, findings, catalogueFor } = checked;
  const { output, failOn } = options;
  // The proof itself covers what findings of severity info report.
  const reported = failOn === "info" ? findings : findings.filter(isReported);
  const all = [...findings, ...reportFindings(reported, options, context).slice(reported.length)];
  if (catalogueFor === undefined) return exitCodeOf(all, "error");
  const filterOf = memoizeByObject(offeredTypes);
  const described = clusters.flatMap((cluster): DescribedProof[] => {
    const filter = filterOf(catalogueFor(cluster.settings));
    // If the feature gate is off, no policy reaches any pool.
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
    context.writeOut(await drawChecked({ ...checked, findings: all, proofs: described, all: options.all }, context));
  } else
    context.writeOut(
      output === "json"
        ? `${JSON.stringify({ schemaVersion: 1, catalogue: { source, date }, proofs: described }, undefined, 2)}\n`
        : terminalText(proveBlocks(described, { source, date }, options.all === true), look),
    );
  const proven = described.length === clusters.length && described.every(({ result }) => PROVEN.has(result));
  return proven ? exitCodeOfAnswer(all, failOn) : EXIT.no;
}

function isReported({ severity, code }: Finding): boolean {
  return severity !== "info" || REPORTED.has(code);
}

/** Findings that the proof itself does not report. */
const REPORTED: ReadonlySet<string> = new Set(["feature-gate-off", "rules-loosened", "being-deleted"]);

const PROVEN: ReadonlySet<string> = new Set(["holds", "guarded"]);
