/** What a line of a table says of a pool: of a thousand pools nobody reads more. */
import {
  formatRequirement,
  operatorOf,
  type Requirement,
  sortedValues,
} from "../../karpenter/requirements/requirement.ts";
import { type DescribedDemand, describeDemand } from "./describe-demand.ts";
import { type DescribedPrices, describeSpread } from "./describe-prices.ts";
import type { DescribedCatalogue } from "./explain.ts";
import type { KeyExplanation, PoolExplanation, Verdict, Zones } from "./explanation.ts";
import { type MissedMinimum, minValuesMissed } from "./min-values-words.ts";
import type { UnderPolicy } from "./under-policy.ts";

/** The fields of `anp explain -o json` that tables have. */
export interface PoolSummary {
  readonly name: string;
  readonly hostedCluster: string | undefined;
  readonly verdict: Verdict;
  /** That it was asked about, where a RenderConfig names one. */
  readonly catalogue?: DescribedCatalogue;
  readonly requirements: readonly KeySummary[];
  readonly instanceTypes: { readonly total: number; readonly compatible: number; readonly names: readonly string[] };
  readonly conflict: readonly DescribedDemand[];
  readonly minValuesMissed: readonly MissedMinimum[];
  /** Why no node comes, whatever instance types there are. */
  readonly noNodes: readonly string[];
  readonly zones: Zones;
  /** Null where nobody knows any. */
  readonly prices: Pick<DescribedPrices, "currency" | "perHour"> | null;
  /** With `--policy`: what would become of the pool if the policy's entries stood before its own. */
  readonly underPolicy?: DescribedUnderPolicy;
}

export interface KeySummary {
  readonly key: string;
  readonly effective: string;
  readonly set: DescribedSet;
}

interface DescribedSet {
  readonly operator: string;
  readonly values: readonly string[];
  /** A string where the number is too large for JSON's readers. */
  readonly gte: number | string | null;
  readonly lte: number | string | null;
  readonly minValues: number | null;
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

/** Requirements are in Karpenter's print form. */
export function summarizePool(explanation: PoolExplanation): PoolSummary {
  const { pool, verdict, instanceTypes, zones, prices } = explanation;
  return {
    name: pool.name,
    hostedCluster: pool.hostedCluster,
    verdict,
    requirements: explanation.requirements.map(summarizeKey),
    instanceTypes: { total: instanceTypes.total, compatible: instanceTypes.names.length, names: instanceTypes.names },
    conflict: explanation.conflict.map(describeDemand),
    minValuesMissed: minValuesMissed(explanation),
    noNodes: explanation.noNodes.map(({ message }) => message),
    zones,
    prices:
      prices === undefined
        ? null
        : { currency: prices.origin.currency, perHour: describeSpread(prices.perHour, "perHour") },
  };
}

function summarizeKey({ key, effective }: KeyExplanation): KeySummary {
  return { key, effective: formatRequirement(effective), set: describeSet(effective) };
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
