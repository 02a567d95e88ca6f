/** Renders the admission policy that enforces the bounds on node lifetime on every NodeClaim. */
import { KARPENTER_GROUP } from "../krm/known-kinds.ts";
import type { KubeObject } from "../model/kube-object.ts";
import { celString } from "./cel.ts";
import { type Bounds, PLAIN_TIME } from "./guard-bounds.ts";
import { type GuardMaking, guardName, type Validation, validating } from "./guard-objects.ts";

const RULES = [{ group: KARPENTER_GROUP, resources: ["nodeclaims"], operations: ["CREATE"], version: "v1" }];

/**
 * A NodeClaim copies both times of its pool and keeps them (docs/upstream/karpenter.md#how-long-nodes-stay). It would
 * exceed the bounds if its pool was not written since the bounds apply, or if another mutation changes it.
 */
export function guardClaimBounds(
  { maxExpireAfter, maxTerminationGracePeriod }: Bounds,
  { form, action }: GuardMaking,
): KubeObject[] {
  const validations = [
    ...timeWithin("expireAfter", maxExpireAfter, "maxExpireAfter"),
    ...timeWithin("terminationGracePeriod", maxTerminationGracePeriod, "maxTerminationGracePeriod"),
  ];
  if (validations.length === 0) return [];
  return validating(guardName("nodeclaim-bounds", form), action, { rules: RULES, validations });
}

/**
 * The API server sets Karpenter's default of expireAfter before admission. An absent terminationGracePeriod is
 * unbounded.
 */
function timeWithin(field: string, most: string | undefined, bound: string): Validation[] {
  if (most === undefined) return [];
  const value = `object.spec.?${field}.orValue('')`;
  return [
    {
      expression: `${value}.matches(${celString(PLAIN_TIME.source)}) && duration(${value}) <= duration('${most}')`,
      message: `the ${field} of a NodeClaim is ${most} at most (${bound}): its NodePool was not written since the bound acts, or another mutation changes what Karpenter asks for`,
    },
  ];
}
