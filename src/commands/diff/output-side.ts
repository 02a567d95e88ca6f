/** Whether one side of `anp diff` is what anp rendered before. */
import type { Resource } from "../../krm/resource.ts";
import { roleOf } from "../../model/role.ts";

/** Nothing but what anp wrote, so that there is nothing to render. */
export function isOutput(resources: readonly Resource[]): boolean {
  const roles = resources.map((resource) => roleOf(resource));
  return roles.includes("earlier-output") && roles.every((role) => role === "earlier-output" || role === "not-ours");
}
