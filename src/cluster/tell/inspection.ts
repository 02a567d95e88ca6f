/** What there is to know of each pool and node class; a pool is explained when somebody asks. */
import type { DescribedPool } from "../../analyze/explain/describe-explanation.ts";
import type { RunningPool } from "../../analyze/check/running-nodes.ts";
import type { JudgedPool } from "../../analyze/explain/judge-pool.ts";
import type { CatalogueFor, PricesFor } from "../../analyze/explain/explain.ts";
import { valueAt } from "../../krm/field-path.ts";
import type { Resource } from "../../krm/resource.ts";
import { once } from "../../model/once.ts";
import type { LiveObject } from "../api/live-object.ts";
import type { StepResult } from "../apply/execute.ts";
import { wrapperExplainer } from "./explain-wrapper.ts";
import type { InspectedPass } from "./inspected-pass.ts";
import { type ConditionFacts, conditionsOf, foundBy, limitsOf, type ResourceUsage, usageOf } from "./live-facts.ts";
import { type StepState, stepState } from "./step-words.ts";
import { type TroubleFacts, troublesOf } from "./troubles.ts";

interface AppliedFacts {
  readonly name: string;
  readonly state: StepState;
  readonly conditions: readonly ConditionFacts[];
}

interface PoolFacts extends AppliedFacts {
  /** By the pass; undefined for what it did not apply. */
  readonly judged: JudgedPool | undefined;
  /** Undefined where nobody can tell: the policy is held, or the wrapper is invalid. */
  readonly explained: () => DescribedPool | undefined;
  /** How long nodes that no longer fit may stay; undefined where nobody can tell. */
  readonly stay: () => StayFacts | undefined;
  readonly nodeClass: string;
  readonly usage: readonly ResourceUsage[];
}

type StayFacts = Pick<RunningPool, "until" | "why">;

interface NodeClassFacts extends AppliedFacts {
  readonly pools: readonly string[];
  readonly found: readonly (readonly [name: string, values: readonly string[]])[];
}

/** Pools and classes by name. */
export interface Inspection {
  readonly pools: readonly PoolFacts[];
  readonly nodeClasses: readonly NodeClassFacts[];
  readonly troubles: readonly TroubleFacts[];
}

/**
 * @param catalogue asked for with the first pool that is explained
 * @param pricesFor the same; without it nothing is said of prices
 */
export function inspectPass(
  pass: InspectedPass,
  catalogue: CatalogueFor,
  pricesFor: PricesFor = () => undefined,
): Inspection {
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
      explained: once(() => wrapper && explain(wrapper)),
      stay: once(() => wrapper && stay(wrapper)),
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
  return { pools, nodeClasses, troubles: troublesOf(pass) };
}

interface Inspected extends AppliedFacts {
  readonly wrapper: Resource | undefined;
  readonly live: LiveObject | undefined;
}

/** All that have a wrapper, were planned, or stand in the cluster. */
function inspected(kind: string, wrappers: readonly Resource[], pass: InspectedPass): Inspected[] {
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
    : { words: "not ours", why: "no wrapper asks for it, and anp did not make it", tone: "calm" };
}
