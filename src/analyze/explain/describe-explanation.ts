/** An explanation as plain data for reports. */
import {
  formatRequirement,
  operatorOf,
  type Requirement,
  sortedValues,
} from "../../karpenter/requirements/requirement.ts";
import type { PoolPlaces } from "../../karpenter/scheduling/pool-order.ts";
import { formatFieldPath } from "../../krm/field-path.ts";
import { type FileLine, fileLineOf } from "../../krm/location.ts";
import type { ResolvedPool } from "../../resolve/resolve-pool.ts";
import { type DescribedDemand, describeDemand } from "./describe-demand.ts";
import { type DescribedPrices, describePrices } from "./describe-prices.ts";
import { type MissedMinimum, minValuesMissed } from "./min-values-words.ts";
import type { UnderPolicy } from "./under-policy.ts";
import type { PoolExplanation, KeyOutcome, Verdict, Zones } from "./explanation.ts";

/** One pool of `anp explain -o json`, schemaVersion 1. */
export interface DescribedPool {
  readonly name: string;
  readonly hostedCluster: string | undefined;
  readonly verdict: Verdict;
  /** Whose Karpenter makes its nodes. */
  readonly provider: { readonly name: string; readonly title: string };
  readonly file: string;
  readonly line: number;
  /** That it was asked about, where a RenderConfig names one. */
  readonly catalogue?: { readonly source: string; readonly date: string };
  /** Null where no policy was read: then none is enforced. */
  readonly policy: { readonly file: string; readonly line: number } | null;
  readonly requirements: readonly DescribedKey[];
  readonly instanceTypes: { readonly total: number; readonly compatible: number; readonly names: readonly string[] };
  readonly eliminated: readonly (DescribedDemand & { readonly types: number; readonly only: number })[];
  readonly conflict: readonly DescribedDemand[];
  readonly otherConflicts: readonly (readonly DescribedDemand[])[];
  readonly minValuesMissed: readonly MissedMinimum[];
  /** Why no node comes, whatever instance types there are. */
  readonly noNodes: readonly string[];
  readonly zones: Zones;
  /** Null where nobody knows any. */
  readonly prices: DescribedPrices | null;
  /** With `--policy`: what would become of the pool if the policy's entries stood before its own. */
  readonly underPolicy?: DescribedUnderPolicy;
  /** What a RenderConfig bounds of how long nodes may stay; left out where nothing is. */
  readonly bounds?: readonly DescribedBound[];
  readonly taints: readonly string[];
  readonly nodeClass: string;
  readonly weight: number;
  /** Karpenter tries pools in this order: the first that takes a pod gets it. */
  readonly order: { readonly place: number; readonly of: number };
}

/** The place is the user's, where it is written. */
export interface DescribedBound extends FileLine {
  readonly field: string;
  /** Null where the wrapper leaves it to Karpenter. */
  readonly given: string | null;
  readonly value: string;
  /** Of a budget: the reasons that it is for as before, */
  readonly keeps?: readonly string[];
  /** and why Karpenter cannot read it. */
  readonly unreadable?: string;
  /** In the RenderConfig. */
  readonly by: FileLine;
}

interface DescribedUnderPolicy extends Pick<UnderPolicy, "verdict"> {
  /** How many instance types would be left. */
  readonly compatible: number;
  /** Label keys on which the pool admits more than the policy; empty for `within`. */
  readonly beyond: readonly {
    readonly key: string;
    readonly policy: readonly DescribedDemand[];
    /** Empty where the pool says nothing of the key. */
    readonly user: readonly DescribedDemand[];
  }[];
}

export interface DescribedKey {
  readonly key: string;
  readonly policy: readonly string[];
  readonly user: readonly string[];
  readonly effective: string;
  readonly set: DescribedSet;
  readonly outcome: KeyOutcome;
  /** Both sides with their places, in the order Karpenter gets them. */
  readonly entries: readonly DescribedDemand[];
}

interface DescribedSet {
  readonly operator: string;
  readonly values: readonly string[];
  /** A string where the number is too large for JSON's readers. */
  readonly gte: number | string | null;
  readonly lte: number | string | null;
  readonly minValues: number | null;
}

/**
 * Requirements are in Karpenter's print form, places are file and line.
 *
 * @param places of the hosted cluster's pools, as Karpenter tries them
 */
export function describeExplanation(explanation: PoolExplanation, { places, of }: PoolPlaces): DescribedPool {
  const { pool, verdict, instanceTypes, zones } = explanation;
  return {
    name: pool.name,
    hostedCluster: pool.hostedCluster,
    verdict,
    provider: { name: pool.provider.name, title: pool.provider.title },
    ...fileLineOf(pool.wrapper, ["metadata", "name"]),
    policy: pool.policy === undefined ? null : fileLineOf(pool.policy, []),
    requirements: explanation.requirements.map((key) => ({
      key: key.key,
      policy: key.policy.map(({ requirement }) => formatRequirement(requirement)),
      user: key.user.map(({ requirement }) => formatRequirement(requirement)),
      effective: formatRequirement(key.effective),
      set: describeSet(key.effective),
      outcome: key.outcome,
      entries: [...key.policy, ...key.user].map(describeDemand),
    })),
    instanceTypes: { total: instanceTypes.total, compatible: instanceTypes.names.length, names: instanceTypes.names },
    eliminated: explanation.eliminated.map(({ demand, types, only }) => ({ ...describeDemand(demand), types, only })),
    conflict: explanation.conflict.map(describeDemand),
    otherConflicts: explanation.otherConflicts().map((demands) => demands.map(describeDemand)),
    minValuesMissed: minValuesMissed(explanation),
    noNodes: explanation.noNodes.map(({ message }) => message),
    zones,
    prices: explanation.prices === undefined ? null : describePrices(explanation.prices),
    ...(pool.bounds.length === 0 ? {} : { bounds: describeBounds(pool) }),
    taints: (pool.spec.template.spec.taints ?? []).map(({ key, value, effect }) =>
      value === undefined || value === "" ? `${key}:${effect}` : `${key}=${value}:${effect}`,
    ),
    nodeClass: pool.nodeClassRef.name,
    weight: pool.spec.weight ?? 0,
    order: { place: places.get(pool.name) ?? 0, of },
  };
}

function describeBounds({ wrapper, bounds }: ResolvedPool): DescribedBound[] {
  return bounds.map(({ field, given = null, value, keeps, unreadable, by }) => ({
    field: formatFieldPath(field),
    given,
    value,
    ...(keeps === undefined ? {} : { keeps }),
    ...(unreadable === undefined ? {} : { unreadable }),
    ...fileLineOf(wrapper, field),
    by: fileLineOf(by.resource, by.path),
  }));
}

export function describeUnderPolicy({ verdict, beyond, explanation }: UnderPolicy): DescribedUnderPolicy {
  return {
    verdict,
    compatible: explanation.instanceTypes.names.length,
    beyond: beyond.map(({ key, policy, user }) => ({
      key,
      policy: policy.map(describeDemand),
      user: user.map(describeDemand),
    })),
  };
}

function describeSet(requirement: Requirement): DescribedSet {
  return {
    operator: operatorOf(requirement),
    values: [...sortedValues(requirement)],
    gte: jsonNumber(requirement.gte),
    lte: jsonNumber(requirement.lte),
    minValues: requirement.minValues ?? null,
  };
}

function jsonNumber(value: bigint | undefined): number | string | null {
  if (value === undefined) return null;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}
