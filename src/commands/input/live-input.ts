/** `--live`: the options that name a cluster as the input, and its objects of some kinds. */
import type { Command } from "commander";
import type { DumpedFamily, DumpedKind, UnreadKind } from "../../cluster/read/live-dump.ts";
import type { Resource } from "../../krm/places/resource.ts";
import type { Context } from "../cli/context.ts";
import { EXIT, type ExitCode, UsageError } from "../cli/exit-codes.ts";

export interface LiveInputOptions {
  readonly live?: boolean;
  readonly kubeconfig?: string;
  readonly context?: string;
}

export function addLiveOptions(command: Command, what: string): Command {
  return command
    .option("--live", what)
    .option("--kubeconfig <file>", "with --live: the cluster's kubeconfig")
    .option("--context <name>", "with --live: the context in it");
}

export function checkLiveOptions({ live, kubeconfig, context }: LiveInputOptions): void {
  if (live !== true && (kubeconfig ?? context) !== undefined)
    throw new UsageError("--kubeconfig and --context go with --live");
}

/** For commands that also read files. */
export function refusePaths(paths: readonly string[]): void {
  if (paths.length > 0) throw new UsageError("--live reads a cluster, and PATH is a file: give one of them");
}

/** @returns an exit code if the cluster cannot answer; the reason is already printed */
export async function readLiveInput(
  kinds: readonly DumpedKind[],
  options: LiveInputOptions,
  context: Context,
): Promise<readonly Resource[] | ExitCode> {
  const read = await readLiveKinds(kinds, options, context);
  return typeof read === "number" ? read : read.resources;
}

interface LiveInput {
  readonly resources: readonly Resource[];
  /** Kinds that the user may not read, and that the answer does not require. */
  readonly unread: readonly UnreadKind[];
  /** Optional kinds that the cluster does not serve. */
  readonly unserved: readonly string[];
}

/** Like `readLiveInput`, and also returns the kinds that the user may not read. */
export async function readLiveKinds(
  kinds: readonly (DumpedKind | DumpedFamily)[],
  { kubeconfig, context: kubeContext }: LiveInputOptions,
  context: Context,
): Promise<LiveInput | ExitCode> {
  // Network code and its packages are loaded only here.
  const { readLiveDump } = await import("../../cluster/run/live-queries.ts");
  const dump = await readLiveDump(kinds, { kubeconfig, context: kubeContext });
  if ("resources" in dump) return dump;
  context.writeError(`anp: ${dump.problem}\n`);
  return EXIT.cluster;
}
