/** Rule: pools whose limits allow none of the instance types that their entries leave. */
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { describeResource } from "../../../krm/places/resource.ts";
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
