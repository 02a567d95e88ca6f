/** What came of a pass, as plain data that logs, metrics, dashboard and exit code are made from. */
import type { JudgedPool } from "../../analyze/explain/judge-pool.ts";
import type { CatalogueFor } from "../../analyze/explain/explain.ts";
import type { Finding } from "../../krm/finding.ts";
import type { StepResult } from "../apply/execute.ts";
import type { CrdState } from "../crds/install-crds.ts";
import type { NodeLimitsResult } from "../limits/node-limits.ts";
import type { PolicyMode } from "../objects/policy-life.ts";
import type { ReadProblem } from "../objects/read-problem.ts";
import type { PricesFor } from "../../analyze/explain/explain.ts";
import type { Inspection } from "./inspection.ts";
import type { Ready } from "./ready-condition.ts";

/**
 * - `ok`: everything is as it should be
 * - `held`: something is not applied or not pruned, on purpose
 * - `failed`: a cluster did not do what it was asked
 */
export type PassResult = "ok" | "held" | "failed";

export interface ReconcileResult {
  readonly cluster: string;
  readonly hostedCluster: string;
  readonly result: PassResult;
  readonly mode: PolicyMode;
  readonly ready: Ready;
  /** What was done to each object, in the order of doing. */
  readonly results: readonly StepResult[];
  readonly refused: string | undefined;
  readonly findings: readonly Finding[];
  readonly problems: readonly ReadProblem[];
  /** What went wrong beside the objects, in words: status and events. */
  readonly notes: readonly string[];
  readonly counts: Counts;
  /** What came of each CustomResourceDefinition; none where the watch does not install them. */
  readonly crds: readonly CrdState[];
  /** How pools with a Hard limit on nodes stand. */
  readonly nodeLimits: NodeLimitsResult;
  /** On each pool that is applied. */
  readonly verdicts: readonly JudgedPool[];
  readonly dryRun: boolean;
  /** What there is to know of single pools and classes, for whoever opens the cluster. */
  readonly inspect: (catalogue: CatalogueFor, pricesFor?: PricesFor) => Inspection;
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
  /** Fields that others had changed and that were set right. */
  readonly drift: number;
}
