/** What Karpenter's disruption controller would do next, method by method. */
import {
  driftedNode,
  emptyNodes,
  oneNode,
  severalNodes,
  type Commands,
} from "../../karpenter/consolidation/methods.ts";
import { replaceStatic } from "./static-drift.ts";
import type { Disruption } from "./running-cluster.ts";

/** The methods of the controller but repair, in its order. */
export const METHODS = ["emptiness", "static-drift", "drift", "multi-node", "single-node"] as const;

export type Method = (typeof METHODS)[number];

/** What the budgets and events of a method call it. */
export const REASON_OF = {
  emptiness: "Empty",
  "static-drift": "Drifted",
  drift: "Drifted",
  "multi-node": "Underutilized",
  "single-node": "Underutilized",
} as const satisfies Readonly<Record<Method, string>>;

/** What one method would do if those before it did nothing. */
export function commandsOf(method: Method, disruption: Disruption): Commands {
  const { cluster, candidates, allowed } = disruption;
  switch (method) {
    case "emptiness":
      return emptyNodes(candidates("Empty"), allowed("Empty"));
    case "static-drift":
      return replaceStatic(disruption);
    case "drift":
      return driftedNode(cluster, candidates("Drifted"), allowed("Drifted"));
    case "multi-node":
      return severalNodes(cluster, candidates("Underutilized"), allowed("Underutilized"));
    case "single-node":
      return oneNode(cluster, candidates("Underutilized"), allowed("Underutilized"));
  }
}
