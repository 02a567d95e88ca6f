/** `--node-data FILE`: what kubectl says of NodeClaims and Nodes in, the facts of each node out. */
import { type NodeFacts, readNodeData } from "../analyze/node-data.ts";
import { parseSources } from "../krm/parse.ts";
import type { Context } from "./context.ts";
import { readText } from "./read-text.ts";
import { UnreadableError } from "./unreadable-error.ts";

/** @throws UnreadableError for a file that is not what kubectl writes */
export function readNodeDataFile(path: string, context: Context): NodeFacts[] {
  const text = readText(path, context);
  const source = { file: path, folder: "", text, explicit: true, trusted: false, config: false };
  const { value, findings } = parseSources([source]);
  const [problem] = findings;
  if (problem !== undefined) {
    const where = problem.line === undefined ? "" : ` (line ${problem.line})`;
    throw new UnreadableError(path, `${problem.message}${where}`, "write it with kubectl get nodeclaims,nodes -o json");
  }
  const other = value.find(({ kind }) => kind !== "NodeClaim" && kind !== "Node");
  if (other !== undefined)
    throw new UnreadableError(
      path,
      `holds a ${other.kind}, and node data is NodeClaims and Nodes`,
      "write it with kubectl get nodeclaims,nodes -o json",
    );
  return readNodeData(value);
}
