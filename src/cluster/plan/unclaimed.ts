/** Steps for objects with our marks that are not ours, as the inventory does not know them. */
import { describeResource } from "../../krm/resource.ts";
import type { LiveObject } from "../api/live-object.ts";
import { claimOf } from "../inventory/claim.ts";
import { isAdopted } from "./adoption.ts";
import { carriesOurSet, isManagedByOperator } from "../objects/membership.ts";
import { nothing, type PlanInput, type Step } from "./step.ts";
import { idOf } from "../../model/kube-object.ts";

/**
 * One step for each that has no wrapper. Once somebody has named it to be adopted it is ours, and goes as all do that
 * have lost their wrapper: in the next pass, under the same guards.
 */
export function planUnclaimed(input: PlanInput, planned: ReadonlySet<string>, adopt: ReadonlySet<string>): Step[] {
  if (!input.wrappersKnown) return [];
  return input.live
    .filter((live) => !planned.has(idOf(live)) && isUnclaimed(live, input))
    .map((live): Step => {
      const { kind, metadata } = live;
      const { name } = metadata;
      const takesIn = isAdopted(live, adopt);
      const reason = takesIn
        ? `${describeResource({ kind, name })} is taken into the inventory`
        : `${describeResource({ kind, name })} carries anp's marks, has no wrapper, and is not in the inventory: it is neither changed nor deleted; --adopt ${kind}/${name} takes it in`;
      return { ...nothing(kind, name), action: "unclaimed", live, takesIn, reason };
    });
}

function isUnclaimed(live: LiveObject, input: PlanInput): boolean {
  if (!carriesOurSet(live, input.setId) || live.metadata.deletionTimestamp !== undefined) return false;
  if (isManagedByOperator(live)) return false;
  return claimOf(live, input) === "foreign";
}
