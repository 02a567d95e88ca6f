/** Reads the objects of a kubectl dump in a file that an option names. */
import { type NodeFacts, readNodeData } from "../../analyze/nodes/node-data.ts";
import { isNodeData } from "../../analyze/nodes/node-pairs.ts";
import { parseSources } from "../../krm/parse/parse.ts";
import type { Resource } from "../../krm/places/resource.ts";
import type { Context } from "../cli/context.ts";
import { UnreadableError } from "../cli/exit-codes.ts";
import { readText } from "../cli/read-text.ts";

interface WantedDump {
  /** Other objects are ignored; a dump without any wanted object is the wrong file. */
  readonly isWanted: (resource: Resource) => boolean;
  /** What the message says is missing. */
  readonly wanted: string;
  /** The command that writes the file. */
  readonly kubectl: string;
}

/** Empty for an empty list, which is valid. @throws UnreadableError for a file that kubectl did not write */
export function readDump(path: string, { isWanted, wanted, kubectl }: WantedDump, context: Context): Resource[] {
  const text = readText(path, context);
  const source = { file: path, folder: "", text, explicit: true, trusted: false, config: false };
  const { value, findings } = parseSources([source]);
  const [problem] = findings;
  const hint = `write it with ${kubectl}`;
  if (problem !== undefined) {
    const where = problem.line === undefined ? "" : ` (line ${problem.line})`;
    throw new UnreadableError(path, `${problem.message}${where}`, hint);
  }
  if (value.length > 0 && !value.some(isWanted)) throw new UnreadableError(path, `holds ${wanted}`, hint);
  return value;
}

/** Reads the same dump as `anp simulate`. @throws UnreadableError for a file that kubectl did not write */
export function readNodeDataFile(path: string, context: Context): NodeFacts[] {
  const dump = {
    isWanted: (object: Parameters<typeof isNodeData>[0]) => object.kind !== "Pod" && isNodeData(object),
    wanted: "neither NodeClaims nor Nodes",
    kubectl: "kubectl get nodeclaims,nodes -o json",
  };
  return readNodeData(readDump(path, dump, context));
}

/** Reads what a plan needs of a cluster. @throws UnreadableError for a file that is no dump */
export function readClusterFile(path: string, context: Context): Resource[] {
  const kinds = "nodes,nodeclaims,pods,daemonsets,pdb,namespaces,pvc,pv,storageclasses,csinodes";
  const kubectl = `anp collect DIR --live, or kubectl get ${kinds} -A -o json`;
  return readDump(path, { isWanted: isNodeData, wanted: "neither NodeClaims nor Nodes nor Pods", kubectl }, context);
}
