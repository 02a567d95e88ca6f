/** What the dashboard shows at a moment: clusters, what their last passes came to, and the log. */
import type { DescribedPool } from "../../analyze/explain/describe-explanation.ts";
import type { DescribedCatalogue } from "../../analyze/explain/explain.ts";
import type { JudgedPool } from "../../analyze/explain/judge-pool.ts";
import type { Finding } from "../../krm/finding.ts";

export interface FleetView {
  /** Milliseconds since 1970, as all times here. */
  readonly now: number;
  readonly clusters: readonly ClusterView[];
  /** Undefined where no leader is elected. */
  readonly leader: boolean | undefined;
  /** The end was asked for: passes that run are finished, and no other one starts. */
  readonly stopping: boolean;
  /** Oldest first. */
  readonly log: readonly LogLine[];
  /** A watch that runs somewhere else is only looked at; undefined where it is this program's own. */
  readonly observed?: ObservedView | undefined;
  /** Asked for with the first pool that is read. */
  readonly catalogue: () => DescribedCatalogue;
}

interface ObservedView {
  /** `3 replicas`; empty where nobody can tell. */
  readonly replicas: string;
  /** All of it has been asked for once. */
  readonly isAsked: boolean;
  /** What cannot be read. */
  readonly problems: readonly string[];
}

export interface LogLine {
  /** Undefined where a line is of no single cluster. */
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
  /** A pass that runs is still `running` until it ends. */
  readonly isPaused: boolean;
  /** Of the last pass that came to an end. */
  readonly pass: PassView | undefined;
  /** Of a cluster that a watch keeps somewhere else. */
  readonly elsewhere?: Elsewhere | undefined;
  /** Why the last pass had no result at all. */
  readonly broken: string | undefined;
  readonly lastEnd: number | undefined;
  readonly lastSuccess: number | undefined;
  readonly nextRun: number | undefined;
  /** Fields set right since the start. */
  readonly drift: number;
  /** Pools and classes deleted since the start. */
  readonly pruned: number;
}

interface Elsewhere {
  /** `kept by …`, or why nobody works on it. */
  readonly keeper: string;
  /** Where there is little room. */
  readonly shortKeeper: string;
  /** False where nobody works on it; undefined where nobody can tell. */
  readonly works: boolean | undefined;
  /** Beside what Ready says. */
  readonly notes: readonly string[];
  /** Why the guest cluster is not read; undefined where it is. */
  readonly unread: string | undefined;
}

export interface PassView {
  /** `untried`, and undefined where nobody can tell, only of a watch that is observed. */
  readonly result: "ok" | "held" | "failed" | "untried" | undefined;
  /** Undefined where nobody can tell. */
  readonly mode: "Apply" | "Hold" | "Permissive" | undefined;
  readonly ready: ReadyView;
  /** Undefined where the guest cluster was not read. */
  readonly objects: ObjectCounts | undefined;
  /** Of each pool that is applied. */
  readonly verdicts: readonly Pick<JudgedPool, "pool" | "verdict">[];
  readonly findings: readonly Finding[];
  readonly dryRun: boolean;
  /** Found out when a cluster is opened, and kept. */
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
  /** By name. */
  readonly pools: readonly PoolView[];
  readonly nodeClasses: readonly NodeClassView[];
  /** What keeps anything from being as it should be: a name, what is with it, and why. */
  readonly troubles: readonly Trouble[];
}

interface AppliedObjectView {
  readonly name: string;
  readonly state: ObjectState;
  /** The last change that anp made, as far as this program has seen it. */
  readonly lastChange: { readonly words: string; readonly at: number } | undefined;
  /** The live object's conditions; empty where Karpenter has said nothing yet. */
  readonly conditions: readonly ConditionView[];
}

export interface PoolView extends AppliedObjectView {
  /** By the pass; undefined for what it did not apply. */
  readonly judged: JudgedPool | undefined;
  /** Undefined where nobody can tell: the policy is held, or the wrapper cannot be rendered. */
  readonly explained: () => DescribedPool | undefined;
  /** Why it cannot be explained, where it is not that it cannot be rendered. */
  readonly unexplained?: string | undefined;
  /** What becomes of nodes that no longer fit; undefined where nobody can tell. */
  readonly stay: () => { readonly until: "by" | "goes" | "never"; readonly why: string } | undefined;
  readonly nodeClass: string;
  /** `nodes` first, then the other resources that have a limit: `3` of `10`. */
  readonly usage: readonly Usage[];
}

export interface NodeClassView extends AppliedObjectView {
  /** The pools that start their nodes from it. */
  readonly pools: readonly string[];
  /** What Karpenter found for it: `subnets`, `subnet-1 (us-east-1a)`. */
  readonly found: readonly (readonly [name: string, values: readonly string[]])[];
}

export interface ObjectState {
  /** `in sync`, `updated`, `held`. */
  readonly words: string;
  /** Empty where there is nothing to say. */
  readonly why: string;
  readonly tone: "calm" | "changed" | "warning" | "error";
}

export interface ConditionView extends ReadyView {
  readonly type: string;
}

interface Usage {
  readonly resource: string;
  /** Undefined where Karpenter has not counted yet. */
  readonly used: string | undefined;
  readonly limit: string | undefined;
}
