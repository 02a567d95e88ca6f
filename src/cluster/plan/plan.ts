/** What is to be done to a cluster: what should be and what is there in, one step an object out. Pure, and the only place that decides. */
import { describeResource } from "../../krm/resource.ts";
import type { KubeObject } from "../../model/kube-object.ts";
import { compareLive, type FieldDifference } from "./compare-live.ts";
import type { LiveObject } from "../api/live-object.ts";
import { APPLIED_ANNOTATION, asMember, isManagedByOperator, membershipOf } from "./membership.ts";
import { isOperatorsGuard } from "./operator-guards.ts";
import { planPrune, type PruneOptions } from "./plan-prune.ts";
import { idOf, nothing, type PlanInput, type Step } from "./step.ts";

export interface PlanOptions extends PruneOptions {
  /** `NodePool/web`, or `web` for objects of all kinds: foreign objects to take over. */
  readonly adopt: ReadonlySet<string>;
}

/** Objects in the order of applying, those to prune after them in the order of pruning. */
export function plan(input: PlanInput, options: PlanOptions): Step[] {
  const live = new Map(input.live.map((object) => [idOf(object), object]));
  const steps = input.desired.map((object) => {
    const desired = asMember(object, input.setId);
    return planObject(desired, live.get(idOf(object)), input.setId, options.adopt);
  });
  const known = new Set(steps.map(({ kind, name }) => `${kind}/${name}`));
  for (const [id, reason] of input.held) {
    const [kind = "", name = ""] = id.split("/");
    if (!known.has(id)) steps.push({ ...nothing(kind, name), action: "hold", live: live.get(id), reason });
  }
  return [...steps, ...planPrune(input, known, options)];
}

function planObject(
  desired: KubeObject,
  live: LiveObject | undefined,
  setId: string,
  adopt: ReadonlySet<string>,
): Step {
  const { kind, metadata } = desired;
  const step = { ...nothing(kind, metadata.name), desired, live };
  if (live === undefined) return { ...step, action: "create" };
  const differences = compareLive(desired, live);
  if (isManagedByOperator(live)) {
    const ofSpec = differences.filter((one) => one.field.startsWith("spec") && isOfValue(one));
    const reason = `${describeResource({ kind, name: metadata.name })} belongs to HyperShift's operator, which writes it`;
    return { ...step, action: "managed-by-operator", differences: ofSpec, reason };
  }
  const membership = membershipOf(live, setId);
  // It guards node classes as well as ours does.
  if (membership === "foreign" && isOperatorsGuard(live))
    return { ...step, action: "managed-by-operator", reason: `${metadata.name} is installed by HyperShift's operator` };
  const isAdopted = adopt.has(metadata.name) || adopt.has(`${kind}/${metadata.name}`);
  if (membership === "foreign" && !isAdopted) {
    const reason = `${kind === "EC2NodeClass" ? "an" : "a"} ${kind} ${metadata.name} that is not of this watch's making stands there; --adopt ${kind}/${metadata.name} takes it over`;
    return { ...step, action: "foreign-object", differences, reason };
  }
  if (differences.length === 0) return { ...step, action: "in-sync" };
  // With the hash of what anp last applied unchanged, nothing that differs can be anp's own doing.
  const unchanged =
    live.metadata.annotations?.[APPLIED_ANNOTATION] === desired.metadata.annotations?.[APPLIED_ANNOTATION];
  const drift = differences.filter((one) => one.owner !== undefined || (unchanged && isOfValue(one)));
  return { ...step, action: "update", differences, drift };
}

function isOfValue({ how }: FieldDifference): boolean {
  return how === "value" || how === "items";
}
