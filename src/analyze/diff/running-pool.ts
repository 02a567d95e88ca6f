/** What decides about the nodes of a NodePool, of the objects of both sides. */
import { nodeLimitOf } from "../../karpenter/disruption/node-limit.ts";
import { isFields } from "../../karpenter/conversion/plain-fields.ts";
import { type FieldPath, valueAt } from "../../krm/field-path.ts";
import { DO_NOT_DISRUPT } from "../nodes/node-life.ts";
import { textAt } from "../nodes/node-pairs.ts";
import type { RunningPool } from "../running/stay.ts";
import { budgetsOf } from "./change-node-pool.ts";
import type { SideObject } from "./side-object.ts";

const TEMPLATE: FieldPath = ["spec", "template"];

/**
 * Nodes keep the lifetime of the template that they were made of; all else is the pool's own as it is now
 * (docs/upstream/karpenter.md#how-long-nodes-stay).
 *
 * @param lived the pool that made the nodes
 * @param now undefined where it is gone
 */
export function runningPoolOf(lived: SideObject, now: SideObject = lived): RunningPool {
  const of = (part: FieldPath) => textAt(lived.object, [...TEMPLATE, ...part]);
  const ruling = now.written ?? now.object;
  const limits = valueAt(ruling, ["spec", "limits"]);
  const replicas = valueAt(ruling, ["spec", "replicas"]);
  return {
    expireAfter: of(["spec", "expireAfter"]),
    terminationGracePeriod: of(["spec", "terminationGracePeriod"]),
    doNotDisrupt: of(["metadata", "annotations", DO_NOT_DISRUPT]) === "true",
    budgets: budgetsOf(ruling),
    limit: nodeLimitOf(
      isFields(limits) ? (limits as Record<string, string>) : undefined,
      limitMode(now),
      now.driftedFloor,
    ),
    replicas: typeof replicas === "number" ? replicas : undefined,
  };
}

/** Only of a wrapper a limit is Hard, unless that says otherwise (docs/upstream/karpenter.md#node-limits). */
function limitMode({ written }: SideObject): "Hard" | "Soft" {
  if (written === undefined) return "Soft";
  return valueAt(written, ["spec", "disruption", "nodeLimitMode"]) === "Soft" ? "Soft" : "Hard";
}
