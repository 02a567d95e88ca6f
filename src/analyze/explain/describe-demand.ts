/** A requirement entry as plain data for reports, with its place. */
import type { DescribedDemand, DescribedRequirement } from "./pool-answer.ts";
import { formatRequirement, type Requirement } from "../../karpenter/requirements/requirement.ts";
import { valueAt } from "../../krm/field-path.ts";
import { fileLineOf } from "../../krm/location.ts";
import type { PoolRequirement } from "../../resolve/pool-requirements.ts";

export function describeDemand({ from, requirement, place }: PoolRequirement): DescribedDemand {
  const { key, requirement: words } = describeRequirement(requirement);
  const written = writtenBound(valueAt(place.resource.value, place.path));
  return {
    key,
    from,
    requirement: words,
    ...(written === undefined ? {} : { written }),
    ...fileLineOf(place.resource, place.path),
  };
}

function writtenBound(entry: unknown): string | undefined {
  const { operator, values } = (entry ?? {}) as { operator?: unknown; values?: unknown };
  return typeof operator === "string" && BOUNDS.includes(operator) && Array.isArray(values)
    ? `${operator} ${values.join(" ")}`
    : undefined;
}

const BOUNDS: readonly string[] = ["Gt", "Gte", "Lt", "Lte"];

/** In Karpenter's print form. */
export function describeRequirement(requirement: Requirement): DescribedRequirement {
  return { key: requirement.key, requirement: formatRequirement(requirement) };
}
