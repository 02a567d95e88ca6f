/** Checks whether Karpenter can generate a value for a label without a panic. */
import { MAX_INT64 } from "../../model/values/int64.ts";
import type { Requirement } from "./requirement.ts";

/**
 * Karpenter generates a value for a custom label if no entry lists values
 * (docs/upstream/karpenter.md#generated-values). It takes a random number of the range [gte or 0, lte + 1 or the
 * largest integer), and panics if that range is empty in int64: `Lt 0`, `Gte` or `Lte` the largest integer. The
 * process exits, for all pools, and again after each restart (seen with 1.14.1, unchanged in 1.15;
 * test/suites/karpenter/lethal.test.ts).
 *
 * @param requirement of a custom label
 */
export function canGenerateValue({ complement, gte, lte }: Requirement): boolean {
  if (!complement) return true;
  const end = lte === undefined ? MAX_INT64 : BigInt.asIntN(64, lte + 1n);
  return BigInt.asIntN(64, end - (gte ?? 0n)) > 0n;
}
