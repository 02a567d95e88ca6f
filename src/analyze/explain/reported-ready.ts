/** The condition Ready that an object of a cluster has in its status. */
import { valueAt } from "../../krm/places/field-path.ts";
import type { Resource } from "../../krm/places/resource.ts";
import { isFields } from "../../krm/values/fields.ts";
import type { ReportedReady } from "./pool-answer.ts";

/** Undefined without a status. A status may hold any value, because users can write files with one. */
export function reportedReady({ value }: Resource): ReportedReady | undefined {
  const conditions = valueAt(value, ["status", "conditions"]);
  const found = Array.isArray(conditions)
    ? conditions.filter(isFields).find(({ type }) => type === "Ready")
    : undefined;
  return (
    found && { status: textOf(found["status"]), reason: textOf(found["reason"]), message: textOf(found["message"]) }
  );
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Whether the cluster says that the pool is not ready. */
export function isNotReady(ready: ReportedReady | undefined): ready is ReportedReady {
  return ready?.status === "False";
}

/** `NoInstanceTypes: no instance type satisfies …`. */
export function readyWords({ reason, message }: ReportedReady): string {
  return [reason, message].filter((part) => part !== "").join(": ");
}
