/** Rules: limits that exclude all instance types, or that no number of nodes reaches. */
import { indexesOf } from "../../../karpenter/catalogue/type-mask.ts";
import { capacityOf } from "../../../karpenter/scheduling/limits.ts";
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { describeResource } from "../../../krm/places/resource.ts";
import { parseQuantity } from "../../../model/values/quantity.ts";
import { amountText } from "../../explain/amounts.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";

/** Other reasons for no nodes are reported during rendering, because they need no catalogue. */
export function limitsBelowTypes({ explanations }: ExplainedCluster): Finding[] {
  return explanations.flatMap(({ pool, noNodes }) =>
    noNodes
      .filter(({ code }) => code === "limits-below-types")
      .map(({ code, place, message, hint }) =>
        findingAt(code, place.resource, place.path, {
          message: `${describeResource(pool.wrapper)} gets no nodes: ${message}`,
          hint,
        }),
      ),
  );
}

/** Only if all types have the same number of CPUs: others may fill the rest. */
export function limitsNoMultiple({ explanations, knownTypes }: ExplainedCluster): Finding[] {
  if (knownTypes.typesUnknown === true) return [];
  // No class changes the CPUs of a type.
  const { catalogue } = knownTypes.filter;
  return explanations.flatMap(({ pool, verdict, remaining }) => {
    const limit = parseQuantity(String(pool.spec.limits?.["cpu"] ?? ""))?.nano;
    if (limit === undefined || verdict === "unsatisfiable") return [];
    const types = indexesOf(remaining.types);
    const size = types.length === 0 ? 0n : capacityOf(catalogue, "cpu", types[0]!);
    if (size <= 0n || limit <= size || limit % size === 0n) return [];
    if (types.some((type) => capacityOf(catalogue, "cpu", type) !== size)) return [];
    const [most, more] = [limit - (limit % size), limit - (limit % size) + size];
    const message = `${describeResource(pool.wrapper)}: every instance type that is left has ${amountText("cpu", size)}, so the pool ends at ${amountText("cpu", most)} of its limit of ${amountText("cpu", limit)}`;
    const hint = `write ${most / UNIT} or ${more / UNIT}`;
    return [findingAt("limits-no-multiple", pool.wrapper, ["spec", "limits", "cpu"], { message, hint })];
  });
}

const UNIT = 10n ** 9n;
