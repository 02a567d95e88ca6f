/** `anp doctor`: the hosted cluster of each folder, its policy and settings, and ignored files. */
import type { Command } from "commander";
import { describeRawRepository, describeRepository } from "../analyze/list/describe-repository.ts";
import type { DescribedRepository } from "../analyze/list/doctor-answer.ts";
import type { Finding } from "../krm/findings/finding.ts";
import { type InputMode, inputMode } from "../model/objects/input-mode.ts";
import { applyRulesOf } from "../render/render-all.ts";
import { terminalText } from "../report/blocks/terminal.ts";
import { doctorBlocks } from "../report/list/doctor-blocks.ts";
import { printableJson } from "../report/terminal/printable.ts";
import type { Context } from "./cli/context.ts";
import { type ExitCode, exitCodeOfAnswer } from "./cli/exit-codes.ts";
import { addSharedOptions, choice, INPUT, renderOptionsOf, type SharedOptions } from "./cli/options.ts";
import { reportFindings } from "./cli/report.ts";
import { addBuildOptions, type BuildOptions, buildsOf } from "./input/builds.ts";
import { addFillOptions, type FillOptions } from "./input/fill-placeholders.ts";
import { gatherLoaded } from "./input/gather-loaded.ts";
import { loadResources } from "./input/load.ts";
import { inMode } from "./input/load-clusters.ts";
import type { RenderOptions } from "../resolve/settings.ts";
import { findingsOfBundles } from "./input/render-loaded.ts";

type Shown = (place: string) => string;

interface DoctorOptions extends SharedOptions, FillOptions, BuildOptions {
  readonly output: "text" | "json";
}

export function addDoctor(program: Command, context: Context, exit: (code: ExitCode) => void): void {
  const command = program
    .command("doctor")
    .description("show the hosted cluster, policy and RenderConfig of each folder, and what is ignored")
    .argument("[path...]", `${INPUT}; default: the current folder`)
    .addOption(choice("-o, --output <format>", "form of the output", ["text", "json"], "text"));
  addSharedOptions(addFillOptions(addBuildOptions(command)), "error").action(
    (paths: string[], options: DoctorOptions) => {
      exit(runDoctor(paths.length === 0 ? ["."] : paths, options, context));
    },
  );
}

function runDoctor(paths: readonly string[], options: DoctorOptions, context: Context): ExitCode {
  const builds = buildsOf(options, false, context);
  const loaded = loadResources(paths, { ...options, lenient: true, builds }, context);
  const mode = inputMode(loaded.value.resources, options);
  const shown = (place: string): string => shownPlace(place, context.machine.folder());
  const { described, findings } =
    mode === "raw"
      ? askRaw(loaded, shown, paths)
      : askHosted(loaded, shown, options.hostedCluster, inMode(mode, renderOptionsOf(options)));
  // Skipped files are part of the answer.
  const reported = findings.filter(({ severity }) => options.failOn === "info" || severity !== "info");
  const unwritten = reportFindings(reported, options, context).slice(reported.length);
  const { policyDir = null } = options;
  const json = () => printableJson(`${JSON.stringify({ schemaVersion: 1, mode, policyDir, ...described }, null, 2)}\n`);
  const rules = rulesWords(mode, policyDir);
  // Paths stay whole on any terminal.
  const look = { style: context.outStyle(options.color), width: Infinity };
  const text = () => terminalText(doctorBlocks(described, rules), look);
  context.writeOut(options.output === "json" ? json() : text());
  return exitCodeOfAnswer([...findings, ...unwritten], options.failOn);
}

function rulesWords(mode: InputMode, policyDir: string | null): string {
  if (mode === "raw") return "none: Karpenter's own objects are used as they are";
  return policyDir === null ? "read from every folder" : `read from ${policyDir} only (--policy-dir)`;
}

type Loading = ReturnType<typeof loadResources>;
type Answer = { readonly described: DescribedRepository; readonly findings: readonly Finding[] };

function askHosted(
  { value, findings: onReading }: Loading,
  shown: Shown,
  hostedCluster: string | undefined,
  options: RenderOptions,
): Answer {
  const { value: gathered, findings: found } = gatherLoaded(value, onReading, hostedCluster, options);
  const { bundles } = gathered;
  const findings = [...applyRulesOf(bundles, found), ...findingsOfBundles(bundles)];
  const { resources } = value;
  return { described: describeRepository({ gathered, resources, findings, shown, options }), findings };
}

/** anp check says whether Karpenter accepts them. */
function askRaw({ value: { resources }, findings }: Loading, shown: Shown, paths: readonly string[]): Answer {
  return { described: describeRawRepository({ resources, findings, shown, paths }), findings };
}

/** Relative to the current folder, as users write it; a stream has no folder. */
function shownPlace(place: string, current: string): string {
  if (place === "") return "<stdin>";
  if (place === current) return ".";
  return place.startsWith(`${current}/`) ? place.slice(current.length + 1) : place;
}
