/** What is to be done to a cluster, one step an object: pure, and the only place that decides. */
import { describeResource } from "../../krm/resource.ts";
import { idOf, type KubeObject } from "../../model/kube-object.ts";
import type { LiveObject } from "../api/live-object.ts";
import { printOf } from "../inventory/as-left.ts";
import { type Claim, claimOf } from "../inventory/claim.ts";
import { isAdopted } from "./adoption.ts";
import { compareLive, type FieldDifference } from "./compare-live.ts";
import { claimOfGuard, isOperatorsGuard } from "./guard-claim.ts";
import {
  APPLIED_ANNOTATION,
  asMember,
  isMadeByOperator,
  isManagedByOperator,
  otherSetOf,
} from "../objects/membership.ts";
import { planPrune, type PruneOptions } from "./plan-prune.ts";
import { nothing, type PlanInput, type Step } from "./step.ts";
import { planUnclaimed } from "./unclaimed.ts";
import { wrapperIdOf } from "../../model/applied-kinds.ts";

export interface PlanOptions extends PruneOptions {
  /** `NodePool/web`, or `web` for objects of all kinds: foreign objects to take over. */
  readonly adopt: ReadonlySet<string>;
}

/** Objects in the order of applying, those to prune after them in the order of pruning. */
export function plan(input: PlanInput, options: PlanOptions): Step[] {
  const live = new Map(input.live.map((object) => [idOf(object), object]));
  const steps = input.desired.map((object) => {
    const desired = asMember(object, input.setId);
    return planObject(desired, live.get(idOf(object)), input, options.adopt);
  });
  const known = new Set(steps.map(({ kind, name }) => `${kind}/${name}`));
  for (const [id, reason] of input.held) {
    const [kind = "", name = ""] = id.split("/");
    if (known.has(id)) continue;
    const there = live.get(id);
    // What was restored is taken in when it is set right.
    const takesIn = there !== undefined && claimOf(there, input) === "marked";
    steps.push({ ...nothing(kind, name), action: "hold", live: there, takesIn, reason });
    known.add(id);
  }
  return [...steps, ...planPrune(input, known, options), ...planUnclaimed(input, known, options.adopt)];
}

function planObject(
  desired: KubeObject,
  live: LiveObject | undefined,
  input: PlanInput,
  adopt: ReadonlySet<string>,
): Step {
  const { kind, metadata } = desired;
  const { name } = metadata;
  const step = { ...nothing(kind, name), desired, live };
  if (live === undefined) return { ...step, action: "create" };
  const differences = compareLive(desired, live);
  const claim = claimOfDesired(live, differences, input);
  if (isOperators(live, claim, input)) {
    const ofSpec = differences.filter((one) => one.field.startsWith("spec") && isOfValue(one));
    const reason = `${describeResource({ kind, name })} belongs to HyperShift's operator, which writes it`;
    return { ...step, action: "managed-by-operator", differences: ofSpec, reason };
  }
  // It guards node classes as well as ours does.
  if (claim !== "known" && isOperatorsGuard(live))
    return { ...step, action: "managed-by-operator", reason: `${name} is installed by HyperShift's operator` };
  if (claim === "foreign" && !isAdopted(live, adopt)) {
    const reason = `${kind === "EC2NodeClass" ? "an" : "a"} ${kind} ${name} that is not of this watch's making stands there; --adopt ${kind}/${name} takes it over`;
    return { ...step, action: "foreign-object", differences, reason };
  }
  const left = input.inventory?.get(idOf(live))?.left;
  // Before there is an inventory, managedFields are all there is to go by.
  const isAsLeft = claim === "marked" || (claim === "known" && left !== undefined && left === printOf(live));
  const ours = { ...step, takesIn: claim !== "known" };
  if (differences.length === 0 && isAsLeft) return { ...ours, action: "in-sync" };
  // With the hash of what anp last applied unchanged, nothing that differs can be anp's own doing.
  const unchanged =
    live.metadata.annotations?.[APPLIED_ANNOTATION] === desired.metadata.annotations?.[APPLIED_ANNOTATION];
  // Its field manager is the same, and it leaves a hash of its own.
  const isOfAnother = claim === "known" && otherSetOf(live, input.setId) !== undefined;
  const drift = isOfAnother
    ? differences.filter(({ how }) => how !== "ownership").map((one) => ({ ...one, owner: one.owner ?? ANOTHER_ANP }))
    : differences.filter((one) => one.owner !== undefined || (unchanged && isOfValue(one)));
  const whole = !isAsLeft || differences.some(({ how }) => how === "extra" || how === "items");
  return {
    ...ours,
    action: "update",
    whole,
    differences: differences.length === 0 ? [OF_BOOKKEEPING] : differences,
    drift,
  };
}

function claimOfDesired(live: LiveObject, differences: readonly FieldDifference[], input: PlanInput): Claim {
  const claim = claimOf(live, input);
  const isGuard = wrapperIdOf(live.kind, live.metadata.name) === undefined;
  return isGuard && claim === "foreign" ? claimOfGuard(live, differences, input.setId) : claim;
}

/** By its owner; of what the inventory knows that says nothing. */
function isOperators(live: LiveObject, claim: Claim, { wrapperUids }: PlanInput): boolean {
  if (claim === "foreign") return isManagedByOperator(live);
  const wrapper = wrapperIdOf(live.kind, live.metadata.name);
  return claim === "restored" && wrapper !== undefined && isMadeByOperator(live, wrapperUids?.get(wrapper));
}

const ANOTHER_ANP = "another anp";

const OF_BOOKKEEPING: FieldDifference = { field: "metadata.managedFields", owner: undefined, how: "ownership" };

function isOfValue({ how }: FieldDifference): boolean {
  return how === "value" || how === "items";
}
