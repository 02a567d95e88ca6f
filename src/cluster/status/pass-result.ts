/** The result of a pass, as plain data for logs, metrics, the dashboard and the exit code. */
import type { JudgedPool } from "../../analyze/explain/judge-pool.ts";
import type { CatalogueFor } from "../../analyze/explain/explain.ts";
import type { Finding } from "../../krm/finding.ts";
import type { StepResult } from "../apply/execute.ts";
import type { CrdState } from "../crds/install-crds.ts";
import type { NodeLimitsResult } from "../limits/node-limits.ts";
import type { PolicyMode } from "../objects/policy-mode.ts";
import type { ReadProblem } from "../objects/read-problem.ts";
import type { PricesFor } from "../../analyze/explain/explain.ts";
import type { PassDetails } from "./pass-details.ts";
import type { Ready } from "./ready-condition.ts";

/**
 * - `ok`: everything is applied
 * - `held`: something is not applied or not pruned on purpose
 * - `failed`: a request to a cluster failed
 */
export type PassResult = "ok" | "held" | "failed";

export interface ReconcileResult {
  readonly cluster: string;
  readonly hostedCluster: string;
  readonly result: PassResult;
  readonly mode: PolicyMode;
  readonly ready: Ready;
  /** The result of each step, in the order of execution. */
  readonly results: readonly StepResult[];
  readonly refused: string | undefined;
  readonly findings: readonly Finding[];
  readonly problems: readonly ReadProblem[];
  /** Descriptions of malformed objects of the guest cluster that are not in `results`. */
  readonly unusable: readonly string[];
  /** The warning on a damaged inventory. */
  readonly repaired: string | undefined;
  /** Status and events that could not be written. */
  readonly notes: readonly string[];
  readonly counts: Counts;
  /** The result for each CustomResourceDefinition; empty if the watch does not install them. */
  readonly crds: readonly CrdState[];
  /** The state of pools with a Hard limit on nodes. */
  readonly nodeLimits: NodeLimitsResult;
  /** For each applied pool. */
  readonly verdicts: readonly JudgedPool[];
  readonly dryRun: boolean;
  /** Details of single pools and classes, computed on demand for the dashboard. */
  readonly details: (catalogue: CatalogueFor, pricesFor?: PricesFor) => PassDetails;
}

export interface Counts {
  readonly created: number;
  readonly updated: number;
  readonly inSync: number;
  readonly pruned: number;
  readonly kept: number;
  readonly held: number;
  readonly foreign: number;
  readonly failed: number;
  /** Fields that other writers had changed and that were corrected. */
  readonly drift: number;
}
