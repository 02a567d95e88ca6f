/** Reads the status of a pool or node class: conditions, resources, subnets and images. */
import { type Fields, isFields } from "../../krm/values/fields.ts";
import { valueAt } from "../../krm/places/field-path.ts";
import type { LiveObject } from "../api/live-object.ts";

export interface ConditionFacts {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** Quantities as they are written. */
export interface ResourceUsage {
  readonly resource: string;
  /** Undefined if Karpenter has not counted yet. */
  readonly used: string | undefined;
  readonly limit: string | undefined;
}

export function conditionsOf(live: LiveObject | undefined): ConditionFacts[] {
  return entriesOf(live?.status?.["conditions"]).map((entry) => ({
    type: textOf(entry["type"]),
    status: textOf(entry["status"]),
    reason: textOf(entry["reason"]),
    message: textOf(entry["message"]),
  }));
}

/** @param object a pool, or its wrapper: only the wrapper has the limits that the watch enforces */
export function limitsOf(object: unknown): Fields {
  const limits = valueAt(object, ["spec", "limits"]);
  return isFields(limits) ? limits : {};
}

/** Nodes first, which every pool has; then other resources with a limit. */
export function usageOf(live: LiveObject | undefined, limits: Fields): ResourceUsage[] {
  const resources = valueAt(live, ["status", "resources"]);
  const used = isFields(resources) ? resources : {};
  const nodes = used["nodes"] ?? live?.status?.["nodes"];
  const others = Object.keys(limits).filter((resource) => resource !== "nodes");
  return [
    { resource: "nodes", used: quantityOf(nodes), limit: quantityOf(limits["nodes"]) },
    ...others.map((resource) => ({
      resource,
      used: quantityOf(used[resource]),
      limit: quantityOf(limits[resource]),
    })),
  ];
}

/** The objects that a node class's selectors match; empty before Karpenter has resolved them. */
export function foundBy(live: LiveObject | undefined): (readonly [name: string, values: readonly string[]])[] {
  const { status = {} } = live ?? {};
  return (
    [
      ["subnets", "subnets", "zone"],
      ["security groups", "securityGroups", "name"],
      ["images", "amis", "name"],
      ["reservations", "capacityReservations", "availabilityZone"],
    ] as const
  ).flatMap(([name, field, detail]) =>
    status[field] === undefined
      ? []
      : [[name, entriesOf(status[field]).map((entry) => withDetail(textOf(entry["id"]), textOf(entry[detail])))]],
  );
}

/** A status may hold any value: the guest cluster is not trusted. */
export function entriesOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function quantityOf(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" || typeof value === "bigint"
    ? String(value)
    : undefined;
}

function withDetail(id: string, detail: string): string {
  return detail === "" ? id : `${id} (${detail})`;
}
