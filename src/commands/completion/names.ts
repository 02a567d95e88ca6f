/** A typed line in; the names of the pools and hosted clusters that its paths hold out. */
import { parseSources } from "../../krm/parse.ts";
import { readSources } from "../../krm/read.ts";
import { foldersIn } from "../../krm/write-directory.ts";
import { gatherBundles } from "../../model/gather.ts";
import type { Candidate } from "./line.ts";
import type { TypedLine } from "./words.ts";
import type { Context } from "../cli/context.ts";

interface Names {
  readonly nodePools: readonly Candidate[];
  readonly hostedClusters: readonly Candidate[];
}

/** Of the paths that stand there, else of the current folder; of nothing that takes long to read. */
export function namesOfInput({ operands, given }: TypedLine, context: Context): Names {
  const typed = operands.filter((path) => path !== "-").map((path) => withHome(path, context));
  const paths = typed.length > 0 ? typed : ["."];
  const policyDir = given.get("--policy-dir")?.at(-1);
  if (isLarge([...paths, ...(policyDir === undefined ? [] : [policyDir])]))
    return { nodePools: [], hostedClusters: [] };
  const sources = readSources({ paths, policyDir, readStdin: () => Buffer.alloc(0) });
  const resources = parseSources(sources.value.filter(({ text }) => SPEAKS_OF_NAMES.test(text))).value;
  const { bundles, named } = gatherBundles(resources, { hostedCluster: given.get("--hosted-cluster")?.at(-1) }).value;
  const pools = bundles.flatMap(({ hostedCluster = "", nodePools }) =>
    nodePools.map(({ name }) => ({ value: name, description: hostedCluster })),
  );
  return { nodePools: once(pools), hostedClusters: named.map((value) => ({ value, description: "" })) };
}

/** Parsing takes most of the time, and most files of a repository are others. */
const SPEAKS_OF_NAMES = /OpenshiftNodePool|AutoNodePolicy|HostedControlPlane|HostedCluster|RenderConfig/;

/** The shell has not done it for a word that it only completes. */
function withHome(path: string, { env }: Context): string {
  return path.startsWith("~/") ? `${env["HOME"] ?? "~"}${path.slice(1)}` : path;
}

/** Somebody may stand at the root of the file system. */
function isLarge(folders: readonly string[]): boolean {
  const found = [...folders];
  for (let index = 0; index < found.length && found.length <= MAX_FOLDERS; index += 1)
    for (const name of foldersIn(found[index]!)) found.push(`${found[index]}/${name}`);
  return found.length > MAX_FOLDERS;
}

const MAX_FOLDERS = 500;

function once(candidates: readonly Candidate[]): Candidate[] {
  const byName = Map.groupBy(candidates, ({ value }) => value);
  return [...byName].map(([value, group]) => ({
    value,
    description: [...new Set(group.map(({ description }) => description))].join(", "),
  }));
}
