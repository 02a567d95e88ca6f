/** Generates pairs of requirement lists, and computes the effect on a pool with every node of a small catalogue. */
import * as fc from "fast-check";
import { expect } from "vitest";
import type { Effect } from "../../../src/analyze/diff/change-effect.ts";
import { compareObjects, type ObjectChange } from "../../../src/analyze/diff/compare-objects.ts";
import { offerComparer } from "../../../src/analyze/diff/offers/compare-offers.ts";
import type { SideObject } from "../../../src/analyze/diff/sides.ts";
import { type InstanceTypes, remainingTypes } from "../../../src/analyze/explain/remaining-types.ts";
import { type Catalogue, type Offering, UNKNOWN } from "../../../src/karpenter/catalogue/catalogue.ts";
import { offeredTypes } from "../../../src/karpenter/catalogue/reserved-capacity.ts";
import { labelPresence } from "../../../src/karpenter/requirements/label-presence.ts";
import { admitsAbsence, has, requirementOf } from "../../../src/karpenter/requirements/requirement.ts";
import { type Requirements, requirementsOf } from "../../../src/karpenter/requirements/requirements.ts";
import type { KubeObject } from "../../../src/model/objects/kube-object.ts";
import type { NodeSelectorRequirement } from "../../../src/model/requirements/requirement.ts";
import { entry } from "../instance-types.ts";
import { policyPair } from "./policy-pairs.ts";
import { CATALOGUES, RESERVATION } from "./questions.ts";

const AWS = "karpenter.k8s.aws/instance-";
const TYPE = "node.kubernetes.io/instance-type";
const ZONE = "topology.kubernetes.io/zone";
const CAPACITY = "karpenter.sh/capacity-type";

/** Families and GPUs of every second type are unknown, like those of newer types. */
function patchy(catalogue: Catalogue): Catalogue {
  const columns = [...catalogue.labels].map(([key, { sets, of }]) => {
    const isPatchy = key === `${AWS}family` || key === `${AWS}gpu-count`;
    return [key, { sets, of: isPatchy ? of.map((at, type) => (type % 2 === 0 ? at : UNKNOWN)) : of }] as const;
  });
  return { ...catalogue, labels: new Map(columns) };
}

const OVER: Readonly<Record<string, Catalogue>> = { ...CATALOGUES, patchy: patchy(CATALOGUES["small"]!) };

/** Rewrites that are equivalent over some catalogue, and values of unknown types. */
const rewrites = fc.constantFrom(
  ["cpu Gt 3"],
  ["cpu Gte 4"],
  ["cpu NotIn 48"],
  ["cpu Lt 48", "cpu Gt 3"],
  ["family In m7g"],
  ["arch In arm64"],
  ["arch NotIn arm64"],
  ["family NotIn m7g"],
  ["family In c5,m5,g5,g4dn"],
  ["gpus DoesNotExist"],
  ["gpus NotIn 1,4"],
  ["family NotIn g5,g4dn"],
  ["capacity In on-demand,spot"],
  ["capacity NotIn reserved"],
  ["zone In us-east-1a"],
  ["zone NotIn us-east-1b,us-east-1c"],
  ["family In m5,m99"],
  ["type In m99.large,m5.xlarge"],
  ["type In m5.xlarge"],
);

const pairOfLists = fc.oneof(
  policyPair,
  fc.tuple(rewrites, rewrites),
  fc.tuple(policyPair, rewrites, rewrites).map(([[from, to], a, b]) => [
    [...from, ...a],
    [...to, ...b],
  ]),
) as fc.Arbitrary<readonly [readonly string[], readonly string[]]>;

export const offerPair = fc.record({
  lists: pairOfLists,
  labels: fc.oneof(
    { weight: 5, arbitrary: fc.constant<Record<string, string>>({}) },
    fc.constantFrom({ "example.com/tier": "gold" }, { "kubernetes.io/arch": "amd64" }),
  ),
  catalogue: fc.constantFrom("small", "small", "small", "patchy", "region"),
});

export type OfferPair = typeof offerPair extends fc.Arbitrary<infer T> ? T : never;

type Value = string | undefined;
type Labels = ReadonlyMap<string, Value>;

const numbers = ["1", "2", "3", "4", "5", "7", "8", "9", "15", "16", "47", "48", "49", "100", "100001"];

/** Possible values of a label that neither type nor offering sets: in and outside each range of entries. */
const FREE: Readonly<Record<string, readonly string[]>> = {
  "example.com/tier": ["gold", "silver", "bronze", "0", "4", "5", "6", "7"],
  [RESERVATION]: ["cr-1", "other"],
  [ZONE]: ["us-east-1a", "us-east-1b", "us-east-1c", "us-east-1z", "eu-west-1a", "eu-west-1b", "4"],
  [CAPACITY]: ["on-demand", "spot", "reserved"],
  "topology.k8s.aws/zone-id": ["use1-az1", "use1-az2", "other"],
  [`${AWS}network-bandwidth`]: ["50", "99", "100", "500"],
  "kubernetes.io/arch": ["amd64", "arm64"],
  "kubernetes.io/os": ["linux"],
  [`${AWS}cpu`]: numbers,
  [`${AWS}gpu-count`]: [...numbers, "999"],
  [`${AWS}family`]: ["m5", "c5", "m7g", "g5", "g4dn", "m99", "other"],
};

/** In entries, but unknown to every catalogue here. */
const BEYOND: Readonly<Record<string, readonly string[]>> = {
  [TYPE]: ["m99.large", "m5.large", "m5.xlarge", "m5.2xlarge", "m7g.xlarge"],
  [`${AWS}family`]: ["m99", "m5", "c5", "m7g"],
  [`${AWS}gpu-count`]: ["999", "1", "4"],
  [`${AWS}cpu`]: ["4", "8"],
};

interface Pool {
  readonly entries: Requirements;
  /** With template labels, each as `In [value]`. */
  readonly merged: Requirements;
  readonly labels: Readonly<Record<string, string>>;
}

const poolOf = (list: readonly NodeSelectorRequirement[], labels: Readonly<Record<string, string>>): Pool => ({
  entries: requirementsOf(list),
  merged: requirementsOf([
    ...list,
    ...Object.entries(labels).map(([key, value]) => ({ key, operator: "In" as const, values: [value] })),
  ]),
  labels,
});

const meets = (requirements: Requirements, key: string, value: Value): boolean => {
  const requirement = requirements.get(key);
  if (requirement === undefined) return true;
  return value === undefined ? admitsAbsence(requirement) : has(requirement, value);
};

const meetsAll = (requirements: Requirements, labels: Labels): boolean =>
  [...requirements.keys()].every((key) => !labels.has(key) || meets(requirements, key, labels.get(key)));

/** All possible label values on a node of the type in the offering, before requirements. */
function valuesOf(key: string, type: number, offering: Offering, { labels }: Catalogue): readonly Value[] {
  const orNone = (values: readonly string[]): readonly Value[] => (values.length === 0 ? [undefined] : values);
  const said = offering.requirements.get(key);
  if (said !== undefined) return orNone([...said.values]);
  const column = labels.get(key);
  const at = column?.of[type] ?? UNKNOWN;
  if (at !== UNKNOWN) return orNone([...column!.sets[at]!.values]);
  const presence = labelPresence(key);
  return [...(presence === "always" ? [] : [undefined]), ...(FREE[key] ?? [])];
}

/** The label of a node that is launched for the pool. */
function launchedWith(key: string, possible: readonly Value[], { merged, labels }: Pool): readonly Value[] {
  const fitting = possible.filter((value) => meets(merged, key, value));
  if (fitting.length === 0) return [];
  if (Object.hasOwn(labels, key)) return [labels[key]];
  // Karpenter does not generate labels without requirements on them.
  return labelPresence(key) === "custom" && !merged.has(key) ? [undefined] : fitting;
}

function* product(choices: readonly (readonly [string, readonly Value[]])[]): Generator<Labels> {
  const [first, ...others] = choices;
  if (first === undefined) return yield new Map();
  for (const value of first[1]) for (const rest of product(others)) yield new Map([...rest, [first[0], value]]);
}

/** The nodes that the pool may launch. */
function* nodesOf(pool: Pool, keys: readonly string[], catalogue: Catalogue): Generator<Labels> {
  const { names, offerings } = catalogue;
  for (const type of names.keys()) {
    for (const offering of offerings.sets[offerings.of[type]!]!) {
      if (!offering.available) continue;
      const all = [...new Set([TYPE, ZONE, CAPACITY, ...keys, ...Object.keys(pool.labels)])];
      yield* product(all.map((key) => [key, launchedWith(key, valuesOf(key, type, offering, catalogue), pool)]));
    }
  }
}

/** Nodes of types in the pool's entries that the catalogue does not have. */
function* newerNodes(pool: Pool, keys: readonly string[], catalogue: Catalogue): Generator<Labels> {
  const known = (key: string): ReadonlySet<Value> =>
    new Set(
      key === TYPE
        ? catalogue.names
        : (catalogue.labels.get(key)?.sets ?? []).flatMap(({ values }): Value[] => [...values]),
    );
  const isOpen = (key: string): boolean => catalogue.labels.get(key)?.of.includes(UNKNOWN) === true;
  const beyond = [...pool.entries.values()].filter(
    ({ key, complement, values }) =>
      BEYOND[key] !== undefined && !complement && !isOpen(key) && [...values].some((value) => !known(key).has(value)),
  );
  if (beyond.length === 0) return;
  const all = [...new Set([...keys, ...pool.entries.keys(), ...Object.keys(pool.labels), TYPE])];
  const choices = all.map((key): readonly [string, readonly Value[]] => {
    const presence = labelPresence(key);
    const some = key === TYPE ? [...BEYOND[TYPE]!, "other.large"].filter((name) => !known(TYPE).has(name)) : FREE[key];
    return [key, launchedWith(key, [...(presence === "always" ? [] : [undefined]), ...(some ?? [])], pool)];
  });
  for (const labels of product(choices))
    if (beyond.some(({ key, values }) => values.has(labels.get(key) ?? "") && !known(key).has(labels.get(key))))
      yield labels;
}

/** The result of brute force for a pair. */
interface Brute {
  readonly effect: Effect;
  /** Whether the catalogue has the node's type. */
  readonly known: boolean;
  readonly newer: boolean;
}

function bruteEffect(from: Pool, to: Pool, knownTypes: InstanceTypes): Brute {
  const { catalogue } = knownTypes.filter;
  const keys = [...new Set([...from.entries.keys(), ...to.entries.keys()])];
  let [known, newer, gone, stay] = [false, false, false, false];
  const judge = (labels: Labels): boolean => {
    if (!meetsAll(from.entries, labels)) return false;
    const stays = meetsAll(to.entries, labels);
    gone ||= !stays;
    stay ||= stays;
    return true;
  };
  const text = (labels: Labels): string =>
    JSON.stringify([...labels].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value ?? null));
  const [old, now] = [new Set<string>(), new Set<string>()];
  const launches = !isShort(from, knownTypes);
  for (const labels of nodesOf(from, keys, catalogue)) {
    if (launches) old.add(text(labels));
    known = judge(labels) || known;
  }
  for (const labels of newerNodes(from, keys, catalogue)) newer = judge(labels) || newer;
  if (gone) return { effect: stay ? "replaces-some" : "replaces-all", known, newer };
  for (const labels of isShort(to, knownTypes) ? [] : nodesOf(to, keys, catalogue)) now.add(text(labels));
  newer ||= newerNodes(to, keys, catalogue).next().done !== true;
  const minimum = ({ entries }: Pool, key: string) => entries.get(key)?.minValues;
  const same = old.symmetricDifference(now).size === 0 && keys.every((key) => minimum(from, key) === minimum(to, key));
  return { effect: same ? "none" : "new-nodes", known, newer };
}

/** Whether minValues cannot be met, so nothing is launched. */
function isShort(pool: Pool, knownTypes: InstanceTypes): boolean {
  const demands = [...pool.merged.values()].map((requirement) => ({ from: "user" as const, requirement }));
  return remainingTypes(demands, knownTypes).shortfall.size > 0;
}

function bruteOffer(
  pool: Pool,
  list: readonly NodeSelectorRequirement[],
  knownTypes: InstanceTypes,
): Readonly<Record<string, Set<string>>> {
  const [types, zones, capacityTypes] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const { catalogue } = knownTypes.filter;
  const keys = list.map(({ key }) => requirementOf({ key, operator: "Exists" }).key);
  for (const labels of isShort(pool, knownTypes) ? [] : nodesOf(pool, keys, catalogue)) {
    types.add(labels.get(TYPE)!);
    zones.add(labels.get(ZONE)!);
    capacityTypes.add(labels.get(CAPACITY)!);
  }
  return { types, zones, capacityTypes };
}

const REF = { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" };

function sideOf(
  requirements: readonly NodeSelectorRequirement[],
  labels: Readonly<Record<string, string>>,
): SideObject {
  const template = { metadata: { labels }, spec: { nodeClassRef: REF, requirements } };
  const object: KubeObject = {
    apiVersion: "karpenter.sh/v1",
    kind: "NodePool",
    metadata: { name: "web" },
    spec: { template },
  };
  return { object, asItStands: true, placeOf: () => undefined };
}

/** @returns the change, if any, and the brute-force result */
export function checkOfferPair({ lists, labels, catalogue: name }: OfferPair): {
  readonly change: ObjectChange | undefined;
  readonly brute: Brute;
} {
  const [before, after] = lists.map((list) => list.map(entry)) as [
    NodeSelectorRequirement[],
    NodeSelectorRequirement[],
  ];
  const knownTypes: InstanceTypes = { filter: offeredTypes(OVER[name]!), profile: "karpenter-1.14" };
  const [from, to] = [poolOf(before, labels), poolOf(after, labels)];
  const offers = { compare: offerComparer(), instanceTypesOf: () => knownTypes };
  const [change] = compareObjects([sideOf(before, labels)], [sideOf(after, labels)], [], offers);
  const brute = bruteEffect(from, to, knownTypes);
  if (change === undefined) return { change, brute };
  const [old, now] = [bruteOffer(from, before, knownTypes), bruteOffer(to, after, knownTypes)];
  const expected = (aspect: string) => ({
    gained: [...now[aspect]!.difference(old[aspect]!)].toSorted(),
    lost: [...old[aspect]!.difference(now[aspect]!)].toSorted(),
  });
  for (const aspect of ["types", "zones", "capacityTypes"] as const) {
    const { gained, lost } = change.offer![aspect];
    const names = (moved: typeof gained) => moved.map(({ name: one }) => one);
    expect({ [aspect]: { gained: names(gained), lost: names(lost) } }).toStrictEqual({ [aspect]: expected(aspect) });
    for (const { by } of [...gained, ...lost]) expect(by.length).toBeGreaterThan(0);
  }
  // If no known type matches, only the text counts.
  if (brute.known) expect(effectsFor(brute)).toContain(change.effect);
  return { change, brute };
}

/** For unknown types it cannot be decided that replacements are equal. */
function effectsFor({ effect, newer }: Brute): Effect[] {
  return newer && effect === "none" ? ["none", "new-nodes"] : [effect];
}
