/** The details of each pool and node class after a pass. Explanations are computed on demand. */
import type { DescribedPool } from "../../analyze/explain/pool-answer.ts";
import type { RunningPool } from "../../analyze/check/running-nodes.ts";
import type { JudgedPool } from "../../analyze/explain/judge-pool.ts";
import type { CatalogueFor, PricesFor } from "../../analyze/explain/explain.ts";
import { valueAt } from "../../krm/field-path.ts";
import type { Resource } from "../../krm/resource.ts";
import { memoize } from "../../model/memoize.ts";
import type { LiveObject } from "../api/live-object.ts";
import type { StepResult } from "../apply/execute.ts";
import { wrapperExplainer } from "./explain-wrapper.ts";
import type { PassRecord } from "./pass-record.ts";
import { type ConditionFacts, conditionsOf, foundBy, limitsOf, type ResourceUsage, usageOf } from "./live-facts.ts";
import { type StepState, stepState } from "./step-state.ts";
import { type ProblemFacts, problemsOf } from "./problems.ts";

interface AppliedFacts {
  readonly name: string;
  readonly state: StepState;
  readonly conditions: readonly ConditionFacts[];
}

interface PoolFacts extends AppliedFacts {
  /** The verdict of the pass; undefined if it did not apply the pool. */
  readonly judged: JudgedPool | undefined;
  /** Undefined if the policy is held or the wrapper is invalid. */
  readonly explained: () => DescribedPool | undefined;
  /** How long nodes that no longer fit may stay; undefined if it is unknown. */
  readonly stay: () => StayFacts | undefined;
  readonly nodeClass: string;
  readonly usage: readonly ResourceUsage[];
}

type StayFacts = Pick<RunningPool, "until" | "why">;

interface NodeClassFacts extends AppliedFacts {
  readonly pools: readonly string[];
  readonly found: readonly (readonly [name: string, values: readonly string[]])[];
}

/** Pools and classes in the order of their names. */
export interface PassDetails {
  readonly pools: readonly PoolFacts[];
  readonly nodeClasses: readonly NodeClassFacts[];
  readonly problems: readonly ProblemFacts[];
}

/**
 * @param catalogue called for the first pool that is explained
 * @param pricesFor the same; without it there are no prices
 */
export function detailsOfPass(
  pass: PassRecord,
  catalogue: CatalogueFor,
  pricesFor: PricesFor = () => undefined,
): PassDetails {
  const { explain, stay } = wrapperExplainer(pass, catalogue, pricesFor);
  const wrappersOf = (kind: string): readonly Resource[] =>
    (kind === "NodePool" ? pass.bundle?.nodePools : pass.bundle?.nodeClasses) ?? [];
  const objects = (kind: string): Inspected[] => inspected(kind, wrappersOf(kind), pass);
  const judged = new Map(pass.verdicts.map((one) => [one.pool, one]));
  const pools = objects("NodePool").map(({ wrapper, live, ...base }): PoolFacts => {
    const nodeClass = valueAt(wrapper?.value ?? live, ["spec", "template", "spec", "nodeClassRef", "name"]);
    return {
      ...base,
      judged: judged.get(base.name),
      explained: memoize(() => wrapper && explain(wrapper)),
      stay: memoize(() => wrapper && stay(wrapper)),
      nodeClass: typeof nodeClass === "string" ? nodeClass : "default",
      usage: usageOf(live, limitsOf(wrapper?.value ?? live)),
    };
  });
  const poolsOf = Map.groupBy(pools, ({ nodeClass }) => nodeClass);
  const nodeClasses = objects("EC2NodeClass").map(({ wrapper: _wrapper, live, ...base }): NodeClassFacts => ({
    ...base,
    pools: (poolsOf.get(base.name) ?? []).map(({ name }) => name),
    found: foundBy(live),
  }));
  return { pools, nodeClasses, problems: problemsOf(pass) };
}

interface Inspected extends AppliedFacts {
  readonly wrapper: Resource | undefined;
  readonly live: LiveObject | undefined;
}

/** All objects that have a wrapper, were planned, or are in the cluster. */
function inspected(kind: string, wrappers: readonly Resource[], pass: PassRecord): Inspected[] {
  const { executed, live, dryRun } = pass;
  const results = new Map(executed.results.filter(({ step }) => step.kind === kind).map((one) => [one.step.name, one]));
  const wrapperOf = new Map(wrappers.map((wrapper) => [wrapper.name, wrapper]));
  const liveOf = new Map(live.filter((object) => object.kind === kind).map((object) => [object.metadata.name, object]));
  const names = [...new Set([...wrapperOf.keys(), ...results.keys(), ...liveOf.keys()])];
  return names.toSorted().map((name) => {
    const result = results.get(name);
    const now = result?.live ?? (isGone(result, dryRun) ? undefined : liveOf.get(name));
    const state = result === undefined ? unplanned(kind, now) : stepState(result, dryRun);
    return { name, state, conditions: conditionsOf(now), wrapper: wrapperOf.get(name), live: now };
  });
}

function isGone(result: StepResult | undefined, dryRun: boolean): boolean {
  return result?.step.action === "prune" && result.outcome === "done" && !dryRun;
}

function unplanned(kind: string, live: LiveObject | undefined): StepState {
  return live === undefined
    ? { words: "unknown", why: `no plan was made for ${kind}s`, tone: "warning" }
    : { words: "not ours", why: "it has no wrapper, and anp did not create it", tone: "calm" };
}
