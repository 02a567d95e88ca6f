/** One side's entry on a label key as plain data for reports, and where it is written. */
import { formatRequirement, type Requirement } from "../../karpenter/requirements/requirement.ts";
import { valueAt } from "../../krm/field-path.ts";
import { fileLineOf } from "../../krm/location.ts";
import type { Demand } from "../../resolve/demands.ts";

export interface DescribedRequirement {
  readonly key: string;
  readonly requirement: string;
}

export interface DescribedDemand extends DescribedRequirement {
  readonly from: Demand["from"];
  /** A bound as somebody wrote it, such as `Gt 15`, which Karpenter prints as `Exists >=16`. */
  readonly written?: string;
  /** The label or the values that were most likely meant, where no instance type has those that are asked for. */
  readonly meant?: readonly string[];
  readonly file: string;
  /** 0 where there are none: of a live object. */
  readonly line: number;
}

export function describeDemand({ from, requirement, place }: Demand): DescribedDemand {
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
