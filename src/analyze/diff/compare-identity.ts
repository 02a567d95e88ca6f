/** What names the items of a list, and whether their order says anything. */
import { type Fields, isFields } from "../../karpenter/conversion/plain-fields.ts";
import { type FieldPath, samePath, startsWithPath } from "../../krm/field-path.ts";
import { canonical } from "../../krm/canonical.ts";
import { partAt } from "./guarded-part.ts";

export interface Identity {
  readonly nameOf: (item: unknown, index: number) => string;
  readonly ordered: boolean;
  /** Of a list in parts: in which of them an item stands. Items of different parts are different ones. */
  readonly partOf?: (list: readonly unknown[], index: number) => string;
}

/** The items are named by these fields together. */
const by = (...fields: readonly string[]): Identity => named((item) => fields.map((field) => item[field]));

/** A term is its id, name or alias; one by tags is its keys, so that another value of a tag is a change of the term. */
const term: Identity = named((item) =>
  isFields(item["tags"])
    ? [...Object.keys(item["tags"]).toSorted(), item["ownerID"], item["name"]]
    : // Itself, whatever the order of its keys: a server sorts them.
      item,
);

const AS_THEY_STAND: Identity = { nameOf: (_item, index) => String(index), ordered: true };

const TEMPLATE = ["spec", "template", "spec"];

/** Lists whose order Karpenter does not look at: it merges, unites or hashes them as sets. */
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
    // Where no mapping is the root volume, Karpenter takes the last one's size for it
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
    [["spec", "validations"], AS_THEY_STAND],
    [["spec", "matchConstraints", "resourceRules"], AS_THEY_STAND],
  ],
};

const SET: Identity = named((item) => item);

/** The kubelet reads its own lists, and HyperShift hashes them as they stand. */
const KUBELET: FieldPath = ["spec", "kubelet"];

export function identityOf(kind: string, path: FieldPath): Identity {
  const known = LISTS[kind]?.find(([pattern]) => samePath(path, pattern));
  // What another provider makes of the order of its own lists nobody here knows.
  const isForeign = kind !== "EC2NodeClass" && kind.endsWith("NodeClass");
  if (isForeign || (kind === "EC2NodeClass" && startsWithPath(path, KUBELET))) return { ...SET, ordered: true };
  // Elsewhere lists are of plain values, such as those of a requirement, or of whole items.
  return known === undefined ? SET : known[1];
}

function named(what: (item: Fields) => unknown): Identity {
  return { nameOf: (item) => canonical(isFields(item) ? what(item) : item), ordered: false };
}

function sortedReasons(reasons: unknown): unknown {
  return Array.isArray(reasons) ? reasons.map(String).toSorted() : null;
}
