/** The instance types that each demand admits alone, and those that all other demands admit. */
import type { TypeFilter } from "../../karpenter/catalogue/type-filter.ts";
import type { TypeMask } from "../../karpenter/catalogue/type-mask.ts";
import type { AskedRequirement } from "../../resolve/pool-requirements.ts";

export interface DemandMasks {
  readonly passing: readonly TypeMask[];
  /**
   * The types that every other demand admits. Each demand is evaluated alone, so contradictions that Karpenter ignores
   * have no effect here.
   */
  readonly others: readonly TypeMask[];
  readonly every: TypeMask;
}

/** All masks are in the order of the demands. */
export function demandMasks(demands: readonly AskedRequirement[], filter: TypeFilter): DemandMasks {
  const passing = demands.map(({ requirement }) => filter.compatible(new Map([[requirement.key, requirement]])));
  const before = [filter.all];
  for (const mask of passing) before.push(filter.meet(before.at(-1)!, mask));
  const others: TypeMask[] = [];
  let after = filter.all;
  for (let index = demands.length - 1; index >= 0; index--) {
    others[index] = filter.meet(before[index]!, after);
    after = filter.meet(after, passing[index]!);
  }
  return { passing, others, every: after };
}
