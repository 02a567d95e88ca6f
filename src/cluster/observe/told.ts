/** What a watch says of a hosted cluster in the management cluster in, how it stands out. */
import { isFields } from "../../krm/fields.ts";
import { POLICY_NAME } from "../../model/auto-node-policy.ts";
import type { LiveObject } from "../api/live-object.ts";
import { isPaused } from "../read/hosted-cluster-life.ts";
import { type ConditionFacts, conditionsOf } from "../tell/live-facts.ts";
import { problemWith, type Stored } from "./follow-stored.ts";
import type { Keeper, ObservedResult, Told, ToldEvent } from "./observed.ts";

/** After so long without a pass the metrics of a watch call it untried as well. */
const UNTRIED_MS = 15 * 60_000;
/** The same words are told again an hour later, by a pass that is due a little later than that. */
const TOLD_AGAIN_MS = 65 * 60_000;

const NOTHING = { result: undefined, mode: undefined, ready: undefined, since: undefined } as const;

/** @param events of the hosted control plane's namespace, newest last */
export function toldOf(
  stored: Stored,
  namespace: string,
  keeper: Keeper,
  events: readonly ToldEvent[],
  now: Date,
): Told {
  const told = lastWords(stored, namespace, events, now);
  // What was said last may be long ago where nobody has looked since.
  if (keeper.state !== "nobody") return told;
  return { ...told, result: "untried", notes: [keeper.why, ...told.notes] };
}

function lastWords(stored: Stored, namespace: string, events: readonly ToldEvent[], now: Date): Told {
  const planes = [...stored.controlPlanes.values()].filter(({ metadata }) => metadata.namespace === namespace);
  const life = lifeOf(planes, namespace, now);
  if (life !== undefined) return life;
  const unread = problemWith(stored, "policies", namespace);
  if (unread !== undefined) return { ...NOTHING, notes: [unread] };
  const policy = stored.policies.get(`${namespace}/${POLICY_NAME}`);
  const condition = conditionsOf(policy).find(({ type }) => type === "Ready");
  const since = transitionOf(policy);
  const warning = events.findLast(
    ({ type, reason, at }) =>
      type === "Warning" &&
      // With a policy they are a condition as well, but for those that keep its status from being written.
      (policy === undefined ? reason in RESULTS : UNWRITTEN.includes(reason)) &&
      now.getTime() - at.getTime() < TOLD_AGAIN_MS &&
      (since === undefined || at > since),
  );
  if (warning !== undefined) {
    const ready = { status: "False", reason: warning.reason, message: warning.note } as const;
    const notes = ["told by an event; whether it still holds, the next one tells, an hour later at the latest"];
    return { ...judged(ready), ready, since: warning.at, notes };
  }
  if (policy === undefined)
    return { ...NOTHING, notes: ["there is no AutoNodePolicy that could tell of the last pass"] };
  if (condition === undefined)
    return {
      ...NOTHING,
      result: isLongAgo(policy.metadata.creationTimestamp, now) ? "untried" : undefined,
      notes: ["no watch has said anything on the AutoNodePolicy yet"],
    };
  return { ...ofCondition(condition, policy, now), since };
}

/** The watch writes no status then. */
function lifeOf(planes: readonly LiveObject[], namespace: string, now: Date): Told | undefined {
  const held = (reason: string, message: string): Told => ({
    result: "held",
    mode: "Hold",
    ready: { status: "False", reason, message },
    since: undefined,
    notes: [],
  });
  const going = planes.find(({ metadata }) => metadata.deletionTimestamp !== undefined);
  if (going !== undefined)
    return held("HostedClusterGoing", `the HostedControlPlane ${going.metadata.name} is being deleted`);
  const until = planes.map(({ spec }) => spec?.["pausedUntil"]).find((one) => isPaused(textOf(one), now));
  if (until === undefined) return undefined;
  return held("HostedClusterPaused", `the hosted cluster ${namespace} is paused (spec.pausedUntil: ${textOf(until)})`);
}

function ofCondition(condition: ConditionFacts, policy: LiveObject, now: Date): Omit<Told, "since"> {
  const { reason, message } = condition;
  const status = condition.status === "True" ? "True" : "False";
  const ready = { status, reason, message } as const;
  const told = { ...judged(ready), ready, notes: [] };
  const observed = observedOf(policy);
  const { generation } = policy.metadata;
  if (observed === undefined || generation === undefined || observed === generation) return told;
  const notes = [`the AutoNodePolicy has changed since: its generation is ${generation}, and ${observed} is told of`];
  return { ...told, ...(isLongAgo(writtenOf(policy), now) ? { result: "untried" } : {}), notes };
}

/** As a pass with that reason ends. */
const RESULTS: Readonly<Record<string, Exclude<ObservedResult, undefined | "untried">>> = {
  Applied: "ok",
  RequirementsConflict: "ok",
  NoInstanceTypes: "ok",
  PolicyInvalid: "held",
  PolicyRequired: "held",
  PolicyBypassed: "held",
  PoolOutsidePolicy: "held",
  HostedClusterGoing: "held",
  HostedClusterPaused: "held",
  InputUnreadable: "held",
  GateOff: "held",
  TooLarge: "held",
  TooSlow: "held",
  DoubleWriter: "held",
  ForeignObject: "held",
  WrapperHeld: "held",
  ManagedByOperator: "held",
  // The guest cluster refused single objects, which its users may have it do.
  ApplyFailed: "held",
  PolicyForbidden: "failed",
  PolicyUnavailable: "failed",
  PolicyNotServed: "failed",
  HostedClusterUnknown: "failed",
  InventoryUnreadable: "failed",
  WriterNotAllowed: "failed",
  ClusterUnreadable: "failed",
};

/** Who cannot read the policy cannot write its status. */
const UNWRITTEN: readonly string[] = [
  "PolicyForbidden",
  "PolicyUnavailable",
  "PolicyNotServed",
  "HostedClusterUnknown",
];

const HOLDING: readonly string[] = [
  ...UNWRITTEN,
  "PolicyInvalid",
  "PolicyRequired",
  "InputUnreadable",
  "InventoryUnreadable",
  "GateOff",
];

function judged({ status, reason }: NonNullable<Told["ready"]>): Pick<Told, "result" | "mode"> {
  return { result: status === "True" ? "ok" : RESULTS[reason], mode: HOLDING.includes(reason) ? "Hold" : "Apply" };
}

function readyOf(policy: LiveObject | undefined): Readonly<Record<string, unknown>> | undefined {
  const conditions = policy?.status?.["conditions"];
  if (!Array.isArray(conditions)) return undefined;
  return conditions.filter(isFields).find(({ type }) => type === "Ready");
}

function transitionOf(policy: LiveObject | undefined): Date | undefined {
  return dateOf(readyOf(policy)?.["lastTransitionTime"]);
}

function observedOf(policy: LiveObject): number | undefined {
  const observed = readyOf(policy)?.["observedGeneration"];
  return observed === undefined ? undefined : Number(observed);
}

/** When somebody changed it last, but for its status. */
function writtenOf({ metadata }: LiveObject): string | undefined {
  const entries = (metadata.managedFields ?? []) as readonly {
    readonly subresource?: string;
    readonly time?: string;
  }[];
  const times = entries.flatMap(({ subresource, time }) => (subresource === undefined ? (time ?? []) : []));
  return times.toSorted().at(-1) ?? metadata.creationTimestamp;
}

function isLongAgo(time: string | undefined, now: Date): boolean {
  const at = dateOf(time);
  return at !== undefined && now.getTime() - at.getTime() > UNTRIED_MS;
}

export function dateOf(value: unknown): Date | undefined {
  const time = Date.parse(String(value));
  return Number.isNaN(time) ? undefined : new Date(time);
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
