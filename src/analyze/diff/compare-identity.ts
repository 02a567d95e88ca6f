/** Which fields identify the items of a list, and whether their order matters. */
import { type Fields, isFields } from "../../karpenter/conversion/plain-fields.ts";
import { type FieldPath, samePath, startsWithPath } from "../../krm/field-path.ts";
import { canonical } from "../../krm/canonical.ts";
import { partAt } from "./guarded-part.ts";

export interface Identity {
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

export function identityOf(kind: string, path: FieldPath): Identity {
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
