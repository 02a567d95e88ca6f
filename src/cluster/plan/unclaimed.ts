/** Plans objects that have anp's marks, but are not in the inventory. */
import { describeResource } from "../../krm/resource.ts";
import type { LiveObject } from "../api/live-object.ts";
import { ownershipOf } from "../inventory/ownership.ts";
import { isAdopted } from "./adoption.ts";
import { carriesOurSet, isManagedByOperator } from "../objects/membership.ts";
import { nothing, type PlanInput, type Step } from "./step.ts";
import { idOf } from "../../model/kube-object.ts";

/**
 * One step for each such object without a wrapper. If the user adopts it, it is an orphan like others: the next pass
 * prunes it, with the same safeguards.
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
        ? `${describeResource({ kind, name })} is added to the inventory`
        : `${describeResource({ kind, name })} has anp's marks and no wrapper, and is not in the inventory: it is neither changed nor deleted; --adopt ${kind}/${name} adds it`;
      return { ...nothing(kind, name), action: "unclaimed", live, takesIn, reason };
    });
}

function isUnclaimed(live: LiveObject, input: PlanInput): boolean {
  if (!carriesOurSet(live, input.setId)) return false;
  if (isManagedByOperator(live)) return false;
  return ownershipOf(live, input) === "foreign";
}
