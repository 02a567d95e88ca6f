/** The status of a wrapper: that of its live object, and whether it is applied and gets nodes. */
import type { Fields } from "../../krm/values/fields.ts";
import { shortened } from "../api/api-answer.ts";
import type { LiveObject } from "../api/live-object.ts";
import { entriesOf } from "./live-facts.ts";
import { isOwnReason, type NotReady } from "./outcomes.ts";

/** Karpenter's status (docs/upstream/hypershift.md#status). A merge patch removes absent fields, which are null. */
export function mirroredStatus({ kind, status = {} }: LiveObject): Record<string, unknown> {
  const conditions = listOrNull(entriesOf(status["conditions"]).map(conditionOf));
  if (kind === "NodePool") return { conditions, resources: status["resources"] ?? null };
  return {
    conditions,
    subnets: listOrNull(entriesOf(status["subnets"]).map((subnet) => pick(subnet, ["id", "zone", "zoneID"]))),
    securityGroups: listOrNull(entriesOf(status["securityGroups"]).map((group) => pick(group, ["id", "name"]))),
    capacityReservations: listOrNull(entriesOf(status["capacityReservations"]).map(reservationOf)),
  };
}

function conditionOf(entry: Fields): Fields {
  return pick(entry, ["type", "status", "reason", "message", "observedGeneration", "lastTransitionTime"]);
}

const SPELLED: Readonly<Record<string, string>> = {
  open: "Open",
  targeted: "Targeted",
  default: "Default",
  "capacity-block": "CapacityBlock",
  active: "Active",
  expiring: "Expiring",
};

/** The enums of the wrapper begin with capitals. */
function reservationOf(entry: Fields): Fields {
  const fields = ["id", "instanceType", "availabilityZone", "ownerID", "endTime"];
  const enums = ["instanceMatchCriteria", "reservationType", "state"];
  const spelled = Object.entries(pick(entry, enums)).map(([key, value]) => [key, SPELLED[String(value)] ?? value]);
  return { ...pick(entry, fields), ...Object.fromEntries(spelled) };
}

function pick(entry: Fields, fields: readonly string[]): Fields {
  return Object.fromEntries(
    Object.entries(entry).filter(([key, value]) => fields.includes(key) && value !== undefined),
  );
}

function listOrNull(list: readonly Fields[]): readonly Fields[] | null {
  return list.length === 0 ? null : list;
}

/**
 * Karpenter sets a pool to Ready even if no instance type is left, and knows nothing of a wrapper that is not applied.
 *
 * @param mirrored the status of the live object; empty without one of anp's
 * @param found undefined if anp has no objection; "unknown" if this pass did not judge: its own condition stays
 * @param now RFC 3339, to the second
 */
export function wrapperStatus(
  mirrored: Readonly<Record<string, unknown>>,
  { metadata: { generation }, status }: LiveObject,
  found: NotReady | "unknown" | undefined,
  now: string,
): Readonly<Record<string, unknown>> {
  const said = conditionsOf(status?.["conditions"]);
  const ready = said.find(({ type }) => type === "Ready");
  const ofKarpenter = conditionsOf(mirrored["conditions"]);
  const put = (condition: Condition) => ({
    ...mirrored,
    conditions: [...ofKarpenter.filter(({ type }) => type !== "Ready"), condition],
  });
  if (found === undefined) return mirrored;
  if (found === "unknown") return ready !== undefined && isOwnReason(ready.reason) ? put(ready) : mirrored;
  const observed = generation === undefined ? {} : { observedGeneration: generation };
  const condition = { type: "Ready", status: "False", ...found, ...observed } as const;
  return put(withCondition(said, condition, now)?.at(-1) ?? ready!);
}

function conditionsOf(value: unknown): readonly Condition[] {
  return Array.isArray(value) ? (value as readonly Condition[]) : [];
}

export interface Condition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string;
  readonly message: string;
  readonly observedGeneration?: number;
  readonly lastTransitionTime: string;
}

/** The maxLength of a condition's message in CRDs (src/model/schema/metadata.ts). */
const LONGEST = 32_768;

/**
 * Undefined if the condition is unchanged and need not be written. A message quotes texts of users, so it is shortened and
 * made well-formed: otherwise the API server would refuse or alter it, and each pass would write it again.
 */
export function withCondition(
  existing: readonly Condition[],
  { message, ...given }: Omit<Condition, "lastTransitionTime">,
  now: string,
): Condition[] | undefined {
  const condition = { ...given, message: shortened(message, LONGEST).toWellFormed() };
  const before = existing.find(({ type }) => type === condition.type);
  const same =
    before !== undefined &&
    before.status === condition.status &&
    before.reason === condition.reason &&
    before.message === condition.message &&
    before.observedGeneration === condition.observedGeneration;
  if (same) return undefined;
  const lastTransitionTime = before?.status === condition.status ? before.lastTransitionTime : now;
  const others = existing.filter(({ type }) => type !== condition.type);
  return [...others, { ...condition, lastTransitionTime }];
}
