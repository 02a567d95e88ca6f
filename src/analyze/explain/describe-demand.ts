/** One side's entry on a label key as plain data for reports, and where it is written. */
import { formatRequirement } from "../../karpenter/requirements/requirement.ts";
import { fileLineOf } from "../../krm/location.ts";
import type { Demand } from "../../resolve/demands.ts";

export interface DescribedDemand {
  readonly key: string;
  readonly from: Demand["from"];
  readonly requirement: string;
  readonly file: string;
  /** 0 where there are none: of a live object. */
  readonly line: number;
}

/** The requirement in Karpenter's print form. */
export function describeDemand({ from, requirement, place }: Demand): DescribedDemand {
  return {
    key: requirement.key,
    from,
    requirement: formatRequirement(requirement),
    ...fileLineOf(place.resource, place.path),
  };
}
