/** The Kubernetes events of a pass. */
import { nothingAllowed } from "../../analyze/simulate/events.ts";
import { DRIFTED } from "../../karpenter/disruption/drifted-floor.ts";
import { REPLACING_REASONS } from "../../model/pools/disruption-reasons.ts";
import { idOf } from "../../model/objects/kube-object.ts";
import type { LiveObject } from "../api/live-object.ts";
import type { LimitState } from "../limits/node-limits.ts";
import type { WatchedCluster } from "../objects/watched-cluster.ts";
import type { Inputs } from "../read/gather-inputs.ts";
import { type ObjectEvent, regarding } from "./event-recorder.ts";
import { factsOf, type Outcome } from "./outcomes.ts";
import type { Ready } from "./ready-condition.ts";

interface Pass {
  readonly inputs: {
    readonly guest: Pick<Inputs["guest"], "wrappers" | "live">;
    readonly policy: Inputs["policy"];
  };
  readonly outcomes: readonly Outcome[];
  readonly limits: readonly LimitState[];
  readonly ready: Ready;
  readonly cluster: WatchedCluster;
}

/** By `OpenshiftNodePool/web`. A map, because there may be very many. */
type Objects = ReadonlyMap<string, LiveObject>;

/** All events of the pass. The recorder omits those that it wrote before. */
export function eventsOf(pass: Pass): ObjectEvent[] {
  const { outcomes, limits, inputs } = pass;
  const { wrappers, live } = inputs.guest;
  const byId: Objects = new Map(wrappers.map((wrapper) => [idOf(wrapper), wrapper]));
  // A pool with a conflict already has an event for that.
  const conflicting = new Set(outcomes.flatMap((one) => (isConflict(one) ? one.name : [])));
  const ofObjects = outcomes
    .filter(({ state, name }) => state !== "outside" && (state !== "no-nodes" || !conflicting.has(name)))
    .flatMap((one) => [...eventOf(one, byId), ...eventOfDeletion(one)]);
  // Last: a pass writes a limited number, and users may create any number of pools.
  return [
    ...eventOfPolicy(pass),
    ...ofObjects,
    ...eventsOfLimits(limits, byId, live),
    ...eventsOfOutside(outcomes, live),
  ];
}

/** On the users' NodePools. */
function eventsOfOutside(outcomes: readonly Outcome[], live: readonly LiveObject[]): ObjectEvent[] {
  const outside = new Map(outcomes.filter(({ state }) => state === "outside").map((one) => [one.name, one]));
  const pools = outside.size === 0 ? [] : live.filter(({ kind }) => kind === "NodePool");
  return pools.flatMap((pool): ObjectEvent[] => {
    const one = outside.get(pool.metadata.name);
    return one === undefined ? [] : eventOn(pool, one);
  });
}

function isConflict({ state }: Outcome): boolean {
  return state === "bypass" || state === "conflict";
}

/** If the policy cannot be read, the event is on its namespace. */
function eventOfPolicy({ inputs: { policy }, ready, outcomes, cluster }: Pass): ObjectEvent[] {
  if (cluster.management === undefined) return [];
  const { hostedCluster } = cluster;
  const about =
    policy === undefined
      ? { apiVersion: "v1", kind: "Namespace", name: hostedCluster, namespace: hostedCluster }
      : regarding(policy);
  const event = (type: ObjectEvent["type"], reason: string, note: string): ObjectEvent => ({
    side: "management",
    regarding: about,
    type,
    reason,
    note,
  });
  const isTrue = ready.status === "True";
  return [
    ...(isTrue && policy === undefined ? [] : [event(isTrue ? "Normal" : "Warning", ready.reason, ready.message)]),
    ...outcomes.flatMap(({ state, why }) => (state === "repaired" ? [event("Warning", "InventoryRepaired", why)] : [])),
  ];
}

/** On the wrapper; on the object itself if it has none and a step is about it. */
function eventOf(one: Outcome, wrappers: Objects): ObjectEvent[] {
  const about = wrappers.get(`Openshift${one.kind}/${one.name}`) ?? liveOf(one);
  return about === undefined ? [] : eventOn(about, one);
}

function eventOn(about: LiveObject, one: Outcome): ObjectEvent[] {
  const [reason, note, type = "Warning"] = noteOf(one) ?? [];
  if (reason === undefined || note === undefined) return [];
  return [{ side: "guest", regarding: regarding(about), type, reason, note }];
}

type Note = readonly [reason: string, note: string, type?: ObjectEvent["type"]];

function noteOf(one: Outcome): Note | undefined {
  const { state, planned, about, whyForUsers: why, writerConflict, change, differences, drift } = one;
  if (state === "failed") return ["ApplyFailed", `${about}: ${why}`];
  if (writerConflict !== "") return ["DoubleWriter", writerConflict];
  const { event, would } = factsOf(planned);
  if (event === undefined || (would !== undefined && change === undefined)) return undefined;
  if (planned === "create") return [event, `${about} created`, "Normal"];
  if (planned === "update" && drift.length > 0)
    return ["DriftCorrected", `${about}: ${describeDrift(drift)} set right`];
  if (planned === "update")
    return [event, `${about} updated: ${shortList(differences.map(({ field }) => field))}`, "Normal"];
  if (planned === "release") return [event, why, "Normal"];
  return [event, planned === "no-nodes" ? `the pool ${one.words}: ${why}` : why];
}

/** On the object itself, because its wrapper may be gone. */
function eventOfDeletion(one: Outcome): ObjectEvent[] {
  const { deletion: note } = one;
  const about = liveOf(one);
  if (note === undefined || about === undefined) return [];
  return [{ side: "guest", regarding: regarding(about), type: "Normal", reason: "BeingDeleted", note }];
}

function liveOf({ step }: Outcome): LiveObject | undefined {
  return step?.live ?? step?.step.live;
}

/** On a pool's wrapper, or on the NodePool if the wrapper is a file. */
function eventsOfLimits(limits: readonly LimitState[], wrappers: Objects, live: readonly LiveObject[]): ObjectEvent[] {
  if (limits.length === 0) return [];
  const pools = new Map(live.filter(({ kind }) => kind === "NodePool").map((pool) => [pool.metadata.name, pool]));
  return limits.flatMap((state) => {
    const about = wrappers.get(`OpenshiftNodePool/${state.pool}`) ?? pools.get(state.pool);
    if (about === undefined) return [];
    return notesOf(state).map((event) => ({ side: "guest", regarding: regarding(about), ...event }));
  });
}

function notesOf({
  limit,
  nodes,
  driftsAnyway,
  deleted,
  kept,
}: LimitState): Pick<ObjectEvent, "type" | "reason" | "note">[] {
  const held = REPLACING_REASONS.filter((reason) => !(driftsAnyway && reason === DRIFTED));
  const blocked =
    nodes === undefined || nodes === 0 || nodes < limit
      ? []
      : held.map((reason) => nothingAllowed(reason, "node hard limit"));
  return [
    // The words of the node-limits RFC (docs/design.md#the-node-limits-rfc).
    ...blocked.map((note) => ({ type: "Normal", reason: "DisruptionBlocked", note }) as const),
    ...deleted.map(({ name, why }) => {
      const note = `NodeClaim ${name} deleted: there are more nodes than the limit of ${limit} (${why})`;
      return { type: "Normal", reason: "NodeLimitExceeded", note } as const;
    }),
    ...kept.map((why) => ({ type: "Warning", reason: "NodeLimitNotKept", note: `limit of ${limit}: ${why}` }) as const),
  ];
}

/** `spec.weight (kubectl-edit)`. */
function describeDrift(drift: Outcome["drift"]): string {
  return shortList(drift.map(({ field, owner }) => `${field} (${owner ?? "changed by another manager"})`));
}

const SHOWN = 5;

function shortList(items: readonly string[]): string {
  const rest = items.length - SHOWN;
  return `${items.slice(0, SHOWN).join(", ")}${rest > 0 ? ` and ${rest} ${rest === 1 ? "other" : "others"}` : ""}`;
}
