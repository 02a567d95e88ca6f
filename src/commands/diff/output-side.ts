/** Whether one side of `anp diff` is earlier output of anp. */
import type { Resource } from "../../krm/places/resource.ts";
import { roleOf } from "../../model/objects/role.ts";

/** True if every object was written by anp, so that there is nothing to render. */
export function isOutput(resources: readonly Resource[]): boolean {
  const roles = resources.map((resource) => roleOf(resource));
  return roles.includes("earlier-output") && roles.every((role) => role === "earlier-output" || role === "not-ours");
}
