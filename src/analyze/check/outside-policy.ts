/** Reports raw pools that admit more than a policy. */
import { formatRequirement } from "../../karpenter/requirements/requirement.ts";
import { type Finding, findingAt, type Words } from "../../krm/findings/finding.ts";
import { locationOf } from "../../krm/places/location.ts";
import { describeResource, type Resource } from "../../krm/places/resource.ts";
import { type PoolRequirement, requirementsPath } from "../../resolve/pool-requirements.ts";
import type { EffectivePolicy } from "../../resolve/policy.ts";
import type { ExplainedCluster } from "../explain/explain.ts";
import { type BeyondPolicy, underPolicy, type UnderPolicy } from "../explain/under-policy.ts";

/** One finding for each label key on which a pool admits more. */
export function outsidePolicy({ pools, knownTypes }: ExplainedCluster, policy: EffectivePolicy): Finding[] {
  return pools.flatMap((pool) => {
    const { verdict, beyond } = underPolicy(pool, policy, knownTypes);
    return beyond.map((one) =>
      outside(pool.wrapper, one, {
        message: CONSEQUENCES[verdict],
        hint: `add the policy's entry for ${one.key}, or ask for less`,
      }),
    );
  });
}

/** @param rest the consequence and the hint */
export function outside(resource: Resource, one: BeyondPolicy, { message: rest, hint }: Words): Finding {
  const at = one.user.at(-1)?.place ?? { resource, path: requirementsPath(resource) };
  const message = `${describeResource(resource)} ${admits(one)} what the policy's ${entriesText(one.policy)} does not; ${rest}`;
  return findingAt("outside-policy", at.resource, at.path, { message, hint });
}

function admits({ key, user }: BeyondPolicy): string {
  return user.length === 0 ? `has no requirement on ${key}, and so admits` : `admits by ${entriesText(user)} on ${key}`;
}

function entriesText(demands: readonly PoolRequirement[]): string {
  const texts = demands.map(
    ({ requirement, place }) => `\`${formatRequirement(requirement)}\` (${locationOf(place.resource, place.path)})`,
  );
  return texts.join(" and ");
}

const CONSEQUENCES: Readonly<Record<UnderPolicy["verdict"], string>> = {
  within: "",
  narrowed: "the policy would narrow the pool",
  unsatisfiable: "under the policy the pool would get no nodes",
  bypassed: "under the policy the pool would still get nodes that the policy does not admit",
};
