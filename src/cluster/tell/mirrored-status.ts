/** The status of a wrapper from its live object's (docs/upstream/hypershift.md#status). */
import type { LiveObject } from "../api/live-object.ts";

type Entry = Readonly<Record<string, unknown>>;

/** A field without a value is null: a merge patch takes it away. */
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

function entriesOf(value: unknown): readonly Entry[] {
  return Array.isArray(value) ? (value as readonly Entry[]) : [];
}

function conditionOf(entry: Entry): Entry {
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

/** The wrapper writes its enums with capitals. */
function reservationOf(entry: Entry): Entry {
  const fields = ["id", "instanceType", "availabilityZone", "ownerID", "endTime"];
  const enums = ["instanceMatchCriteria", "reservationType", "state"];
  const spelled = Object.entries(pick(entry, enums)).map(([key, value]) => [key, SPELLED[String(value)] ?? value]);
  return { ...pick(entry, fields), ...Object.fromEntries(spelled) };
}

function pick(entry: Entry, fields: readonly string[]): Entry {
  return Object.fromEntries(
    Object.entries(entry).filter(([key, value]) => fields.includes(key) && value !== undefined),
  );
}

function listOrNull(list: readonly Entry[]): readonly Entry[] | null {
  return list.length === 0 ? null : list;
}
