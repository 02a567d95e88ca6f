/** The summary of a pool for one line of a table. */
import type { DescribedSet, DescribedUnderPolicy, KeySummary, PoolSummary } from "./pool-answer.ts";
import {
  formatRequirement,
  operatorOf,
  type Requirement,
  sortedValues,
} from "../../karpenter/requirements/requirement.ts";
import { describeDemand } from "./describe-demand.ts";
import { describeSpread } from "./describe-prices.ts";
import type { KeyExplanation, PoolExplanation } from "./explanation.ts";
import { minValuesMissed } from "./min-values-words.ts";
import type { UnderPolicy } from "./under-policy.ts";

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
