/** Generates pairs of policies, and computes their differences with every node and wrapper of a small catalogue. */
import * as fc from "fast-check";
import { type Relation } from "../../../src/analyze/diff/policies/compare-policies.ts";
import { type InstanceTypes, remainingTypes } from "../../../src/analyze/explain/remaining-types.ts";
import { offeredTypes } from "../../../src/karpenter/catalogue/reserved-capacity.ts";
import { isNone } from "../../../src/karpenter/catalogue/type-mask.ts";
import { admitsAbsence, has, isEmpty, requirementOf } from "../../../src/karpenter/requirements/requirement.ts";
import { type Requirements, requirementsOf } from "../../../src/karpenter/requirements/requirements.ts";
import type { NodeSelectorRequirement } from "../../../src/model/requirements/requirement.ts";
import type { PoolRequirement } from "../../../src/resolve/pool-requirements.ts";
import { CATALOGUE, entry } from "../instance-types.ts";
import { RESERVATION, side } from "./questions.ts";

const BANDWIDTH = "karpenter.k8s.aws/instance-network-bandwidth";
const ZONE_ID = "topology.k8s.aws/zone-id";

const more = fc.array(
  fc.constantFrom(
    "tier Gt 4",
    "tier Lt 6",
    "tier NotIn 5",
    "tier NotIn gold,silver",
    "tier DoesNotExist",
    "tier In gold,silver",
    "gpus NotIn 1,4",
    "gpus In 1,4",
    "cpu In 4,8",
    "cpu Lt 9",
    "cpu Exists min 2",
    "family In m5,c5,m7g",
    "family NotIn m5",
    "family In m5,m7g min 2",
    "type Exists min 3",
    "type In m5.xlarge,m5.2xlarge,m7g.xlarge",
    "zone In us-east-1a,us-east-1b",
    "zone NotIn us-east-1c",
    `${ZONE_ID} In use1-az1`,
    `${BANDWIDTH} Gt 99`,
    "arch Exists",
    "capacity In spot,on-demand",
  ),
  { maxLength: 3 },
);

const one = fc.oneof(
  side,
  more,
  fc.tuple(side, more).map(([a, b]) => [...a, ...b]),
);

/** Two independent ones, or one with additions and removals: rewrites are usually similar. */
export const policyPair = fc.oneof(
  fc.tuple(one, one),
  fc
    .tuple(one, one, fc.nat(6))
    .map(([from, added, at]) => [from, [...from.filter((_, index) => index !== at), ...added]]),
  fc.tuple(one, one).map(([from, added]) => [[...from, ...added], from]),
) as fc.Arbitrary<readonly [readonly string[], readonly string[]]>;

const filter = offeredTypes(CATALOGUE);

export const SMALL: InstanceTypes = { filter, profile: "hypershift" };

type Labels = ReadonlyMap<string, string | undefined>;

/** Labels that the catalogue does not have. */
const FREE: Readonly<Record<string, readonly (string | undefined)[]>> = {
  "example.com/tier": [undefined, "gold", "silver", "bronze", "", "0", "4", "5", "05", "6", "7"],
  [RESERVATION]: [undefined, "cr-1", "other", "7"],
  [ZONE_ID]: [undefined, "use1-az1", "other", "7"],
  [BANDWIDTH]: [undefined, "fast", "7", "500"],
};

function* nodesOf(keys: readonly string[]): Iterable<Labels> {
  const free = keys.filter((key) => FREE[key] !== undefined);
  const { names, labels, offerings } = filter.catalogue;
  for (const type of names.keys()) {
    const fixed = [...labels].map(([key, { sets, of }]) => [key, [...sets[of[type]!]!.values][0]] as const);
    for (const offering of offerings.sets[offerings.of[type]!]!) {
      if (!offering.available) continue;
      const offered = [...offering.requirements.values()].map(({ key, values }) => [key, [...values][0]] as const);
      const open = free.filter((key) => !offering.requirements.has(key));
      yield* withFree(new Map<string, string | undefined>([...fixed, ...offered]), open);
    }
  }
}

function* withFree(labels: Labels, [key, ...others]: readonly string[]): Iterable<Labels> {
  if (key === undefined) return yield labels;
  for (const value of FREE[key]!) yield* withFree(new Map([...labels, [key, value]]), others);
}

function admitsNode(policy: Requirements, labels: Labels): boolean {
  return [...policy.values()].every((requirement) => {
    const value = labels.get(requirement.key);
    return value === undefined ? admitsAbsence(requirement) : has(requirement, value);
  });
}

function launches(policy: readonly NodeSelectorRequirement[], wrapper: readonly NodeSelectorRequirement[]): boolean {
  const demands = [...policy, ...wrapper].map(
    (one) => ({ from: "user", requirement: requirementOf(one) }) as PoolRequirement,
  );
  const { types, shortfall } = remainingTypes(demands, SMALL);
  return !isNone(types) && shortfall.size === 0;
}

const known = (key: string): string[] =>
  key in FREE
    ? FREE[key]!.flatMap((value) => value ?? [])
    : [...new Set([...nodesOf([])].flatMap((labels) => labels.get(key) ?? []))];

function subsets<T>([first, ...others]: readonly T[]): T[][] {
  if (first === undefined) return [[]];
  const rest = subsets(others);
  return [...rest, ...rest.map((some) => [first, ...some])];
}

/** Whether the first admits something that the second does not. */
function gains(to: readonly NodeSelectorRequirement[], from: readonly NodeSelectorRequirement[]): boolean {
  const [now, old] = [requirementsOf(to), requirementsOf(from)];
  if (!launches(to, [])) return false;
  if (!launches(from, [])) return true;
  const keys = [...new Set([...now.keys(), ...old.keys()])];
  for (const labels of nodesOf(keys)) if (admitsNode(now, labels) && !admitsNode(old, labels)) return true;
  if (bringsNewerType(now, old)) return true;
  const minima = keys.filter((key) => old.get(key)?.minValues !== undefined);
  return minima.some((key) =>
    subsets(known(key)).some((values) => {
      if (values.length === 0) {
        const absent = [{ key, operator: "DoesNotExist" as const }];
        return admitsLabel(now, key, undefined) && launches(to, absent) && !launches(from, absent);
      }
      if (!values.some((value) => admitsLabel(now, key, value))) return false;
      const listed = [{ key, operator: "In" as const, values }];
      return launches(to, listed) && !launches(from, listed);
    }),
  );
}

function admitsLabel(policy: Requirements, key: string, value: string | undefined): boolean {
  const requirement = policy.get(key);
  if (requirement === undefined) return true;
  return value === undefined ? admitsAbsence(requirement) : has(requirement, value);
}

/** A type name that the catalogue does not have: nothing is known of the type, and it is offered everywhere. */
function bringsNewerType(now: Requirements, old: Requirements): boolean {
  const NAMED = [
    "node.kubernetes.io/instance-type",
    ...["family", "cpu", "gpu-count"].map((name) => `karpenter.k8s.aws/instance-${name}`),
  ];
  const unknownOf = (key: string): string[] => {
    const { complement, values } = now.get(key) ?? { complement: true, values: new Set<string>() };
    return complement ? [] : [...values].filter((value) => !known(key).includes(value));
  };
  const names = now.get(NAMED[0]!);
  if (names !== undefined && !names.complement && unknownOf(NAMED[0]!).length === 0) return false;
  const rest = [...now].filter(([key]) => !NAMED.includes(key) && !(key in FREE) && key !== "kubernetes.io/arch");
  const offered = [...nodesOf([])].some((labels) => admitsNode(new Map(rest), labels));
  const contradictory = [...now.values()].some((one) => isEmpty(one) && one.key !== NAMED[3] && !(one.key in FREE));
  if (!offered || contradictory) return false;
  return NAMED.some((key) => unknownOf(key).some((value) => !admitsLabel(old, key, value)));
}

export function bruteRelation(from: readonly string[], to: readonly string[]): Relation {
  const [old, now] = [from.map(entry), to.map(entry)];
  const [gained, lost] = [gains(now, old), gains(old, now)];
  if (!gained) return lost ? "tighter" : "equivalent";
  if (!lost) return "looser";
  const [a, b] = [requirementsOf(old), requirementsOf(now)];
  if (!launches(old, []) || !launches(now, [])) return "incomparable";
  for (const labels of nodesOf([...a.keys(), ...b.keys()]))
    if (admitsNode(a, labels) && admitsNode(b, labels)) return "incomparable";
  return "disjoint";
}
