/** `anp cmp discover`: lists the files that make the current folder an application for anp. */
import { HYPERSHIFT_KARPENTER_GROUP, KARPENTER_GROUP } from "../../krm/findings/known-kinds.ts";
import { parseSources } from "../../krm/parse/parse.ts";
import type { Resource } from "../../krm/places/resource.ts";
import type { Source } from "../../krm/places/source.ts";
import { readSources } from "../../krm/read/read.ts";
import { isRawNodePool, roleOf } from "../../model/objects/role.ts";
import { printable, printableLines } from "../../report/terminal/printable.ts";
import type { Context } from "../cli/context.ts";
import { EXIT, type ExitCode } from "../cli/exit-codes.ts";
import type { SharedOptions } from "../cli/options.ts";

/** Argo CD asks this for every application, so unreadable files are not an error: they may belong to another tool. */
export function runDiscover(options: DiscoverOptions, context: Context): ExitCode {
  const { files } = discovered(options);
  context.writeOut(files.map((file) => `${printableLines(printable(file))}\n`).join(""));
  return EXIT.done;
}

type DiscoverOptions = Pick<SharedOptions, "nodePools">;

export function discovered(options: DiscoverOptions): Discovered {
  const { value: sources, findings } = readSources({ paths: ["."], readStdin: () => Buffer.alloc(0) });
  const seen = [...sources, ...findings].flatMap(({ file }) => (file === undefined ? [] : [file]));
  return discoverApplication(sources, seen, options);
}

interface Discovered {
  /** The files that hold a wrapper, or a NodePool if users write those. */
  readonly files: readonly string[];
  /** The file that assigns the folder to another tool. */
  readonly otherTool?: string;
}

/** In the folder itself they tell Argo CD which tool builds it, and a matching plugin would come before that tool. */
const OTHER_TOOLS = ["Chart.yaml", "kustomization.yaml", "kustomization.yml", "Kustomization"];

/**
 * A policy alone is not an application: Argo CD may sync it to the management cluster as it is.
 * @param seen every name below the folder that was read or skipped
 */
function discoverApplication(
  sources: readonly Source[],
  seen: readonly string[],
  { nodePools }: DiscoverOptions,
): Discovered {
  const otherTool = OTHER_TOOLS.find((name) => seen.includes(name));
  if (otherTool !== undefined) return { files: [], otherTool };
  const takesRaw = nodePools === "Raw";
  const groups = takesRaw ? [HYPERSHIFT_KARPENTER_GROUP, KARPENTER_GROUP] : [HYPERSHIFT_KARPENTER_GROUP];
  const files = sources
    .filter(({ text }) => groups.some((group) => text.includes(group)))
    .filter((source) => parseSources([source]).value.some((one) => isWrapper(one) || (takesRaw && isRawNodePool(one))));
  return { files: files.map(({ file }) => file) };
}

function isWrapper(resource: Resource): boolean {
  return ["node-pool", "node-class"].includes(String(roleOf(resource)));
}
