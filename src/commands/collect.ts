/** `anp collect`: what decides in a cluster where pods run, as a file for `--node-data`. */
import type { Command } from "commander";
import { within } from "../krm/write/file-name.ts";
import { planDirectory, writeDirectory } from "../krm/write/write-directory.ts";
import { counted } from "../krm/values/counted.ts";
import type { Context } from "./cli/context.ts";
import { EXIT, type ExitCode, UsageError } from "./cli/exit-codes.ts";
import { writeAndReport, type Written } from "./cli/report.ts";
import {
  HOSTED_KINDS,
  KARPENTER,
  NODE_CLAIMS,
  NODE_CLASSES,
  NODE_POOLS,
  notRead,
  OTHER_KINDS,
  RUNNING_KINDS,
} from "./input/live-clusters.ts";
import { readKindsBeside } from "./input/kinds-beside.ts";
import { ofKubernetes } from "./input/of-kubernetes.ts";
import { addLiveOptions, checkLiveOptions, type LiveInputOptions, readLiveKinds } from "./input/live-input.ts";

interface CollectOptions extends LiveInputOptions {
  readonly name?: string;
}

export function addCollect(program: Command, context: Context, exit: (code: ExitCode) => void): void {
  const command = program
    .command("collect")
    .description("write what a cluster has into a file for --node-data, without secrets")
    .argument("<dir>", "the directory of all clusters; each has a folder there")
    .option("--name <cluster>", "the name of the cluster's folder (default: the context)");
  addLiveOptions(command, "the cluster to read").action(async (directory: string, options: CollectOptions) => {
    exit(await runCollect(directory, options, context));
  });
}

async function runCollect(directory: string, options: CollectOptions, context: Context): Promise<ExitCode> {
  checkLiveOptions(options);
  if (options.live !== true) throw new UsageError("anp collect reads a cluster: add --live");
  const { collectedFields, contextName } = await import("../cluster/run/live-queries.ts");
  const name = options.name ?? contextName(options);
  if (typeof name !== "string") {
    context.writeError(`anp: ${name.problem}\n`);
    return EXIT.cluster;
  }
  const folder = folderOf(name);
  const read = await readLiveKinds(KINDS, options, context);
  if (typeof read === "number") return read;
  const beside = await readKindsBeside(read.resources, options, context);
  if (typeof beside === "number") return beside;
  const objects = [...read.resources, ...beside.resources].map((resource) => JSON.stringify(collectedFields(resource)));
  const text = `${HEAD}${objects.join(",\n")}\n]}\n`;
  const write = () => writeDump(directory, folder, text, objects.length);
  const findings = [...read.unread, ...beside.unread].map(notRead);
  return writeAndReport(findings, write, { report: [], color: "auto", failOn: "error" }, context);
}

/** A context may be named by an ARN or an address. */
function folderOf(name: string): string {
  const folder = within(name.replaceAll(/[^A-Za-z0-9._-]+/g, "-").replace(/^[.-]+/, ""), 255);
  if (folder === "") throw new UsageError(`--name ${name}: a folder's name has letters or digits`);
  return folder;
}

const FILE = "cluster.json";

/** By it a file of an earlier run is known, which may be replaced. */
const HEAD =
  '{"apiVersion":"v1","kind":"List","metadata":{"annotations":{"anp.hypershift.openshift.io/collected":"true"}},"items":[\n';

function writeDump(directory: string, name: string, text: string, objects: number): Written {
  const folder = `${directory}/${name}`;
  const { plan, findings } = planDirectory({
    directory: folder,
    root: directory,
    files: new Map([[FILE, text]]),
    isOurs: (present) => present.startsWith(HEAD),
    force: false,
    prune: false,
    ending: ".json",
  });
  const all = [...findings, ...(findings.length > 0 ? [] : writeDirectory(plan))];
  return { findings: all, summary: all.length > 0 ? "" : `${folder}/${FILE}: ${counted(objects, "object")}\n` };
}

/** Without any of them the rest is still an answer. */
const KINDS = [
  { ...NODE_POOLS, optional: true, unknown: "the NodePools are unknown" },
  { ...NODE_CLAIMS, unknown: "which NodeClaims there are is unknown" },
  ...HOSTED_KINDS,
  NODE_CLASSES,
  OTHER_KINDS,
  ofKubernetes("Node", "nodes", "the nodes are unknown"),
  ofKubernetes("Pod", "pods", "the pods are unknown"),
  ...RUNNING_KINDS,
  { ...KARPENTER, unknown: "Karpenter's feature gates are unknown" },
];
