/** `--fail-on-looser`: a policy may get tighter; any other change needs an approval. */
import type { SideCluster } from "../../analyze/diff/sides.ts";
import { isLooser, type PolicyChange } from "../../analyze/diff/policies/policy-changes.ts";
import { placeText } from "../../krm/places/location.ts";
import { looserWords } from "../../report/diff/policy-words.ts";
import { printable, shortened } from "../../report/terminal/printable.ts";
import type { Context } from "../cli/context.ts";
import { UsageError } from "../cli/exit-codes.ts";

/** Reports a sentence for each policy that needs an approval. */
export function reportLooser(policies: readonly PolicyChange[], context: Context): void {
  context.writeError(policies.filter(isLooser).map(sentenceOf).join(""));
}

/** A longer sentence is cut. */
const LONGEST = 2000;

function sentenceOf(change: PolicyChange): string {
  const place = change.place === undefined ? "" : `${printable(placeText(change.place))}: `;
  return `${place}error: ${printable(shortened(looserWords(change), LONGEST))} [--fail-on-looser]\n`;
}

/**
 * Output of anp contains no policy.
 *
 * @throws UsageError if there is no policy to compare
 */
export function refuseWithoutPolicies(clusters: readonly SideCluster[]): void {
  if (clusters.every(({ policySide }) => policySide !== undefined)) return;
  throw new UsageError("--fail-on-looser compares policies, and one side holds none: give the manifests themselves");
}
