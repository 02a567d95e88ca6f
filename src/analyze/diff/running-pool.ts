/** The settings that decide how the nodes of a NodePool are replaced, from both sides. */
import { nodeLimitOf } from "../../karpenter/disruption/node-limit.ts";
import { isFields } from "../../karpenter/conversion/plain-fields.ts";
import { type FieldPath, valueAt } from "../../krm/field-path.ts";
import { TERMINATION_TIMESTAMP } from "../../model/reserved-keys.ts";
import { DO_NOT_DISRUPT } from "../nodes/node-life.ts";
import { textAt } from "../nodes/node-pairs.ts";
import type { RunningPool } from "../running/node-lifetime.ts";
import { budgetsOf } from "./change-node-pool.ts";
import type { SideObject } from "./side-object.ts";

const TEMPLATE: FieldPath = ["spec", "template"];

/**
 * Nodes keep the lifetime of the template that they were created from. All other settings are those of the pool now
 * (docs/upstream/karpenter.md#how-long-nodes-stay).
 *
 * @param origin the pool that created the nodes
 * @param now undefined if it was removed
 */
export function runningPoolOf(origin: SideObject, now: SideObject = origin): RunningPool {
  const of = (part: FieldPath) => textAt(origin.object, [...TEMPLATE, ...part]);
  const settings = now.written ?? now.object;
  const limits = valueAt(settings, ["spec", "limits"]);
  const replicas = valueAt(settings, ["spec", "replicas"]);
  return {
    expireAfter: of(["spec", "expireAfter"]),
    terminationGracePeriod: of(["spec", "terminationGracePeriod"]),
    doNotDisrupt: of(["metadata", "annotations", DO_NOT_DISRUPT]) === "true",
    hasDrainEnd: of(["metadata", "annotations", TERMINATION_TIMESTAMP]) !== undefined,
    budgets: budgetsOf(settings),
    limit: nodeLimitOf(
      isFields(limits) ? (limits as Record<string, string>) : undefined,
      limitMode(now),
      now.driftedFloor,
    ),
    replicas: typeof replicas === "number" ? replicas : undefined,
  };
}

/** The limit of a wrapper is Hard by default. Any other limit is Soft (docs/upstream/karpenter.md#node-limits). */
function limitMode({ written }: SideObject): "Hard" | "Soft" {
  if (written === undefined) return "Soft";
  return valueAt(written, ["spec", "disruption", "nodeLimitMode"]) === "Soft" ? "Soft" : "Hard";
}
