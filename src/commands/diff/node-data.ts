/** `--node-data FILE`: what kubectl says of NodeClaims and Nodes in, the facts of each node out. */
import { type NodeFacts, readNodeData } from "../../analyze/nodes/node-data.ts";
import { isNodeData } from "../../analyze/nodes/node-pairs.ts";
import type { Context } from "../cli/context.ts";
import { readDump } from "../input/read-dump.ts";

/** The dump that `anp simulate` reads does as well. @throws UnreadableError for a file that is not what kubectl writes */
export function readNodeDataFile(path: string, context: Context): NodeFacts[] {
  const dump = {
    isWanted: (object: Parameters<typeof isNodeData>[0]) => object.kind !== "Pod" && isNodeData(object),
    wanted: "neither NodeClaims nor Nodes",
    kubectl: "kubectl get nodeclaims,nodes -o json",
  };
  return readNodeData(readDump(path, dump, context));
}
