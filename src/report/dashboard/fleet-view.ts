/** The data that the dashboard shows: clusters, the results of their last passes, and the log. */
import type { DescribedCatalogue, DescribedPool } from "../../analyze/explain/pool-answer.ts";
import type { JudgedPool } from "../../analyze/explain/judge-pool.ts";
import type { Finding } from "../../krm/findings/finding.ts";

export interface FleetView {
  /** Milliseconds since 1970, as are all times here. */
  readonly now: number;
  readonly clusters: readonly ClusterView[];
  /** Undefined without leader election. */
  readonly leader: boolean | undefined;
  /** Whether the watch is stopping: running passes end, and no other pass starts. */
  readonly stopping: boolean;
  /** Oldest first. */
  readonly log: readonly LogLine[];
  /** Read with the first pool that is opened. */
  readonly catalogue: () => DescribedCatalogue;
}

export interface LogLine {
  /** Undefined for a line that is about no single cluster. */
  readonly cluster: string | undefined;
  readonly level: "info" | "warn" | "error";
  readonly text: string;
}

type Phase = "starting" | "queued" | "running" | "waiting" | "backing-off" | "paused" | "standby";

export interface ClusterView {
  readonly name: string;
  /** The hosted control plane's namespace. */
  readonly hostedCluster: string;
  readonly phase: Phase;
  /** `running` until the pass ends. */
  readonly isPaused: boolean;
  /** When the last pass ended. */
  readonly pass: PassView | undefined;
  /** Why the last pass had no result. */
  readonly broken: string | undefined;
  readonly lastEnd: number | undefined;
  readonly lastSuccess: number | undefined;
  readonly nextRun: number | undefined;
  /** Fields corrected since the start. */
  readonly drift: number;
  /** Pools and classes deleted since the start. */
  readonly pruned: number;
}

export interface PassView {
  readonly result: "ok" | "held" | "failed";
  readonly mode: "Apply" | "Hold" | "Permissive";
  readonly ready: ReadyView;
  readonly objects: ObjectCounts;
  /** The verdict on each applied pool. */
  readonly verdicts: readonly Pick<JudgedPool, "pool" | "verdict">[];
  readonly findings: readonly Finding[];
  readonly dryRun: boolean;
  /** Computed when a cluster is opened, and kept. */
  readonly opened: () => OpenedCluster;
}

interface ReadyView {
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** Each object is counted once. */
export interface ObjectCounts {
  readonly inSync: number;
  readonly changed: number;
  readonly held: number;
  readonly foreign: number;
  readonly failed: number;
}

export interface Trouble {
  readonly about: string;
  readonly state: string;
  readonly why: string;
  readonly severity: "error" | "warning";
}

export interface OpenedCluster {
  /** Sorted by name. */
  readonly pools: readonly PoolView[];
  readonly nodeClasses: readonly NodeClassView[];
  /** Everything that is wrong in the cluster. */
  readonly troubles: readonly Trouble[];
}

interface AppliedObjectView {
  readonly name: string;
  readonly state: ObjectState;
  /** The last change that this process made. */
  readonly lastChange: { readonly words: string; readonly at: number } | undefined;
  /** The conditions of the live object; empty before Karpenter has set any. */
  readonly conditions: readonly ConditionView[];
}

export interface PoolView extends AppliedObjectView {
  /** The verdict of the pass; undefined for a pool that it did not apply. */
  readonly judged: JudgedPool | undefined;
  /** Undefined if the pool cannot be explained: its policy is held, or its wrapper cannot be rendered. */
  readonly explained: () => DescribedPool | undefined;
  /** How long nodes that no longer fit can stay; undefined if unknown. */
  readonly stay: () => { readonly until: "by" | "goes" | "never"; readonly why: string } | undefined;
  readonly nodeClass: string;
  /** `nodes` first, then the other resources with a limit: `3` of `10`. */
  readonly usage: readonly Usage[];
}

export interface NodeClassView extends AppliedObjectView {
  /** The pools that use this node class. */
  readonly pools: readonly string[];
  /** What Karpenter resolved for it: `subnets`, `subnet-1 (us-east-1a)`. */
  readonly found: readonly (readonly [name: string, values: readonly string[]])[];
}

export interface ObjectState {
  /** `in sync`, `updated`, `held`. */
  readonly words: string;
  /** Empty if there is no reason to show. */
  readonly why: string;
  readonly tone: "calm" | "changed" | "warning" | "error";
}

export interface ConditionView extends ReadyView {
  readonly type: string;
}

interface Usage {
  readonly resource: string;
  /** Undefined before Karpenter has counted. */
  readonly used: string | undefined;
  readonly limit: string | undefined;
}
