/** Compares a plan with the outcome of a recorded round. */
import type { Outcome, PlannedClaim } from "../plan-worlds/ask-karpenter.ts";
import { differenceBetween } from "../plan-worlds/compare.ts";
import { hasTwins } from "./catalogue-of-round.ts";
import type { Round } from "./round.ts";

/** Undefined if they agree. */
export function differenceOf({ outcome, error, mostTypes, typesOf }: Round, ours: Outcome): string | undefined {
  if (outcome === null) return `Karpenter: ${error}`;
  // The record has prices by the name of a type.
  const isAmbiguous = Object.values(typesOf).some(hasTwins);
  const comparable = (claim: PlannedClaim): PlannedClaim => ({
    ...claim,
    instanceTypes: claim.instanceTypes.slice(0, mostTypes),
    price: isAmbiguous ? 0 : claim.price,
  });
  const of = (one: Outcome): Outcome => ({ ...one, nodeClaims: one.nodeClaims.map(comparable) });
  const [own, other] = [of(ours), of(outcome)];
  const difference = differenceBetween(own, [other], (pod) => pod);
  return typeof difference === "string" ? difference : unplacedDifference(own, other);
}

function unplacedDifference(ours: Outcome, theirs: Outcome): string | undefined {
  const missing = Object.keys(theirs.errors).filter((pod) => !(pod in ours.errors));
  return missing.length === 0 ? undefined : `anp says nothing of ${missing.join(", ")}`;
}
