/** Compares two values: maps by key, lists by the identity of their items. */
import { type Fields, isFields } from "../../krm/values/fields.ts";
import { type FieldPath, samePath, startsWithPath } from "../../krm/places/field-path.ts";
import { canonical } from "../../krm/values/canonical.ts";
import { partAt } from "./guarded-part.ts";

export type Difference =
  | { readonly kind: "same"; readonly value: unknown }
  | { readonly kind: "added"; readonly to: unknown }
  | { readonly kind: "removed"; readonly from: unknown }
  | { readonly kind: "changed"; readonly from: unknown; readonly to: unknown }
  | { readonly kind: "map"; readonly entries: readonly (readonly [key: string, difference: Difference])[] }
  | { readonly kind: "list"; readonly items: readonly ListItem[] };

export interface ListItem {
  readonly difference: Difference;
  /** The index in the old list and in the new one. */
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/**
 * A moved list item is the same item.
 *
 * @param path the path of the values in an object of `kind`, which decides how list items are identified
 */
export function compareValues(from: unknown, to: unknown, kind: string, path: FieldPath = []): Difference {
  if (isAbsent(from)) return isAbsent(to) ? { kind: "same", value: to } : { kind: "added", to };
  if (isAbsent(to)) return { kind: "removed", from };
  if (Array.isArray(from) && Array.isArray(to)) return compareLists(from, to, kind, path);
  if (isFields(from) && isFields(to)) return compareMaps(from, to, kind, path);
  return Object.is(from, to) ? { kind: "same", value: to } : { kind: "changed", from, to };
}

function compareMaps(from: Fields, to: Fields, kind: string, path: FieldPath): Difference {
  const entries = inOrder(Object.keys(from), Object.keys(to)).map(
    (key) => [key, compareValues(from[key], to[key], kind, [...path, key])] as const,
  );
  // An empty map means the same as a map with only absent values.
  return entries.every(([, { kind }]) => kind === "same") ? { kind: "same", value: to } : { kind: "map", entries };
}

function compareLists(from: readonly unknown[], to: readonly unknown[], kind: string, path: FieldPath): Difference {
  const identity = identityOf(kind, path);
  const [oldNames, newNames] = [namesOf(from, identity), namesOf(to, identity)];
  const names = inOrder(oldNames, newNames);
  const [oldPlaces, newPlaces] = [placesOf(oldNames), placesOf(newNames)];
  const items = names.map((name): ListItem => {
    const [old, now] = [oldPlaces.get(name), newPlaces.get(name)];
    const value = (list: readonly unknown[], index: number | undefined) =>
      index === undefined ? undefined : list[index];
    const difference = compareValues(value(from, old), value(to, now), kind, [...path, now ?? old ?? 0]);
    return { difference, from: old, to: now };
  });
  if (items.some(({ difference }) => difference.kind !== "same")) return { kind: "list", items };
  const moved = identity.ordered && items.some((item) => item.from !== item.to);
  return moved ? { kind: "changed", from, to } : { kind: "same", value: to };
}

/** Items with the same name are numbered in their order. */
function namesOf(list: readonly unknown[], { nameOf, partOf }: Identity): string[] {
  const counts = new Map<string, number>();
  return list.map((item, index) => {
    const name = `${partOf?.(list, index) ?? ""} ${nameOf(item, index)}`;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return JSON.stringify([name, count]);
  });
}

function placesOf(names: readonly string[]): ReadonlyMap<string, number> {
  return new Map(names.map((name, index) => [name, index]));
}

/** All items of the new side in their order, with removed items at their former places. */
function inOrder(from: readonly string[], to: readonly string[]): string[] {
  const kept = new Set(to);
  const gone = new Map<string | undefined, string[]>();
  let before: string | undefined;
  for (const name of from) {
    if (kept.has(name)) before = name;
    else gone.set(before, [...(gone.get(before) ?? []), name]);
  }
  return [...(gone.get(undefined) ?? []), ...to.flatMap((name) => [name, ...(gone.get(name) ?? [])])];
}

function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

interface Identity {
  readonly nameOf: (item: unknown, index: number) => string;
  readonly ordered: boolean;
  /** For a list in parts: the part of an item. Items of different parts are never the same. */
  readonly partOf?: (list: readonly unknown[], index: number) => string;
}

/** Items are identified by these fields together. */
const by = (...fields: readonly string[]): Identity => named((item) => fields.map((field) => item[field]));

/**
 * A term is identified by its id, name or alias. A term with tags is identified by their keys, so a changed tag value
 * changes the term.
 */
const term: Identity = named((item) =>
  isFields(item["tags"])
    ? [...Object.keys(item["tags"]).toSorted(), item["ownerID"], item["name"]]
    : // The whole term. The order of its keys does not matter, because a server sorts them.
      item,
);

const BY_INDEX: Identity = { nameOf: (_item, index) => String(index), ordered: true };

const TEMPLATE = ["spec", "template", "spec"];

/** Lists without a meaningful order, because Karpenter merges or hashes them as sets. */
const LISTS: Readonly<Record<string, readonly (readonly [path: FieldPath, identity: Identity])[]>> = {
  NodePool: [
    [[...TEMPLATE, "requirements"], { ...by("key", "operator"), partOf: partAt }],
    [[...TEMPLATE, "taints"], by("key", "effect")],
    [[...TEMPLATE, "startupTaints"], by("key", "effect")],
    [
      ["spec", "disruption", "budgets"],
      named(({ schedule, duration, reasons }) => [schedule, duration, sortedReasons(reasons)]),
    ],
  ],
  EC2NodeClass: [
    // If no mapping is marked as the root volume, Karpenter uses the size of the last one
    // (docs/upstream/karpenter.md#root-volume).
    [["spec", "blockDeviceMappings"], { ...by("deviceName"), ordered: true }],
    ...["subnet", "securityGroup", "capacityReservation", "ami"].map(
      (what) => [["spec", `${what}SelectorTerms`], term] as const,
    ),
    [["spec", "networkInterfaces"], by("networkCardIndex", "deviceIndex")],
  ],
  ValidatingAdmissionPolicy: [
    [["spec", "matchConditions"], { ...by("name"), ordered: true }],
    [["spec", "variables"], { ...by("name"), ordered: true }],
    [["spec", "validations"], BY_INDEX],
    [["spec", "matchConstraints", "resourceRules"], BY_INDEX],
  ],
};

const SET: Identity = named((item) => item);

/** The order of these lists may matter to the kubelet, and HyperShift hashes them in order. */
const KUBELET: FieldPath = ["spec", "kubelet"];

function identityOf(kind: string, path: FieldPath): Identity {
  const known = LISTS[kind]?.find(([pattern]) => samePath(path, pattern));
  // It is unknown whether the order of another provider's lists matters, so it is kept.
  const isForeign = kind !== "EC2NodeClass" && kind.endsWith("NodeClass");
  if (isForeign || (kind === "EC2NodeClass" && startsWithPath(path, KUBELET))) return { ...SET, ordered: true };
  // Other lists have plain values, such as those of a requirement, or items that are compared whole.
  return known === undefined ? SET : known[1];
}

function named(what: (item: Fields) => unknown): Identity {
  return { nameOf: (item) => canonical(isFields(item) ? what(item) : item), ordered: false };
}

function sortedReasons(reasons: unknown): unknown {
  return Array.isArray(reasons) ? reasons.map(String).toSorted() : null;
}
