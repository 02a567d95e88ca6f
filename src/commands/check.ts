/** `anp check`: reports findings on policies and wrappers, on standard output. */
import type { Command } from "commander";
import { checkClusters, clustersNamed } from "../analyze/check/check.ts";
import type { Finding } from "../krm/findings/finding.ts";
import { counted } from "../krm/values/counted.ts";
import { formatFindings, REPORT_FORMATS, type ReportFormat } from "../report/findings/format-findings.ts";
import { answerProof, isProofFormat } from "./check/prove.ts";
import { runningObjects } from "./check/running-objects.ts";
import type { Context } from "./cli/context.ts";
import { type ExitCode, exitCodeOfAnswer, UsageError } from "./cli/exit-codes.ts";
import {
  addKarpenterOption,
  addPolicyOption,
  addSharedOptions,
  choice,
  INPUT,
  type KarpenterOption,
  type PolicyOption,
  type SharedOptions,
} from "./cli/options.ts";
import { runOf, writeReports } from "./cli/report.ts";
import { withoutAccepted, writeBaseline } from "./input/baselines.ts";
import { addBuildOptions, type BuildOptions } from "./input/builds.ts";
import { pageTitle } from "./cli/page-title.ts";
import { loadInput } from "./input/live-clusters.ts";
import { addFillOptions, type FillOptions } from "./input/fill-placeholders.ts";
import { addLiveOptions, type LiveInputOptions } from "./input/live-input.ts";
import { catalogues, pricesFor } from "./input/load-catalogue.ts";

interface CheckOptions
  extends SharedOptions, PolicyOption, KarpenterOption, FillOptions, BuildOptions, LiveInputOptions {
  readonly output: ReportFormat | "html";
  readonly catalogue?: string;
  readonly nodeData?: string;
  readonly baseline?: string;
  readonly writeBaseline?: string;
  readonly prove?: boolean;
}

export function addCheck(program: Command, context: Context, exit: (code: ExitCode) => void): void {
  const command = program
    .command("check")
    .description("report what is wrong, surprising or worth knowing in policies and wrappers")
    .argument("[path...]", INPUT)
    .addOption(choice("-o, --output <format>", "form of the findings", [...REPORT_FORMATS, "html"], "text"))
    .option("--catalogue <file>", "the instance types to check against (see anp catalogue)")
    .option("--node-data <file>", "the cluster now: a file of anp collect, or of kubectl get -A -o json")
    .option("--baseline <file>", "accepted findings: they are counted, and do not fail the check")
    .option("--write-baseline <file>", "accept the current findings, except errors that no baseline can accept")
    .option("--prove", "report for each key of the policy whether a wrapper could bypass it");
  addLiveOptions(addBuildOptions(command), "the objects of a cluster instead of files");
  addSharedOptions(addFillOptions(addKarpenterOption(addPolicyOption(command))), "warning").action(
    async (paths: string[], options: CheckOptions) => {
      exit(await runCheck(paths, options, context));
    },
  );
}

async function runCheck(paths: readonly string[], options: CheckOptions, context: Context): Promise<ExitCode> {
  if (options.baseline !== undefined && options.writeBaseline !== undefined)
    throw new UsageError("--write-baseline accepts all findings: leave --baseline out");
  if (options.live === true && options.nodeData !== undefined)
    throw new UsageError("--live and --node-data both provide the nodes: give one of them");
  if (options.prove === true && !isProofFormat(options.output))
    throw new UsageError("--prove answers in text, json or html");
  const loaded = await loadInput(paths, options, context, { withClaims: options.policy !== undefined });
  if (typeof loaded === "number") return loaded;
  const { mode, policy, guarding, clusters, nodeClaims, bundles, readable, ...input } = loaded;
  if (mode === "raw" && options.prove === true) throw new UsageError(NOTHING_TO_PROVE);
  // check writes no manifests, so no object is left out because of an error.
  const found = input.findings.filter(({ code }) => code !== "user-data-left-out");
  found.push(...input.onOutputs());
  if (options.live === true && mode !== "hosted" && policy !== undefined) {
    const { liveGuard } = await import("./check/live-guard.ts");
    const ofGuard = await liveGuard({ policy, guarding, clusters }, options, context);
    if (typeof ofGuard === "number") return ofGuard;
    found.push(...ofGuard);
  }
  const catalogueFor = readable ? catalogues(options.catalogue, context) : undefined;
  if (catalogueFor !== undefined) {
    if (options.nodeData !== undefined && clustersNamed(clusters) > 1)
      throw new UsageError("--node-data is of one cluster: select one with --hosted-cluster");
    const runs = await runningObjects(input.objects, options, context);
    if (typeof runs === "number") return runs;
    found.push(...runs.findings);
    const rules = {
      rules: options.rules,
      isLive: options.live === true,
      policy,
      guarding,
      nodeClaims,
      objects: input.objects,
      running: runs.running,
      pricesFor: pricesFor(catalogueFor, {}, context),
    };
    found.push(...checkClusters(clusters, catalogueFor, rules));
  }
  // What could not be read is not reported as missing.
  const isSaid = ({ code }: Finding): boolean =>
    code !== "node-class-missing" || !input.unread.some(({ kind }) => kind.endsWith("NodeClass"));
  // If part of the input could not be read, a baseline of the other findings would look complete.
  const write = readable ? options.writeBaseline : undefined;
  const { findings, accepted } =
    write === undefined
      ? withoutAccepted(found.filter(isSaid), bundles, options.baseline, context)
      : writeBaseline(write, found.filter(isSaid), context);
  const title = pageTitle("anp check", paths, options);
  if (options.prove === true) {
    context.writeError(summary(findings, accepted, options));
    return answerProof({ title, clusters, findings, catalogueFor, policy }, options, context);
  }
  const reported = writeReports(findings, options, context);
  context.writeError(summary(findings, accepted, options));
  const { output, color, failOn } = options;
  if (output === "html") {
    const { drawChecked } = await import("./check/draw.ts");
    context.writeOut(await drawChecked({ title, clusters, findings: reported, catalogueFor, policy }, context));
  } else {
    const page = { style: context.outStyle(color), columns: context.outColumns };
    context.writeOut(formatFindings(output, reported, page, runOf(options, context)));
  }
  return exitCodeOfAnswer(reported, failOn);
}

const NOTHING_TO_PROVE =
  "--prove checks the policy of a hosted cluster, and the input holds only Karpenter's own objects";

/** Standard output has only findings, so it cannot say that there are none, or that a baseline accepts them. */
function summary(
  findings: readonly Finding[],
  accepted: number,
  { output, writeBaseline: file, prove }: CheckOptions,
): string {
  const some = counted(accepted, "finding");
  if (accepted > 0) return file === undefined ? `${some} accepted by the baseline\n` : `${file}: ${some} accepted\n`;
  return findings.length === 0 && output === "text" && prove !== true ? "no findings\n" : "";
}
