/** Rule: pools without an architecture or operating system while their types have several. */
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { describeResource } from "../../../krm/places/resource.ts";
import { has, isEmpty } from "../../../karpenter/requirements/requirement.ts";
import { valuesAmong } from "../../../karpenter/catalogue/type-filter.ts";
import type { PoolRequirement } from "../../../resolve/pool-requirements.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";

const KEYS = { "kubernetes.io/arch": "architecture", "kubernetes.io/os": "operating system" };

const OS = "kubernetes.io/os";

function admits({ requirement }: PoolRequirement, key: string, value: string): boolean {
  return requirement.key !== key || has(requirement, value);
}

export function archOrOsUnset({ explanations, knownTypes }: ExplainedCluster): Finding[] {
  return explanations.flatMap(({ pool, verdict, requirements, remaining }) => {
    if (verdict === "unsatisfiable") return [];
    return Object.entries(KEYS).flatMap(([key, what]) => {
      if (requirements.some((one) => one.key === key && !isEmpty(one.effective))) return [];
      // The node class decides the operating system.
      if (key === OS && pool.nodeClass === undefined) return [];
      const ofTypes = valuesAmong(knownTypes.filter.catalogue, remaining.types, key);
      const values = new Set(ofTypes.filter((value) => pool.needs.every((need) => admits(need, key, value))));
      if (values.size < 2) return [];
      const list = [...values].toSorted().join(" and ");
      const message = `${describeResource(pool.wrapper)} names no ${what}: its nodes may be ${list}, and every image must run on both`;
      const hint = `add an entry for ${key}, such as In [${[...values].toSorted()[0]}]`;
      const path = ["spec", "template", "spec", "requirements"];
      return [findingAt("arch-or-os-unset", pool.wrapper, path, { message, hint })];
    });
  });
}
