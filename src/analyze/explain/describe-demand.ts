/** One side's entry on a label key as plain data for reports, and where it is written. */
import { formatRequirement, type Requirement } from "../../karpenter/requirements/requirement.ts";
import { fileLineOf } from "../../krm/location.ts";
import type { Demand } from "../../resolve/demands.ts";

export interface DescribedRequirement {
  readonly key: string;
  readonly requirement: string;
}

export interface DescribedDemand extends DescribedRequirement {
  readonly from: Demand["from"];
  readonly file: string;
  /** 0 where there are none: of a live object. */
  readonly line: number;
}

export function describeDemand({ from, requirement, place }: Demand): DescribedDemand {
  const { key, requirement: words } = describeRequirement(requirement);
  return { key, from, requirement: words, ...fileLineOf(place.resource, place.path) };
}

/** In Karpenter's print form. */
export function describeRequirement(requirement: Requirement): DescribedRequirement {
  return { key: requirement.key, requirement: formatRequirement(requirement) };
}
