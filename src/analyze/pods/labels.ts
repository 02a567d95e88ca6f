/** Explains why the labels that a pod asks for conflict with a pool, with the places. */
import type { Catalogue } from "../../karpenter/catalogue/catalogue.ts";
import {
  admitsAbsence,
  formatRequirement,
  normalizeKey,
  type Requirement,
} from "../../karpenter/requirements/requirement.ts";
import { compatible, goTogether } from "../../karpenter/requirements/requirements.ts";
import { isNone } from "../../karpenter/catalogue/type-mask.ts";
import { nearestWord } from "../../krm/values/nearest-word.ts";
import { type FieldPath, valueAt } from "../../krm/places/field-path.ts";
import { locationOf } from "../../krm/places/location.ts";
import type { PoolRequirement } from "../../resolve/pool-requirements.ts";
import type { PodPool } from "./pool.ts";
import { merged, type PodStage } from "../../karpenter/scheduling/pod-stages.ts";
import { and } from "../explain/amounts.ts";
import type { PodDemand, PodEntry } from "../../karpenter/scheduling/pod-requests.ts";
import { typesOf } from "../../karpenter/catalogue/type-filter.ts";
import type { InstanceTypes } from "../explain/remaining-types.ts";

/** Undefined if they are compatible. */
export function labelConflict(
  pod: PodDemand,
  stage: PodStage,
  target: PodPool,
  { filter }: InstanceTypes,
): (() => string) | undefined {
  const { wellKnown } = filter.catalogue;
  const error = compatible(target.requirements, stage.requirements, wellKnown);
  if (error === undefined) return undefined;
  return () => {
    const unknown = unknownKey(stage, target, wellKnown);
    const sides =
      unknown === undefined
        ? sidesText(pod, stage, target, filter.catalogue)
        : `${askingEntries(pod, stage, unknown)} asks for it, and the pool does not set it on its nodes`;
    // Karpenter's own hint takes precedence.
    const known =
      unknown === undefined || error.includes("typo of") ? [] : [...target.requirements.keys(), ...wellKnown];
    return `incompatible requirements, ${error}: ${sides}${didYouMean(nearestWord(unknown ?? "", known, 3))}`;
  };
}

/**
 * Karpenter finds no domain for a required spread or pod affinity over a label that nodes of the pool do not have
 * (docs/upstream/karpenter.md#pods).
 */
export function topologyConflict(
  { spec, resource, path }: PodDemand,
  { requirements }: PodPool,
  wellKnown: ReadonlySet<string>,
): (() => string) | undefined {
  const affinity: FieldPath = ["affinity", "podAffinity", "requiredDuringSchedulingIgnoredDuringExecution"];
  const lists: readonly (readonly [string, FieldPath])[] = [
    ["topology spread", ["topologySpreadConstraints"]],
    ["pod affinity", affinity],
  ];
  for (const [what, at] of lists) {
    const list = valueAt(spec, at);
    for (const [index, one] of (Array.isArray(list) ? list : []).entries()) {
      const key = valueAt(one, ["topologyKey"]);
      if (typeof key !== "string" || valueAt(one, ["whenUnsatisfiable"]) === "ScheduleAnyway") continue;
      const known = normalizeKey(key);
      if (known === "kubernetes.io/hostname" || wellKnown.has(known) || requirements.has(known)) continue;
      return () =>
        `${what} over ${key} (${locationOf(resource, [...path, ...at, index])}), which the pool does not set on its nodes`;
    }
  }
  return undefined;
}

/** The first key by name that the pool does not define. Karpenter stops there. */
function unknownKey({ requirements }: PodStage, target: PodPool, wellKnown: ReadonlySet<string>): string | undefined {
  return [...requirements.keys()]
    .toSorted()
    .find((key) => !wellKnown.has(key) && !target.requirements.has(key) && !admitsAbsence(requirements.get(key)!));
}

function sidesText(pod: PodDemand, stage: PodStage, { requirements, demands }: PodPool, catalogue: Catalogue): string {
  const differing = [...stage.requirements].flatMap(([key, asked]) => {
    const own = requirements.get(key);
    return own === undefined || goTogether(own, asked) ? [] : [{ key, asked, own }];
  });
  const sides = differing.map(({ key, asked, own }) => {
    const against = demands.filter(({ requirement }) => requirement.key === key);
    const theirs = against.map((demand) => `${SOURCES[demand.from]} (${demandPlace(demand)})`);
    const pool = theirs.length === 0 ? "a label that Karpenter sets on every node of the pool" : and(theirs);
    const ofVolume = stage.entries.some(({ field, requirement }) => requirement.key === key && isVolume(field));
    const near = ofVolume ? undefined : nearValue(asked, own.complement ? [] : [...own.values], catalogue);
    return `${askingEntries(pod, stage, key)} against ${pool}${didYouMean(near)}`;
  });
  return sides.toSorted().join("; ");
}

/** The smallest set of requirements that together leave no instance type. */
export function typeConflict(
  pod: PodDemand,
  { entries }: PodStage,
  { demands, classDemands }: PodPool,
  { filter }: InstanceTypes,
): string {
  const fails = (some: readonly (PoolRequirement | PodEntry)[]): boolean => {
    const isOfClass = (one: PoolRequirement | PodEntry): boolean => "from" in one && one.from === "class";
    const asked = some.filter((one) => !isOfClass(one));
    return isNone(typesOf(merged(asked), merged(some.filter(isOfClass)), filter));
  };
  const all: readonly (PoolRequirement | PodEntry)[] = [...demands, ...classDemands, ...entries];
  const needed = all.reduce((left, one) => {
    const others = left.filter((other) => other !== one);
    return fails(others) ? others : left;
  }, all);
  const texts = needed.map((one) =>
    "field" in one
      ? `${requirementText(one.requirement)} (${one.field}, ${entryPlace(pod, one)})`
      : `${requirementText(one.requirement)} (${SOURCES[one.from]}, ${demandPlace(one)})`,
  );
  const [only] = needed;
  const near = needed.length === 1 ? nearValue(only!.requirement, [], filter.catalogue) : undefined;
  return `no instance type has ${and(texts)}${needed.length > 1 ? " together" : ""}${didYouMean(near)}`;
}

/** The zone of a volume is no slip of the pod. */
function isVolume(field: PodEntry["field"]): boolean {
  return field.startsWith("volume ");
}

function askingEntries(pod: PodDemand, { entries }: PodStage, key: string): string {
  const own = entries.filter(({ requirement }) => requirement.key === key);
  return and(own.map((entry) => `${entry.field} (${entryPlace(pod, entry)})`));
}

function demandPlace({ place }: PoolRequirement): string {
  return locationOf(place.resource, place.path);
}

const SOURCES: Readonly<Record<PoolRequirement["from"], string>> = {
  policy: "policy",
  user: "pool",
  label: "node label",
  class: "node class",
};

function requirementText(requirement: Requirement): string {
  return `${requirement.key} ${formatRequirement(requirement)}`;
}

function entryPlace(pod: PodDemand, { resource = pod.resource, path }: PodEntry): string {
  return locationOf(resource, path);
}

/** The value that was probably meant; undefined if instance types have the given one. */
function nearValue({ key, values, complement }: Requirement, own: readonly string[], catalogue: Catalogue) {
  const [value] = values;
  if (complement || values.size !== 1 || value === undefined) return undefined;
  const known = valuesOfLabel(key, catalogue);
  if (known.has(value)) return undefined;
  return nearestWord(value, [...own, ...known], Math.min(2, Math.ceil(value.length / 3)));
}

function valuesOfLabel(key: string, { labels, offerings }: Catalogue): ReadonlySet<string> {
  const ofTypes = labels.get(key)?.sets ?? [];
  const offered = offerings.sets.flatMap((set) => set.flatMap(({ requirements }) => requirements.get(key) ?? []));
  return new Set([...ofTypes, ...offered].flatMap(({ values }) => [...values]));
}

function didYouMean(word: string | undefined): string {
  return word === undefined ? "" : `; did you mean ${word}?`;
}
