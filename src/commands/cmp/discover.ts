/** `anp cmp discover`: lists the files that make the current folder an application for anp. */
import { HYPERSHIFT_KARPENTER_GROUP } from "../../krm/findings/known-kinds.ts";
import { parseSources } from "../../krm/parse/parse.ts";
import type { Source } from "../../krm/places/source.ts";
import { readSources } from "../../krm/read/read.ts";
import { roleOf } from "../../model/objects/role.ts";
import { printable, printableLines } from "../../report/terminal/printable.ts";
import type { Context } from "../cli/context.ts";
import { EXIT, type ExitCode } from "../cli/exit-codes.ts";

/** Argo CD asks this for every application, so unreadable files are not an error: they may belong to another tool. */
export function runDiscover(context: Context): ExitCode {
  const { files } = discovered();
  context.writeOut(files.map((file) => `${printableLines(printable(file))}\n`).join(""));
  return EXIT.done;
}

export function discovered(): Discovered {
  const { value: sources, findings } = readSources({ paths: ["."], readStdin: () => Buffer.alloc(0) });
  const seen = [...sources, ...findings].flatMap(({ file }) => (file === undefined ? [] : [file]));
  return discoverApplication(sources, seen);
}

interface Discovered {
  /** The files that hold a wrapper. */
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
function discoverApplication(sources: readonly Source[], seen: readonly string[]): Discovered {
  const otherTool = OTHER_TOOLS.find((name) => seen.includes(name));
  if (otherTool !== undefined) return { files: [], otherTool };
  const files = sources.filter(({ text }) => text.includes(HYPERSHIFT_KARPENTER_GROUP)).filter(holdsWrapper);
  return { files: files.map(({ file }) => file) };
}

function holdsWrapper(source: Source): boolean {
  return parseSources([source]).value.some((resource) =>
    ["node-pool", "node-class"].includes(String(roleOf(resource))),
  );
}
