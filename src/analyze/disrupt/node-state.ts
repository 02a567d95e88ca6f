/** A node with its NodeClaim and pods, as Karpenter's disruption controller reads them. */
import { valueAt } from "../../krm/places/field-path.ts";
import { textAt, textsAt } from "../../krm/places/text-at.ts";
import { listOf } from "../../krm/values/fields.ts";
import { parseGoMilliseconds } from "../../model/values/go-duration.ts";
import { conditionAt, timeAt } from "../nodes/held-pod.ts";
import { type NodeLife, nodeLives } from "../nodes/node-life.ts";
import type { NodeObject, NodePair } from "../nodes/node-pairs.ts";

/** `StateNode` (pkg/controllers/state/statenode.go). Times are milliseconds since 1970, lengths milliseconds. */
export interface NodeState {
  readonly life: NodeLife;
  readonly pair: NodePair;
  /** The label of its pool. */
  readonly nodePool: string | undefined;
  /** Of the Node once it is registered, else of the NodeClaim. */
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** Whether Karpenter made it. A node without NodeClaim counts as registered and initialized. */
  readonly isManaged: boolean;
  readonly isRegistered: boolean;
  readonly isInitialized: boolean;
  /** When it was initialized. */
  readonly initializedAt: number | undefined;
  /** When a pod came to it or went last; `consolidateAfter` counts from here. */
  readonly lastPodEvent: number | undefined;
  readonly isConsolidatable: boolean;
  readonly drifted: { readonly reason: string; readonly since: number | undefined } | undefined;
  /** Undefined without one. */
  readonly drainEnd: number | undefined;
  /** The conditions of the Node. */
  readonly conditions: readonly NodeCondition[];
  /** When a reboot of it ended last. */
  readonly rebootedAt: number | undefined;
}

interface NodeCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly since: number | undefined;
}

/** One entry for each node of a dump, and for each NodeClaim without a node. */
export function nodeStates(objects: readonly NodeObject[]): NodeState[] {
  return nodeLives(objects).map(({ pair, life }) => nodeStateOf(pair, life));
}

function nodeStateOf(pair: NodePair, life: NodeLife): NodeState {
  const [claim, node] = [pair.claim?.value, pair.node?.value];
  const isManaged = claim !== undefined;
  const ofNode = textsAt(node, ["metadata", "labels"]);
  const isRegistered = !isManaged || ofNode["karpenter.sh/registered"] === "true";
  const source = node !== undefined && isRegistered ? node : (claim ?? node);
  const labels = source === node ? ofNode : textsAt(source, ["metadata", "labels"]);
  const drifted = conditionAt(claim, "Drifted");
  const rebooting = conditionAt(claim, "Rebooting");
  return {
    life,
    pair,
    nodePool: labels["karpenter.sh/nodepool"],
    labels,
    annotations: textsAt(source, ["metadata", "annotations"]),
    isManaged,
    isRegistered,
    isInitialized: !isManaged || ofNode["karpenter.sh/initialized"] === "true",
    initializedAt: sinceOf(conditionAt(claim, "Initialized")),
    lastPodEvent: timeAt(textAt(claim, ["status", "lastPodEventTime"])),
    isConsolidatable: textAt(conditionAt(claim, "Consolidatable"), ["status"]) === "True",
    drifted:
      textAt(drifted, ["status"]) === "True"
        ? { reason: textAt(drifted, ["reason"]) ?? "Drifted", since: sinceOf(drifted) }
        : undefined,
    drainEnd: parseGoMilliseconds(textAt(claim, ["spec", "terminationGracePeriod"]) ?? ""),
    conditions: listOf(valueAt(node, ["status", "conditions"])).map((one) => ({
      type: textAt(one, ["type"]) ?? "",
      status: textAt(one, ["status"]) ?? "",
      reason: textAt(one, ["reason"]) ?? "",
      since: sinceOf(one),
    })),
    rebootedAt: textAt(rebooting, ["status"]) === "False" ? sinceOf(rebooting) : undefined,
  };
}

function sinceOf(condition: unknown): number | undefined {
  return timeAt(textAt(condition, ["lastTransitionTime"]));
}
