/** Reports pools, and NodeClaims made by hand, that admit more than a policy. */
import { isSubset } from "../../karpenter/requirements/is-subset.ts";
import { labelPresence } from "../../karpenter/requirements/label-presence.ts";
import { formatRequirement, requirementOf } from "../../karpenter/requirements/requirement.ts";
import { mergedByKey } from "../../karpenter/requirements/requirements.ts";
import { type Finding, findingAt, type Words } from "../../krm/findings/finding.ts";
import { KARPENTER_GROUP } from "../../krm/findings/known-kinds.ts";
import { valueAt } from "../../krm/places/field-path.ts";
import { locationOf } from "../../krm/places/location.ts";
import { describeResource, groupOf, type Resource } from "../../krm/places/resource.ts";
import { isFields } from "../../krm/values/fields.ts";
import { type AppliedBound, boundPool } from "../../resolve/bound-pool.ts";
import { claimAsPool } from "../../resolve/claim-as-pool.ts";
import type { EffectivePolicy } from "../../resolve/policy.ts";
import { type PoolRequirement, requirementsPath } from "../../resolve/pool-requirements.ts";
import { poolAsWritten, type ResolvedPool } from "../../resolve/resolve-pool.ts";
import { rawBundle, rawInputs } from "../../resolve/resolve-raw.ts";
import type { Settings } from "../../resolve/settings.ts";
import { type CatalogueFor, explainClusters, type ExplainedCluster } from "../explain/explain.ts";
import type { InstanceTypes } from "../explain/remaining-types.ts";
import { type BeyondPolicy, underPolicy, type UnderPolicy } from "../explain/under-policy.ts";
import { underGuard } from "./under-guard.ts";

interface Standards {
  readonly policy: EffectivePolicy;
  /** The settings with the bounds of a guard. */
  readonly guarding: Settings | undefined;
  readonly catalogue: CatalogueFor;
}

/**
 * A file cannot prove that Karpenter made a NodeClaim. One that looks so is compared with the policy. Any other one
 * counts as made by hand, without a pool.
 */
export function outsideClaims(claims: readonly Resource[], { policy, guarding, catalogue }: Standards): Finding[] {
  const instanceTypesOf = knownTypesOf(catalogue);
  return claims.flatMap((claim) => {
    const pool = looksStored(claim) ? claimAsPool(claim) : undefined;
    if (pool === undefined) return [byHand(claim)];
    return [...beyondPolicy(pool, policy, instanceTypesOf), ...beyondBounds(pool, guarding)];
  });
}

/**
 * Whether it looks like one of a cluster's dump, with the label and the owner of a NodePool
 * (docs/upstream/karpenter.md#nodeclaims).
 */
function looksStored({ value }: Resource): boolean {
  const uid = valueAt(value, ["metadata", "uid"]);
  const pool = valueAt(value, ["metadata", "labels", "karpenter.sh/nodepool"]);
  const owners = valueAt(value, ["metadata", "ownerReferences"]);
  if (typeof uid !== "string" || uid === "" || typeof pool !== "string" || !Array.isArray(owners)) return false;
  return owners.some(
    (owner: unknown) =>
      isFields(owner) &&
      owner["kind"] === "NodePool" &&
      owner["name"] === pool &&
      typeof owner["apiVersion"] === "string" &&
      groupOf(owner["apiVersion"]) === KARPENTER_GROUP,
  );
}

function byHand(claim: Resource): Finding {
  const message = `${describeResource(claim)} does not look like one that Karpenter made; only Karpenter may make NodeClaims, and a guard refuses others`;
  const hint =
    "remove it, and ask for nodes with a NodePool; in a dump of a cluster keep uid, labels and ownerReferences";
  return findingAt("node-claim-by-hand", claim, ["kind"], { message, hint });
}

/** Most NodeClaims admit no more than the policy on each key, so instance types are needed only for the others. */
function beyondPolicy(pool: ResolvedPool, policy: EffectivePolicy, instanceTypesOf: InstanceTypesOf): Finding[] {
  const own = mergedByKey(pool.asked.map(({ requirement }) => requirement));
  const asked = [...mergedByKey(policy.requirements.map(requirementOf)).values()];
  const { labels } = pool.provider;
  if (asked.every((one) => isSubset(own.get(one.key), one, labelPresence(one.key, labels)))) return [];
  return underPolicy(pool, policy, instanceTypesOf(pool)).beyond.map((one) =>
    outside(pool.wrapper, one, {
      message:
        "Karpenter made it before its NodePool had the policy's requirements, or its requirements were changed since",
      hint: "Karpenter replaces its node as drifted once the NodePool complies with the policy",
    }),
  );
}

/** A pool may leave a field to Karpenter, but a NodeClaim has a value then. */
function beyondBounds({ wrapper, spec }: ResolvedPool, guarding: Settings | undefined): Finding[] {
  if (guarding === undefined) return [];
  const bounds = boundPool(wrapper, spec, guarding).bounds.filter(({ field }) => !field.includes("budgets"));
  return bounds.map((bound) => {
    const hint = "Karpenter replaces its node as drifted once the NodePool complies with the bound";
    const message = beyondBound(wrapper, bound);
    return findingAt("outside-bounds", wrapper, ["spec", String(bound.field.at(-1))], { message, hint });
  });
}

function beyondBound(resource: Resource, { field, given, value, by }: AppliedBound): string {
  const isBudget = field.includes("budgets");
  const name = isBudget ? "budget" : String(field.at(-1));
  const has = given === undefined ? `no ${name}` : isBudget ? `a budget of ${given}` : `${name} ${given}`;
  const bound = `${isBudget ? "below the floor" : "beyond the bound"} of ${value}`;
  return `${describeResource(resource)} has ${has}, ${bound} (${locationOf(by.resource, by.path)})`;
}

type InstanceTypesOf = (pool: ResolvedPool) => InstanceTypes;

/** Memoized by provider. */
function knownTypesOf(catalogue: CatalogueFor): InstanceTypesOf {
  const known = new Map<string, InstanceTypes>();
  return ({ provider }) => {
    const found = known.get(provider.name) ?? instanceTypesOfProvider(provider, catalogue);
    known.set(provider.name, found);
    return found;
  };
}

function instanceTypesOfProvider(provider: ResolvedPool["provider"], catalogue: CatalogueFor): InstanceTypes {
  const inputs = rawInputs();
  const bundle = rawBundle({ nodePools: [], nodeClasses: [] });
  const empty = { bundle, gateOff: false, nodeClasses: [], nodePools: [], pools: [], findings: [] };
  const cluster = { ...empty, mode: "raw" as const, provider, settings: inputs.settings, inputs };
  return explainClusters([cluster], catalogue)[0]!.knownTypes;
}

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

/**
 * What only rendering or a guard would change in the NodePools that users write, unless a setting says which of the two
 * enforces the policy. Rendering has reported the pools that it refuses.
 */
export function unenforced({ pools, knownTypes, inputs }: ExplainedCluster): Finding[] {
  const { policy, settings } = inputs;
  const ofUsers = settings.inferred ? [] : pools.filter(({ mode }) => mode === "shipped");
  if (settings.enforcedBy === "Admission") {
    const onPools = underGuard({ pools: ofUsers.map(poolAsWritten), bundle: NO_CLASSES, inputs }, policy);
    // Resolving has reported the same defaults.
    return onPools.filter(({ code }) => code !== "default-bounded");
  }
  if (settings.enforcedBy === "Render") return [];
  return ofUsers.flatMap((pool) => {
    const { verdict, beyond } = underPolicy(poolAsWritten(pool), policy, knownTypes);
    if (verdict === "bypassed" && pool.onBypass === "Fail") return [];
    return [
      ...beyond.map((one) =>
        outside(pool.wrapper, one, { message: `${CONSEQUENCES[verdict]}, ${UNENFORCED}`, hint: ENFORCE }),
      ),
      ...pool.bounds.map((bound) => {
        const message = `${beyondBound(pool.wrapper, bound)}, ${UNENFORCED}`;
        return findingAt("outside-bounds", pool.wrapper, bound.field, { message, hint: ENFORCE });
      }),
    ];
  });
}

const NO_CLASSES = rawBundle({ nodePools: [], nodeClasses: [] });

const UNENFORCED = "but only rendering or a guard would change it, and enforcedBy is not set";

const ENFORCE =
  "apply the output of anp render and set enforcedBy: Render; or install the output of anp guard and set enforcedBy: Admission; or change the pool";

/** @param rest the consequence and the hint */
function outside(resource: Resource, one: BeyondPolicy, { message: rest, hint }: Words): Finding {
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
