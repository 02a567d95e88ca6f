/** Compares a plan with the outcome of a recorded round. */
import type { Outcome, PlannedClaim } from "../plan-worlds/ask-karpenter.ts";
import { differenceBetween } from "../plan-worlds/compare.ts";
import type { Round } from "./round.ts";

/** Undefined if they agree. */
export function differenceOf({ outcome, error, mostTypes }: Round, ours: Outcome): string | undefined {
  if (outcome === null) return `Karpenter: ${error}`;
  const cut = (claim: PlannedClaim): PlannedClaim => ({
    ...claim,
    instanceTypes: claim.instanceTypes.slice(0, mostTypes),
  });
  const own = { ...ours, nodeClaims: ours.nodeClaims.map(cut) };
  const difference = differenceBetween(own, [outcome], (pod) => pod);
  return typeof difference === "string" ? difference : unplacedDifference(own, outcome);
}

function unplacedDifference(ours: Outcome, theirs: Outcome): string | undefined {
  const missing = Object.keys(theirs.errors).filter((pod) => !(pod in ours.errors));
  return missing.length === 0 ? undefined : `anp says nothing of ${missing.join(", ")}`;
}
