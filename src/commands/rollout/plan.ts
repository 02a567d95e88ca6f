/** `anp rollout plan`: cuts a change of policies into waves, and writes the files of each. */
import { planWaves } from "../../analyze/rollout/plan-waves.ts";
import type { RolloutPlan } from "../../analyze/rollout/rollout-answer.ts";
import { type Finding, hasErrors } from "../../krm/findings/finding.ts";
import { counted } from "../../krm/values/counted.ts";
import { planDirectory, unwritable, writeDirectories } from "../../krm/write/write-directory.ts";
import { memoize } from "../../model/schema/memoize.ts";
import type { Settings } from "../../resolve/settings.ts";
import { waveFolder } from "../../report/rollout/rollout-blocks.ts";
import type { Context } from "../cli/context.ts";
import { EXIT, type ExitCode, exitCodeOf, UsageError } from "../cli/exit-codes.ts";
import { momentOf, type SharedOptions } from "../cli/options.ts";
import { reportFindings } from "../cli/report.ts";
import { readAgainst } from "../diff/against.ts";
import { answerDiff } from "../diff/answer.ts";
import { clusterNames, findingsOfSides, oldSideOf, sideOf } from "../diff/side.ts";
import { diffMode } from "../diff/sides.ts";
import { buildsOf } from "../input/builds.ts";
import { catalogues, pricesFor, type RegionOption } from "../input/load-catalogue.ts";
import { loadResources } from "../input/load.ts";
import { readNodesByCluster } from "../input/node-data.ts";
import { PLAN_FILE } from "./read-plan.ts";
import { formatRolloutPlan, type RolloutFormat } from "./format.ts";

export interface RolloutPlanOptions extends SharedOptions, RegionOption {
  readonly output: RolloutFormat;
  readonly against: string;
  readonly waves: string;
  readonly directory?: string;
  readonly nodeData?: string;
  readonly nodeTime: bigint;
  readonly at?: string;
  readonly catalogue?: string;
}

export async function runRolloutPlan(
  paths: readonly string[],
  options: RolloutPlanOptions,
  context: Context,
): Promise<ExitCode> {
  const at = momentOf("--at", options.at ?? "now", context.machine.now());
  const asked = { ...options, builds: buildsOf({ render: false }, false, context) };
  const { value, findings: onReading } = loadResources(paths, asked, context);
  const read = { ...value, findings: onReading };
  const readOld = readAgainst(options.against, paths, asked, context);
  const { mode } = diffMode([read, readOld], options);
  if (mode !== "hosted") throw new UsageError("a rollout is of policies of hosted clusters, and the input has none");
  const now = sideOf(read, mode, options);
  const old = oldSideOf(readOld, mode, options);
  const isReadable = now.readable && old.readable;
  const nodeData =
    options.nodeData === undefined || !isReadable
      ? undefined
      : readNodesByCluster(options.nodeData, clusterNames([...old.clusters, ...now.clusters]), options, context);
  const findings = [...findingsOfSides(now, old, mode, options.failOn === "info"), ...(nodeData?.findings ?? [])];
  if (!isReadable || hasErrors(findings)) {
    reportFindings(findings, options, context);
    return EXIT.unreadable;
  }
  const catalogueFor = catalogues(options.catalogue, context);
  const prices = memoize(() => pricesFor(catalogueFor, options, context));
  const { clusters } = answerDiff({
    mode,
    from: old.clusters,
    to: now.clusters,
    ignore: [],
    profile: options.profile,
    nodes: nodeData?.nodes,
    at,
    nodeTime: options.nodeTime,
    catalogueFor,
    pricesFor: (settings?: Settings) => prices()(settings),
  });
  const planned = planWaves({ waves: options.waves, from: old.clusters, to: now.clusters, clusters });
  if ("problem" in planned) throw new UsageError(planned.problem);
  const plan: RolloutPlan = { schemaVersion: 1, waves: planned.waves, written: options.directory ?? null };
  const onWriting = options.directory === undefined ? [] : writePlan(options.directory, plan, planned.texts, context);
  const reported = reportFindings([...findings, ...onWriting], options, context);
  context.writeOut(await formatRolloutPlan(options.output, plan, reported, options, context));
  return exitCodeOf(reported, options.failOn);
}

/** Each file has its own path below the folder of its wave. Nothing is written that is there with another text. */
function writePlan(
  directory: string,
  plan: RolloutPlan,
  texts: ReadonlyMap<string, string>,
  context: Context,
): readonly Finding[] {
  const outside = plan.waves.flatMap(({ files }) => files).filter((file) => !isBelow(file));
  if (outside.length > 0)
    return outside.map((file) =>
      unwritable(file, "it is not below the current folder: run anp in the folder that holds it"),
    );
  const folders = plan.waves.flatMap((wave, at) =>
    [...Map.groupBy(wave.files, folderOf)].map(([folder, files]) => ({
      folder: `${directory}/${waveFolder(at, wave)}${folder === "" ? "" : `/${folder}`}`,
      files: new Map(files.map((file) => [file.slice(folder === "" ? 0 : folder.length + 1), texts.get(file)!])),
    })),
  );
  const text = `${JSON.stringify(plan, undefined, 2)}\n`;
  const planned = [
    ...folders.map(({ folder, files }) => planOf(directory, folder, files)),
    { ...planOf(directory, directory, new Map([[PLAN_FILE, text]]), ".json") },
  ];
  const findings = planned.flatMap((one) => one.findings);
  if (findings.length > 0) return findings;
  const failed = writeDirectories(planned.map((one) => one.plan));
  if (failed.length === 0) context.writeError(`${directory}: ${counted(texts.size, "file")} and ${PLAN_FILE}\n`);
  return failed;
}

function planOf(root: string, directory: string, files: ReadonlyMap<string, string>, ending?: ".json") {
  const more = ending === undefined ? {} : { ending };
  return planDirectory({ directory, root, files, isOurs: () => false, force: false, prune: false, ...more });
}

function folderOf(file: string): string {
  return file.slice(0, Math.max(file.lastIndexOf("/"), 0));
}

function isBelow(file: string): boolean {
  return !file.startsWith("/") && !file.startsWith("<") && !file.split("/").includes("..");
}
