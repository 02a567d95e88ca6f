/** The Ready condition of an AutoNodePolicy. */
import type { JudgedPool } from "../../analyze/explain/judge-pool.ts";
import type { PolicyDecision } from "../objects/policy-mode.ts";
import { factsOf, type Outcome, type State } from "./outcomes.ts";

/** The reasons in docs/watch.md. The first one that holds is reported. */
type ReadyReason =
  | "Applied"
  | "InputUnreadable"
  | "InventoryUnreadable"
  | "GateOff"
  | "WriterNotAllowed"
  | "TooLarge"
  | "TooSlow"
  | "ClusterUnreadable"
  | "DoubleWriter"
  | "PoolOutsidePolicy"
  | "PolicyBypassed"
  | "ApplyFailed"
  | "ForeignObject"
  | "WrapperHeld"
  | "ManagedByOperator"
  | "RequirementsConflict"
  | "NoInstanceTypes";

export interface Ready {
  readonly status: "True" | "False";
  readonly reason: ReadyReason | PolicyDecision["reason"];
  readonly message: string;
}

export interface ReadyFacts {
  readonly decision: PolicyDecision;
  readonly unreadable: string | undefined;
  readonly gateOff: boolean;
  /** Why nothing of the guest cluster could be listed. */
  readonly unreachable?: string | undefined;
  /** Why the inventory is unknown. */
  readonly inventoryProblem: string | undefined;
  readonly outcomes: readonly Outcome[];
  /** Lists that failed. */
  readonly problems: readonly string[];
  /** Set if the cluster holds more than anp reads of one cluster. */
  readonly tooMuch?: { readonly reason: "TooLarge" | "TooSlow"; readonly message: string } | undefined;
  readonly verdicts: readonly JudgedPool[];
  /** Live pools that lack a requirement of the policy in force, or exceed it. */
  readonly outside: readonly string[];
  /** Users' pools with a limit on nodes, which anp cannot enforce. */
  readonly unlimited: readonly string[];
}

/** True if the policy reached every pool and class, and leaves each pool some nodes. */
export function readyOf(facts: ReadyFacts): Ready {
  const { decision, outcomes, outside, verdicts } = facts;
  const no = (reason: Ready["reason"], message: string): Ready => ({ status: "False", reason, message });
  if (decision.mode === "Hold") return no(decision.reason, decision.message);
  // Nothing else reports that pools go without a policy that may exist.
  if (decision.reason === "PolicyForbidden") return no(decision.reason, decision.message);
  if (facts.unreadable !== undefined) return no("InputUnreadable", facts.unreadable);
  if (facts.gateOff)
    return no("GateOff", "the feature gate AutoNode is off: nothing is applied, and nothing is removed");
  // Without the guest cluster a missing inventory cannot be created, so this is the cause.
  if (facts.unreachable !== undefined) return no("ClusterUnreadable", facts.unreachable);
  if (facts.inventoryProblem !== undefined) return no("InventoryUnreadable", facts.inventoryProblem);
  const refused = outcomes.find(({ state }) => state === "refused");
  if (refused !== undefined) return no("WriterNotAllowed", refused.why);
  if (facts.tooMuch !== undefined) return no(facts.tooMuch.reason, facts.tooMuch.message);
  if (facts.problems.length > 0) return no("ClusterUnreadable", facts.problems.join("; "));
  const objects = outcomes.filter(({ step }) => step !== undefined);
  const contested = objects.flatMap(({ writerConflict }) => (writerConflict === "" ? [] : [writerConflict]));
  // The two writers keep changing the specs, so PoolOutsidePolicy would be true only for a moment.
  if (contested.length > 0) return no("DoubleWriter", namesOf(contested));
  if (outside.length > 0)
    return no("PoolOutsidePolicy", `the policy does not reach ${poolsOf(outside)}${whyOutside(outside, outcomes)}`);
  const keys = (state: State) =>
    outcomes.flatMap((one) => (one.state === state ? [`${one.name} (${one.fields?.["key"]})`] : []));
  const bypass = keys("bypass");
  if (bypass.length > 0)
    return no("PolicyBypassed", `pools would bypass the policy and are blocked: ${namesOf(bypass)}`);
  for (const [reason, wordsOf] of NOT_READY) {
    const of = objects.filter(({ state }) => factsOf(state).notReady === reason);
    if (of.length > 0) return no(reason, namesOf(of.map(wordsOf)));
  }
  const conflict = keys("conflict");
  if (conflict.length > 0) return no("RequirementsConflict", `pools conflict with the policy: ${namesOf(conflict)}`);
  const starved = verdicts.filter(({ verdict }) => verdict === "unsatisfiable");
  const none = `${starved.length} of ${verdicts.length} NodePools ${starved.length === 1 ? "gets" : "get"} no nodes`;
  // A pool that leaves itself no nodes does not make the policy not ready.
  const byPolicy = starved.filter((judged) => judged.byPolicy);
  if (byPolicy.length > 0)
    return no("NoInstanceTypes", `${none}: ${namesOf([...new Set([...byPolicy, ...starved])].map(poolAndWhy))}`);
  const going = objects.filter(({ deletion }) => deletion !== undefined);
  const reached = objects.filter(({ step, deletion }) => step?.step.desired !== undefined || deletion !== undefined);
  const count = (kind: string) => reached.filter((one) => one.kind === kind).length;
  return {
    status: "True",
    reason: "Applied",
    message: `applied to ${count("NodePool")} NodePools and ${count("EC2NodeClass")} EC2NodeClasses${
      starved.length === 0
        ? ""
        : `; ${none}: ${namesOf(
            starved.map(({ pool }) => pool),
            ", ",
          )}`
    }${going.length === 0 ? "" : `; being deleted: ${namesOf(going.map((one) => `${one.about}: ${one.deletion}`))}`}${
      facts.unlimited.length === 0
        ? ""
        : `; limits.nodes is Soft in NodePools that users write: ${namesOf(facts.unlimited, ", ")}`
    }`,
  };
}

/** The reasons of objects, those that count more first, with the words about each object. */
const NOT_READY = [
  ["ApplyFailed", describeFailure],
  ["ForeignObject", ({ why }: Outcome) => why],
  ["WrapperHeld", ({ why }: Outcome) => why],
  ["ManagedByOperator", describeDifferences],
] as const;

/** The reasons of those pools that have a step in this pass, and of users' pools. */
function whyOutside(outside: readonly string[], outcomes: readonly Outcome[]): string {
  const names = new Set(outside);
  const ofPools = outcomes.filter(({ kind, name }) => kind === "NodePool" && names.has(name));
  const told = ofPools.filter(({ step, state }) => state === "outside" || (step !== undefined && state !== "release"));
  const known = [...new Set(told.map(({ why }) => why).filter((reason) => reason !== ""))];
  const reasons = known.length === 0 ? "" : `: ${namesOf(known)}`;
  return told.some(({ state }) => state === "outside") ? `${reasons}; ${ADVICE}` : reasons;
}

const ADVICE =
  "anp changes no NodePool that users write: render it in GitOps (anp render --node-pools Raw), or install anp guard";

function poolAndWhy({ pool, why }: JudgedPool): string {
  return `${pool}: ${why}`;
}

function poolsOf(names: readonly string[]): string {
  return `${names.length === 1 ? "the NodePool" : "the NodePools"} ${namesOf(names, ", ")}`;
}

function describeFailure(one: Outcome): string {
  return `${one.about}: ${one.state === "skipped" ? one.words : one.why}`;
}

function describeDifferences({ why, differences }: Outcome): string {
  return `${why}; it differs in ${namesOf(
    differences.map(({ field }) => field),
    ", ",
  )}`;
}

const SHOWN = 5;

function namesOf(names: readonly string[], separator = "; "): string {
  const rest = names.length - SHOWN;
  const shown = names.slice(0, SHOWN).join(separator);
  return rest > 0 ? `${shown} and ${rest} ${rest === 1 ? "other" : "others"}` : shown;
}
