/** Makes a plan that deletes again until two in a row delete the same. */
import { describeResource } from "../../krm/resource.ts";
import { waitUntilStable, type StableOptions } from "../waiting/wait-until-stable.ts";
import type { Step } from "../plan/step.ts";

/** After so many plans that differ in what they delete, this pass deletes nothing and does the rest. */
const PATIENCE = 5;

/**
 * A mass deletion comes one wrapper after another. What a plan sees at its beginning may be fewer than `--max-prune`
 * allows, and would be gone before the limit could show that it was not intended.
 *
 * @param make reads everything anew; throws what it throws
 */
export async function stablePlan<P extends { readonly steps: readonly Step[] }>(
  make: () => Promise<P>,
  settling: Pick<StableOptions<P>, "pauseMs" | "signal" | "rest">,
): Promise<P> {
  const { value, isSettled } = await waitUntilStable(make, {
    ...settling,
    printOf: goes,
    known: "",
    patience: PATIENCE,
  });
  // Once the run ends nothing is begun any more.
  if (isSettled || settling.signal.aborted) return value;
  return { ...value, steps: value.steps.map(kept) };
}

function goes({ steps }: { readonly steps: readonly Step[] }): string {
  const pruned = steps.filter(({ action }) => action === "prune");
  return pruned.map(({ kind, name }) => `${kind}/${name}`).join(" ");
}

function kept(step: Step): Step {
  if (step.action !== "prune") return step;
  const reason = `${describeResource(step)} stays: wrappers come and go, so that it is not clear yet which are meant to go`;
  return { ...step, action: "keep", reason };
}
