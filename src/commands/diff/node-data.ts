/** `--node-data FILE`: the facts of each node from a kubectl dump of NodeClaims and Nodes. */
import { type NodeFacts, readNodeData } from "../../analyze/nodes/node-data.ts";
import { isNodeData } from "../../analyze/nodes/node-pairs.ts";
import type { Context } from "../cli/context.ts";
import { readDump } from "../input/read-dump.ts";

/** Reads the same dump as `anp simulate`. @throws UnreadableError for a file that kubectl did not write */
export function readNodeDataFile(path: string, context: Context): NodeFacts[] {
  const dump = {
    isWanted: (object: Parameters<typeof isNodeData>[0]) => object.kind !== "Pod" && isNodeData(object),
    wanted: "neither NodeClaims nor Nodes",
    kubectl: "kubectl get nodeclaims,nodes -o json",
  };
  return readNodeData(readDump(path, dump, context));
}
