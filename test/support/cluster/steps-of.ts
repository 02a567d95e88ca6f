/** The steps of a pass and their outcomes. */
import type { StepResult } from "../../../src/cluster/apply/execute.ts";
import { type Outcome, outcomesOf } from "../../../src/cluster/status/outcomes.ts";
import type { ReconcileResult } from "../../../src/cluster/status/pass-result.ts";

/** In the order of execution. */
export function stepsOf({ outcomes }: Pick<ReconcileResult, "outcomes">): readonly StepResult[] {
  return outcomes.flatMap(({ step }) => step ?? []);
}

/** Of a pass in which nothing else happened. */
export function outcomesOfSteps(results: readonly StepResult[], dryRun = false): Outcome[] {
  return outcomesOf({
    executed: { results, refused: undefined },
    conflicts: [],
    verdicts: [],
    usersOutside: [],
    crds: [],
    nodeLimits: { pools: [], failures: [] },
    malformed: [],
    inventory: { state: "missing" },
    dryRun,
  });
}
