/** Mirrors the status of a live object to its wrapper (docs/upstream/hypershift.md#status). */
import type { Fields } from "../../krm/fields.ts";
import type { LiveObject } from "../api/live-object.ts";
import { entriesOf } from "./live-facts.ts";

/** Absent fields are null, so that a merge patch removes them. */
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
