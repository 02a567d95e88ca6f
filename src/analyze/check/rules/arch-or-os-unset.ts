/** Pools that leave architecture or operating system open while their types have several. */
import { type Finding, findingAt } from "../../../krm/finding.ts";
import { describeResource } from "../../../krm/resource.ts";
import { isEmpty } from "../../../karpenter/requirements/requirement.ts";
import { indexesOf } from "../../../karpenter/catalogue/type-mask.ts";
import { valuesOf } from "../../../karpenter/catalogue/type-filter.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import { remainingTypes } from "../../explain/remaining-types.ts";

const KEYS = { "kubernetes.io/arch": "architecture", "kubernetes.io/os": "operating system" };

export function archOrOsUnset({ explanations, market }: ExplainedCluster): Finding[] {
  return explanations.flatMap(({ pool, verdict, requirements }) => {
    if (verdict === "unsatisfiable") return [];
    return Object.entries(KEYS).flatMap(([key, what]) => {
      if (requirements.some((one) => one.key === key && !isEmpty(one.effective))) return [];
      const types = indexesOf(remainingTypes(pool.demands, market).types);
      const values = new Set(types.flatMap((type) => valuesOf(market.filter.catalogue, type, key)));
      if (values.size < 2) return [];
      const list = [...values].toSorted().join(" and ");
      const message = `${describeResource(pool.wrapper)} names no ${what}: its nodes may be ${list}, and every image must run on both`;
      const hint = `add an entry for ${key}, such as In [${[...values].toSorted()[0]}]`;
      const path = ["spec", "template", "spec", "requirements"];
      return [findingAt("arch-or-os-unset", pool.wrapper, path, { message, hint })];
    });
  });
}
