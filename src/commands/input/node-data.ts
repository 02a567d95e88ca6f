/** `--node-data` for several hosted clusters: a folder of `anp collect` has the nodes of each. */
import { type NodeFacts, readNodeData } from "../../analyze/nodes/node-data.ts";
import { type Finding, findingInFile, findingOnInput } from "../../krm/findings/finding.ts";
import type { Resource } from "../../krm/places/resource.ts";
import { type ClusterDump, clusterDumps } from "../../krm/read/cluster-dumps.ts";
import { someOf } from "../../krm/values/counted.ts";
import type { Context } from "../cli/context.ts";
import type { SharedOptions } from "../cli/options.ts";
import { readDump, readNodeDataFile } from "./read-dump.ts";

/** The nodes of a hosted cluster; undefined if they are unknown. */
export type NodesOf = (hostedCluster: string | undefined) => readonly NodeFacts[] | undefined;

export interface NodeDataRead {
  /** Those of a file are of one cluster, whichever it is. */
  readonly nodes: readonly NodeFacts[] | NodesOf;
  /** Dumps without a cluster, and clusters without a dump. */
  readonly findings: readonly Finding[];
}

/**
 * Dumps of other clusters are no mistake if a cluster is selected.
 *
 * @param path a file, or a folder with the folder of each cluster
 * @param clusters the namespaces of the hosted clusters; none for Karpenter's own objects
 * @throws UnreadableError for a file that is no dump
 */
export function readNodesByCluster(
  path: string,
  clusters: readonly string[],
  { hostedCluster }: Pick<SharedOptions, "hostedCluster">,
  context: Context,
): NodeDataRead {
  const dumps = clusterDumps(path);
  if (dumps === undefined) {
    return { nodes: readNodeDataFile(path, context), findings: [] };
  }
  const { dumpOf, findings } = matchDumps(path, dumps, clusters);
  const read = new Map([...dumpOf].map(([name, { file }]) => [name, readNodeData(readDumpOf(file, context))]));
  const isSelected = hostedCluster !== undefined;
  return {
    nodes: (name) => read.get(name ?? ""),
    findings: isSelected ? findings.filter(({ code }) => code !== "node-data-unmatched") : findings,
  };
}

/** Any object may be in it: a cluster may have no nodes. */
export function readDumpOf(file: string, context: Context): Resource[] {
  const wanted = { isWanted: () => true, wanted: "no object", kubectl: "anp collect DIR --live" };
  return readDump(file, wanted, context);
}

/**
 * A dump belongs to the hosted cluster whose namespace is its name, or ends in it: HyperShift names the namespace
 * after the HostedCluster, `clusters-shop` for `shop` (docs/upstream/hypershift.md#hosted-control-planes).
 */
export function matchDumps(
  folder: string,
  dumps: readonly ClusterDump[],
  clusters: readonly string[],
): { readonly dumpOf: ReadonlyMap<string, ClusterDump>; readonly findings: readonly Finding[] } {
  const byName = Map.groupBy(clusters, (namespace) => namespace);
  const bySuffix = Map.groupBy(
    clusters.flatMap((namespace) => suffixesOf(namespace).map((suffix) => ({ suffix, namespace }))),
    ({ suffix }) => suffix,
  );
  const dumpOf = new Map<string, ClusterDump>();
  const findings: Finding[] = [];
  const exactFirst = dumps.toSorted((a, b) => Number(byName.has(b.name)) - Number(byName.has(a.name)));
  for (const dump of exactFirst) {
    const found = byName.get(dump.name) ?? bySuffix.get(dump.name)?.map(({ namespace }) => namespace) ?? [];
    const [namespace] = found;
    const first = namespace === undefined ? undefined : dumpOf.get(namespace);
    if (dump.isLink) findings.push(unmatched(dump, "is a link, and links among dumps are not followed", COPY));
    else if (namespace === undefined) findings.push(unmatched(dump, "is of no hosted cluster of the input", NAME));
    else if (found.length > 1)
      findings.push(unmatched(dump, `may be of several hosted clusters: ${someOf(found, MOST)}`, NAME));
    else if (first !== undefined) findings.push(unmatched(dump, `is of ${namespace}, and so is ${first.file}`, NAME));
    else dumpOf.set(namespace, dump);
  }
  const without = clusters.filter((namespace) => !dumpOf.has(namespace));
  if (without.length > 0) {
    const message = `${folder} has no nodes of ${someOf(without, MOST)}, so what a change replaces there is unknown`;
    const hint = `collect them: anp collect ${folder} --live --name ${without[0]!}`;
    findings.push(findingOnInput("node-data-missing", { message, hint }));
  }
  return { dumpOf, findings };
}

/** At most this many clusters are named, and the others counted. */
const MOST = 5;

const COPY = "put the file itself there";
const NAME = "name the folder as the hosted control plane's namespace";

function unmatched({ file }: ClusterDump, message: string, hint: string): Finding {
  return findingInFile("node-data-unmatched", file, { message: `${message}, so its nodes are not counted`, hint });
}

/** `shop-eu` and `eu` of `clusters-shop-eu`; `prod` of the folder `clusters/prod`. */
function suffixesOf(name: string): string[] {
  const parts = name.split("-");
  const folder = name.slice(name.lastIndexOf("/") + 1);
  return [
    ...parts.slice(1).map((_part, index) => parts.slice(index + 1).join("-")),
    ...(folder === name ? [] : [folder]),
  ];
}
