/** The Ready condition of an AutoNodePolicy. */
import type { JudgedPool } from "../../analyze/explain/judge-pool.ts";
import { describeResource } from "../../krm/resource.ts";
import { deletionOf, type Executed, type StepResult } from "../apply/execute.ts";
import type { PoolConflict } from "../plan/pool-conflicts.ts";
import type { PolicyDecision } from "../objects/policy-mode.ts";

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

export interface PassFacts {
  readonly decision: PolicyDecision;
  readonly unreadable: string | undefined;
  readonly gateOff: boolean;
  /** Why the inventory is unknown. */
  readonly inventoryProblem: string | undefined;
  readonly executed: Executed;
  /** Lists that failed. */
  readonly problems: readonly string[];
  /** Set if the cluster holds more than anp reads of one cluster. */
  readonly tooMuch?: { readonly reason: "TooLarge" | "TooSlow"; readonly message: string } | undefined;
  readonly conflicts: readonly PoolConflict[];
  readonly verdicts: readonly JudgedPool[];
  /** Live pools that lack a requirement of the policy in force. */
  readonly outside: readonly string[];
}

/** True if the policy reached every pool and class, and leaves each pool some nodes. */
export function readyOf(facts: PassFacts): Ready {
  const { decision, executed, conflicts, outside, verdicts } = facts;
  const no = (reason: Ready["reason"], message: string): Ready => ({ status: "False", reason, message });
  if (decision.mode === "Hold") return no(decision.reason, decision.message);
  // Nothing else reports that pools go without a policy that may exist.
  if (decision.reason === "PolicyForbidden") return no(decision.reason, decision.message);
  if (facts.unreadable !== undefined) return no("InputUnreadable", facts.unreadable);
  if (facts.gateOff)
    return no("GateOff", "the feature gate AutoNode is off: nothing is applied, and nothing is removed");
  if (facts.inventoryProblem !== undefined) return no("InventoryUnreadable", facts.inventoryProblem);
  if (executed.refused !== undefined) return no("WriterNotAllowed", executed.refused);
  if (facts.tooMuch !== undefined) return no(facts.tooMuch.reason, facts.tooMuch.message);
  if (facts.problems.length > 0) return no("ClusterUnreadable", facts.problems.join("; "));
  const rivalries = executed.results.flatMap(({ step }) => (step.writerConflict === "" ? [] : [step.writerConflict]));
  // The two writers keep changing the specs, so PoolOutsidePolicy would be true only for a moment.
  if (rivalries.length > 0) return no("DoubleWriter", namesOf(rivalries));
  if (outside.length > 0)
    return no(
      "PoolOutsidePolicy",
      `the policy does not reach ${poolsOf(outside)}${whyOutside(outside, executed.results)}`,
    );
  const bypass = conflicts.filter(({ what }) => what === "bypass");
  if (bypass.length > 0)
    return no("PolicyBypassed", `pools would bypass the policy and are blocked: ${namesOf(bypass.map(poolAndKey))}`);
  const failed = executed.results.filter(({ outcome }) => outcome === "failed" || outcome === "skipped");
  if (failed.length > 0) return no("ApplyFailed", namesOf(failed.map(describeFailure)));
  const doing = (action: string) => executed.results.filter(({ step }) => step.action === action);
  const foreign = doing("foreign-object");
  if (foreign.length > 0) return no("ForeignObject", namesOf(foreign.map(({ step }) => step.reason)));
  const held = doing("hold");
  if (held.length > 0) return no("WrapperHeld", namesOf(held.map(({ step }) => step.reason)));
  const operated = doing("managed-by-operator").filter(({ step }) => step.differences.length > 0);
  if (operated.length > 0) return no("ManagedByOperator", namesOf(operated.map(describeDifferences)));
  const conflict = conflicts.filter(({ what }) => what === "conflict");
  if (conflict.length > 0)
    return no("RequirementsConflict", `pools conflict with the policy: ${namesOf(conflict.map(poolAndKey))}`);
  const starved = verdicts.filter(({ verdict }) => verdict === "unsatisfiable");
  const none = `${starved.length} of ${verdicts.length} NodePools ${starved.length === 1 ? "gets" : "get"} no nodes`;
  // A pool that leaves itself no nodes does not make the policy not ready.
  const byPolicy = starved.filter((judged) => judged.byPolicy);
  if (byPolicy.length > 0)
    return no("NoInstanceTypes", `${none}: ${namesOf([...new Set([...byPolicy, ...starved])].map(poolAndWhy))}`);
  const isGoing = (result: StepResult) => deletionOf(result) !== undefined;
  const going = executed.results.filter(isGoing);
  const reached = executed.results.filter((result) => result.step.desired !== undefined || isGoing(result));
  const count = (kind: string) => reached.filter(({ step }) => step.kind === kind).length;
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
    }${going.length === 0 ? "" : `; being deleted: ${namesOf(going.map(describeDeletion))}`}`,
  };
}

function describeDeletion(result: StepResult): string {
  return `${describeResource(result.step)}: ${deletionOf(result)}`;
}

/** The reasons of those pools that have a step in this pass. */
function whyOutside(outside: readonly string[], results: readonly StepResult[]): string {
  const names = new Set(outside);
  const reasons = results.flatMap(({ step, outcome, error }) => {
    if (step.kind !== "NodePool" || !names.has(step.name)) return [];
    return outcome === "failed" ? [error?.message ?? ""] : [step.reason];
  });
  const known = [...new Set(reasons.filter((reason) => reason !== ""))];
  return known.length === 0 ? "" : `: ${namesOf(known)}`;
}

function poolAndWhy({ pool, why }: JudgedPool): string {
  return `${pool}: ${why}`;
}

function poolAndKey({ pool, key }: PoolConflict): string {
  return `${pool} (${key})`;
}

function poolsOf(names: readonly string[]): string {
  return `${names.length === 1 ? "the NodePool" : "the NodePools"} ${namesOf(names, ", ")}`;
}

function describeFailure({ step, error, outcome }: StepResult): string {
  const name = describeResource(step);
  return outcome === "skipped" ? `${name}: not reached` : `${name}: ${error?.message ?? "failed"}`;
}

function describeDifferences({ step }: StepResult): string {
  return `${step.reason}; it differs in ${namesOf(
    step.differences.map(({ field }) => field),
    ", ",
  )}`;
}

const SHOWN = 5;

function namesOf(names: readonly string[], separator = "; "): string {
  const rest = names.length - SHOWN;
  const shown = names.slice(0, SHOWN).join(separator);
  return rest > 0 ? `${shown} and ${rest} ${rest === 1 ? "other" : "others"}` : shown;
}
