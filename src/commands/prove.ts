/** `anp check --prove`: whether any wrapper at all could get round the policy, on standard output. */
import { describeProof } from "../analyze/describe-proof.ts";
import { prove } from "../analyze/prove.ts";
import { typeFilter } from "../karpenter/type-filter.ts";
import { type Finding, hasErrors } from "../krm/finding.ts";
import { applyRulesOf } from "../render/render-all.ts";
import { proveText } from "../report/prove-text.ts";
import type { Context } from "./context.ts";
import { EXIT, type ExitCode, exitCodeOf, UsageError } from "./exit-codes.ts";
import { loadBundles } from "./load.ts";
import { loadCatalogue } from "./load-catalogue.ts";
import type { SharedOptions } from "./options.ts";
import { reportFindings } from "./report.ts";

interface ProveOptions extends SharedOptions {
  readonly output: string;
  readonly catalogue?: string;
  readonly baseline?: string;
  readonly writeBaseline?: string;
}

/** Exit code 1 where a way past the policy is open, or there is no policy to prove. */
export function runProve(paths: readonly string[], options: ProveOptions, context: Context): ExitCode {
  const { output } = options;
  if (output !== "text" && output !== "json") throw new UsageError("--prove answers in text or json");
  if (options.baseline !== undefined || options.writeBaseline !== undefined)
    throw new UsageError("--prove makes no findings that a baseline could accept");
  const { value: gathered, findings: loaded } = loadBundles(paths, options, context);
  const { bundles } = gathered;
  const readable = !hasErrors(loaded);
  const catalogue = loadCatalogue(options.catalogue, context);
  const filter = typeFilter(catalogue);
  const proofs = bundles.map((bundle) => prove(bundle, renderOptions(options), filter));
  const found = [...applyRulesOf(bundles, loaded), ...proofs.flatMap(({ findings }) => findings)];
  // The proof itself says what the findings that are good to know say.
  const findings: Finding[] = found.filter(({ severity }) => severity !== "info");
  reportFindings(findings, options, context);
  if (!readable) return exitCodeOf(findings, "error");
  const described = proofs.flatMap(({ value }) => (value === undefined ? [] : [describeProof(value)]));
  const { source, date } = catalogue;
  const look = { style: context.outStyle(options.color), width: context.outWidth };
  context.writeOut(
    output === "json"
      ? `${JSON.stringify({ schemaVersion: 1, catalogue: { source, date }, proofs: described }, undefined, 2)}\n`
      : proveText(described, { source, date }, look),
  );
  const proven = described.length === bundles.length && described.every(({ result }) => PROVEN.has(result));
  return proven && !hasErrors(findings) ? EXIT.done : EXIT.no;
}

const PROVEN: ReadonlySet<string> = new Set(["holds", "guarded"]);

function renderOptions({ profile, requirePolicy }: ProveOptions) {
  return { profile, requirePolicy };
}
