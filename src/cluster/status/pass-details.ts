/** The details of each pool and node class after a pass. Explanations are computed on demand. */
import type { DescribedPool } from "../../analyze/explain/pool-answer.ts";
import type { RunningPool } from "../../analyze/check/running-nodes.ts";
import type { JudgedPool } from "../../analyze/explain/judge-pool.ts";
import type { CatalogueFor, PricesFor } from "../../analyze/explain/explain.ts";
import { valueAt } from "../../krm/places/field-path.ts";
import type { Resource } from "../../krm/places/resource.ts";
import { isUsersNodePool } from "../../model/inputs/bundle.ts";
import { memoize } from "../../model/schema/memoize.ts";
import type { LiveObject } from "../api/live-object.ts";
import type { NodeLimitsResult } from "../limits/node-limits.ts";
import { describeProblems, type ReadProblem } from "../objects/read-problem.ts";
import { type PassRecord, wrapperExplainer } from "./explain-wrapper.ts";
import { type ConditionFacts, conditionsOf, foundBy, limitsOf, type ResourceUsage, usageOf } from "./live-facts.ts";
import { factsOf, groupOf, type Outcome, shownState } from "./outcomes.ts";

/** What a pass keeps for its details. */
interface DetailedPass extends PassRecord {
  /** As the pass read them; objects that it wrote are in the outcomes. */
  readonly live: readonly LiveObject[];
  readonly outcomes: readonly Outcome[];
  readonly verdicts: readonly JudgedPool[];
  readonly problems: readonly ReadProblem[];
  readonly nodeLimits: Pick<NodeLimitsResult, "problems">;
  readonly dryRun: boolean;
}

interface StepState {
  readonly words: string;
  /** Empty if there is no reason. */
  readonly why: string;
  readonly tone: "calm" | "changed" | "warning" | "error";
}

interface ProblemFacts {
  readonly about: string;
  readonly state: string;
  readonly why: string;
  readonly severity: "error" | "warning";
}

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
  pass: DetailedPass,
  catalogue: CatalogueFor,
  pricesFor: PricesFor = () => undefined,
): PassDetails {
  const { explain, explainUsers, stay } = wrapperExplainer(pass, catalogue, pricesFor);
  const wrappersOf = (kind: string): readonly Resource[] =>
    (kind === "NodePool" ? pass.bundle?.nodePools : pass.bundle?.nodeClasses) ?? [];
  const objects = (kind: string): Inspected[] => inspected(kind, wrappersOf(kind), pass);
  const judged = new Map(pass.verdicts.map((one) => [one.pool, one]));
  const pools = objects("NodePool").map(({ wrapper, live, ...base }): PoolFacts => {
    const nodeClass = valueAt(wrapper?.value ?? live, ["spec", "template", "spec", "nodeClassRef", "name"]);
    return {
      ...base,
      judged: judged.get(base.name),
      explained: memoize(() => (wrapper === undefined ? live && explainUsers(live) : explain(wrapper))),
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
function inspected(kind: string, wrappers: readonly Resource[], pass: DetailedPass): Inspected[] {
  const { outcomes, live, dryRun } = pass;
  const ofKind = outcomes.filter((one) => one.kind === kind && (one.step !== undefined || one.state === "outside"));
  // A step counts more.
  const outcomeOf = new Map(ofKind.toReversed().map((one) => [one.name, one]));
  const wrapperOf = new Map(wrappers.map((wrapper) => [wrapper.name, wrapper]));
  const liveOf = new Map(live.filter((object) => object.kind === kind).map((object) => [object.metadata.name, object]));
  const names = [...new Set([...wrapperOf.keys(), ...outcomeOf.keys(), ...liveOf.keys()])];
  return names.toSorted().map((name) => {
    const outcome = outcomeOf.get(name);
    const isGone = outcome?.planned === "prune" && outcome.change !== undefined && !dryRun;
    const now = outcome?.step?.live ?? (isGone ? undefined : liveOf.get(name));
    const wrapper = wrapperOf.get(name);
    const state = outcome === undefined ? unplanned(kind, now, wrapper) : stateOf(outcome);
    return { name, state, conditions: conditionsOf(now), wrapper, live: now };
  });
}

function unplanned(kind: string, live: LiveObject | undefined, wrapper: Resource | undefined): StepState {
  if (wrapper !== undefined && isUsersNodePool(wrapper))
    return { words: "not ours", why: "users write it, and a watch does not apply it", tone: "calm" };
  return live === undefined
    ? { words: "unknown", why: `no plan was made for ${kind}s`, tone: "warning" }
    : { words: "not ours", why: "it has no wrapper, and anp did not create it", tone: "calm" };
}

const TONES = { none: "calm", info: "changed", warning: "warning", error: "error" } as const;

function stateOf(one: Outcome): StepState {
  const { deletion = "", severity, words } = one;
  if (shownState(one) === "going") return { words: factsOf("going").words, why: deletion, tone: "changed" };
  return { words, why: whyOf(one), tone: TONES[severity] };
}

function whyOf({ state, severity, why, writerConflict, differences, drift }: Outcome): string {
  if (state === "used") return "";
  if (state === "skipped") return "another step failed first, or the watch ended";
  if (state === "contested") return writerConflict;
  if (state === "differs") return `${why}; it differs in ${ownedFields(differences)}`;
  if (severity !== "info" || why !== "") return why;
  return drift.length > 0 ? `set right ${ownedFields(drift)}` : ownedFields(differences);
}

/** `spec.weight (kubectl-edit), spec.limits`. */
function ownedFields(differences: Outcome["differences"]): string {
  return differences.map(({ field, owner }) => (owner === undefined ? field : `${field} (${owner})`)).join(", ");
}

/** Without findings in the input. The worst first. */
function problemsOf({ outcomes, problems, nodeLimits }: DetailedPass): ProblemFacts[] {
  const shown = outcomes.filter(
    ({ state, severity }) => severity !== "none" && severity !== "info" && !HIDDEN.has(state),
  );
  const groups = Map.groupBy(shown, groupOf);
  const of = (group: ReturnType<typeof groupOf>): ProblemFacts[] => (groups.get(group) ?? []).map(problemOf);
  const unread = describeProblems([...problems, ...nodeLimits.problems]).map(
    (why) => ({ about: "Reading", state: "failed", why, severity: "error" }) as const,
  );
  return [
    ...of("refused"),
    ...of("definitions"),
    ...unread,
    ...(["objects", "no-nodes", "outside", "limits", "surplus-left", "unwritten"] as const).flatMap(of),
  ];
}

/** They change nothing of which the dashboard shows the state. */
const HIDDEN: ReadonlySet<string> = new Set(["unusable", "repaired", "surplus"]);

function problemOf(one: Outcome): ProblemFacts {
  const { about, words: state, why, fields } = one;
  switch (one.state) {
    case "refused":
      return { about: "Everything", state, why, severity: "error" };
    case "unwritten":
      return { about: "Status or event", state, why, severity: "error" };
    case "over-limit":
      return { about, state: `limit of ${fields?.["limit"]} nodes not kept`, why, severity: "warning" };
    case "surplus-left":
      return { about, state: "not deleted", why, severity: "error" };
    default:
      return { about, state, why: whyOf(one), severity: one.severity === "error" ? "error" : "warning" };
  }
}
