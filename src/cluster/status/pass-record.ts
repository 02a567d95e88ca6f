/** What a pass keeps for the details of single pools and classes. */
import type { JudgedPool } from "../../analyze/explain/judge-pool.ts";
import type { Bundle } from "../../model/bundle.ts";
import type { ReadableCluster } from "../plan/render-cluster.ts";
import type { LiveObject } from "../api/live-object.ts";
import type { Executed } from "../apply/execute.ts";
import type { CrdState } from "../crds/install-crds.ts";
import type { NodeLimitsResult } from "../limits/node-limits.ts";
import type { ReadProblem } from "../objects/read-problem.ts";

export interface PassRecord {
  readonly bundle: Bundle | undefined;
  /** Undefined if nothing can be rendered. */
  readonly resolved: ReadableCluster | undefined;
  /** As the pass read them; objects that it wrote are in the results. */
  readonly live: readonly LiveObject[];
  readonly executed: Executed;
  readonly verdicts: readonly JudgedPool[];
  readonly problems: readonly ReadProblem[];
  readonly notes: readonly string[];
  readonly crds: readonly CrdState[];
  readonly nodeLimits: NodeLimitsResult;
  readonly dryRun: boolean;
}
