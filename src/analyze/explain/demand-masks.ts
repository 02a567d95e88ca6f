/** Which instance types each demand lets pass by itself, and which all the others do. */
import type { TypeFilter } from "../../karpenter/catalogue/type-filter.ts";
import type { TypeMask } from "../../karpenter/catalogue/type-mask.ts";
import type { AskedRequirement } from "../../resolve/demands.ts";

export interface DemandMasks {
  readonly passing: readonly TypeMask[];
  /** What passes every demand but this one; a contradiction that Karpenter passes by is none here. */
  readonly others: readonly TypeMask[];
  readonly every: TypeMask;
}

/** In the order of the demands. */
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
