/** Reads pools and nodes of a cluster for questions about its nodes: live, or of a dump. */
import { isNodeData } from "../../analyze/nodes/node-pairs.ts";
import { planDump, type ReadDump } from "../../analyze/plan/plan-dump.ts";
import { hasErrors } from "../../krm/findings/finding.ts";
import type { Context } from "../cli/context.ts";
import { type ExitCode, exitCodeOfAnswer, UsageError } from "../cli/exit-codes.ts";
import { momentOf, type SharedOptions } from "../cli/options.ts";
import { reportFindings } from "../cli/report.ts";
import { type LoadedInput, loadInput } from "./live-clusters.ts";
import { checkLiveOptions } from "./live-input.ts";
import { type ClusterOptions, readCluster } from "./read-cluster.ts";

export interface NodesOptions extends ClusterOptions, SharedOptions {
  readonly at?: string;
}

interface ReadNodes {
  readonly loaded: LoadedInput;
  /** Undefined if a finding says that an input is wrong. */
  readonly dump: ReadDump | undefined;
  /** The exit code that the findings ask for. */
  readonly ended: ExitCode;
}

export const NO_POOL = "the input has no NodePool: name a PATH that has them, or collect them with the nodes";

/**
 * Reports the findings on them.
 *
 * @param command `anp why`
 * @returns an exit code if the cluster cannot answer
 * @throws UsageError for options that contradict each other, and without nodes or pools
 */
export async function readNodes(
  command: string,
  paths: readonly string[],
  options: NodesOptions,
  context: Context,
): Promise<ReadNodes | ExitCode> {
  checkLiveOptions(options);
  const { live, nodeData } = options;
  if (live === true && nodeData !== undefined)
    throw new UsageError("--live and --node-data both provide the nodes: give one of them");
  const at = momentOf("--at", options.at ?? "now", context.machine.now());
  const { live: _, kubeconfig: __, context: ___, nodeData: ____, ...asked } = options;
  // The pools of the dump count, unless a PATH has others.
  const given = paths.length === 0 && nodeData !== undefined ? [nodeData] : paths;
  const ofFiles = given === paths ? { ...asked, nodeData } : asked;
  const loaded = await loadInput(given, live === true && paths.length === 0 ? options : ofFiles, context, {});
  if (typeof loaded === "number") return loaded;
  if (loaded.findings.some(({ code }) => code === "input-empty")) throw new UsageError(NO_POOL);
  const separate = given === paths ? await readCluster(options, { storage: loaded.storage, at }, context) : undefined;
  const dump = separate ?? dumpAmong(command, loaded, at);
  if (typeof dump === "number") return dump;
  const findings = [...loaded.findings, ...dump.findings];
  const unwritten = reportFindings(findings.filter(isReported), options, context).filter(
    (one) => !findings.includes(one),
  );
  const ended = exitCodeOfAnswer([...findings, ...unwritten], options.failOn);
  return { loaded, dump: loaded.readable && !hasErrors(findings) ? dump : undefined, ended };
}

/** Infos on pools are not part of such an answer. */
function isReported({ severity }: { readonly severity: string }): boolean {
  return severity !== "info";
}

/** A PATH may name the dump. */
function dumpAmong(command: string, { objects, storage }: LoadedInput, at: number): ReadDump {
  if (!objects.some(isNodeData))
    throw new UsageError(
      `${command} asks about nodes that are there: add --live or --node-data, or name a dump as PATH`,
    );
  return planDump(objects, storage, { at });
}
