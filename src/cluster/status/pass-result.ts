/** The result of a pass, as plain data for logs, metrics, the dashboard and the exit code. */
import type { JudgedPool } from "../../analyze/explain/judge-pool.ts";
import type { CatalogueFor, PricesFor } from "../../analyze/explain/explain.ts";
import type { Finding } from "../../krm/findings/finding.ts";
import type { NodeLimitsResult } from "../limits/node-limits.ts";
import type { PolicyMode } from "../objects/policy-mode.ts";
import type { ReadProblem } from "../objects/read-problem.ts";
import type { Counts, Outcome, PassResult } from "./outcomes.ts";
import type { PassDetails } from "./pass-details.ts";
import type { Ready } from "./ready-condition.ts";

export interface ReconcileResult {
  readonly cluster: string;
  readonly result: PassResult;
  readonly mode: PolicyMode;
  readonly ready: Ready;
  /** Those of steps are in the order of execution. */
  readonly outcomes: readonly Outcome[];
  readonly counts: Counts;
  readonly findings: readonly Finding[];
  readonly problems: readonly ReadProblem[];
  /** The state of pools with a Hard limit on nodes. */
  readonly nodeLimits: NodeLimitsResult;
  /** For each applied pool. */
  readonly verdicts: readonly JudgedPool[];
  /** How many NodePools the policy does not reach; undefined if none is in force. */
  readonly outside: number | undefined;
  readonly dryRun: boolean;
  /** Details of single pools and classes, computed on demand for the dashboard. */
  readonly details: (catalogue: CatalogueFor, pricesFor?: PricesFor) => PassDetails;
}
