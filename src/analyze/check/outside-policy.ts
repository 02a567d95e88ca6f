/** Raw pools that admit what a policy does not. */
import { formatRequirement } from "../../karpenter/requirements/requirement.ts";
import { type Finding, findingAt } from "../../krm/finding.ts";
import { locationOf } from "../../krm/location.ts";
import { describeResource } from "../../krm/resource.ts";
import type { Demand } from "../../resolve/demands.ts";
import type { EffectivePolicy } from "../../resolve/policy.ts";
import type { ExplainedCluster } from "../explain/explain.ts";
import { type BeyondPolicy, underPolicy, type UnderPolicy } from "../explain/under-policy.ts";

/** One for each label key on which a pool admits more. */
export function outsidePolicy({ pools, market }: ExplainedCluster, policy: EffectivePolicy): Finding[] {
  return pools.flatMap((pool) => {
    const { verdict, beyond } = underPolicy(pool, policy, market);
    return beyond.map((one) => {
      const at = one.user.at(-1)?.place ?? {
        resource: pool.wrapper,
        path: ["spec", "template", "spec", "requirements"],
      };
      const message = `${describeResource(pool.wrapper)} ${admits(one)} what the policy's ${entriesText(one.policy)} does not; ${FATE[verdict]}`;
      const hint = `write the policy's entry for ${one.key}, or ask for less of what it admits`;
      return findingAt("outside-policy", at.resource, at.path, { message, hint });
    });
  });
}

function admits({ key, user }: BeyondPolicy): string {
  return user.length === 0 ? `says nothing of ${key}, and so admits` : `admits by ${entriesText(user)} on ${key}`;
}

function entriesText(demands: readonly Demand[]): string {
  const texts = demands.map(
    ({ requirement, place }) => `\`${formatRequirement(requirement)}\` (${locationOf(place.resource, place.path)})`,
  );
  return texts.join(" and ");
}

const FATE: Readonly<Record<UnderPolicy["verdict"], string>> = {
  within: "",
  narrowed: "under the policy a part of it would be left",
  unsatisfiable: "under the policy it would get no nodes",
  bypassed: "under the policy it would still get nodes that the policy does not admit",
};
