/** Karpenter's requirements by label key, merged, and whether two sets of them go together. */
import type { NodeSelectorRequirement } from "../../model/requirement.ts";
import { byBytes } from "../../model/by-bytes.ts";
import {
  admitsAbsence,
  formatRequirement,
  hasIntersection,
  intersection,
  type Requirement,
  requirementOf,
} from "./requirement.ts";

/**
 * By normalised key; a key that is not there may have any value, or be absent. The rules are those of
 * docs/upstream/karpenter.md#requirements.
 */
export type Requirements = ReadonlyMap<string, Requirement>;

/** Those of one key are all to be met. */
export function mergedByKey(requirements: Iterable<Requirement>): Requirements {
  const merged = new Map<string, Requirement>();
  for (const requirement of requirements) {
    const known = merged.get(requirement.key);
    merged.set(requirement.key, known === undefined ? requirement : intersection(requirement, known));
  }
  return merged;
}

/** Entries as a NodePool lists them. */
export function requirementsOf(entries: readonly NodeSelectorRequirement[]): Requirements {
  return mergedByKey(entries.map(requirementOf));
}

/** Each label counts as `In [value]`. */
export function labelRequirements(labels: Readonly<Record<string, string>>): Requirements {
  return mergedByKey(
    Object.entries(labels).map(([key, value]) => requirementOf({ key, operator: "In", values: [value] })),
  );
}

export function addRequirements(base: Requirements, more: Requirements): Requirements {
  return mergedByKey([...base.values(), ...more.values()]);
}

/** Undefined when they go together; else Karpenter's words for each key that does not, by key (its order is random). */
export function intersects(existing: Requirements, incoming: Requirements): string | undefined {
  const errors: string[] = [];
  for (const key of [...existing.keys()].toSorted(byBytes)) {
    const [mine, theirs] = [existing.get(key)!, incoming.get(key)];
    if (theirs === undefined || goTogether(mine, theirs)) continue;
    errors.push(`key ${key}, ${withKey(theirs)} not in ${withKey(mine)}`);
  }
  return errors.length === 0 ? undefined : errors.join("; ");
}

/**
 * Whether two requirements of one key go together. Where both say NotIn or DoesNotExist, Karpenter takes a contradiction
 * for agreement: the label is absent on both sides (docs/upstream/karpenter.md#absent-labels).
 */
export function goTogether(existing: Requirement, incoming: Requirement): boolean {
  return hasIntersection(existing, incoming) || (admitsAbsence(existing) && admitsAbsence(incoming));
}

/**
 * Whether `existing` can be loosely met by `incoming`: as `intersects`, and `existing` must know every key that
 * `incoming` asks for, but for those of `allowUndefined` (Karpenter: the well-known labels).
 */
export function compatible(
  existing: Requirements,
  incoming: Requirements,
  allowUndefined: ReadonlySet<string>,
): string | undefined {
  for (const [key, requirement] of [...incoming].toSorted(([a], [b]) => byBytes(a, b))) {
    if (allowUndefined.has(key) || existing.has(key) || admitsAbsence(requirement)) continue;
    return `label "${key}" does not have known values${hint(key, [...allowUndefined], [...existing.keys()])}`;
  }
  return intersects(existing, incoming);
}

/** Karpenter's print form of all keys; the host name is never shown. */
export function formatRequirements(requirements: Requirements): string {
  const shown = [...requirements.values()].filter((requirement) => requirement.key !== "kubernetes.io/hostname");
  return shown.map(withKey).toSorted(byBytes).join(", ");
}

function withKey(requirement: Requirement): string {
  return `${requirement.key} ${formatRequirement(requirement)}`;
}

/** Karpenter takes the first that fits in random order; here it is the first by name. */
function hint(key: string, wellKnown: readonly string[], existing: readonly string[]): string {
  const name = key.includes("/") ? key.slice(key.indexOf("/") + 1) : key;
  const near = (known: string): boolean => known.includes(key) || known.endsWith(name);
  const found = wellKnown.toSorted().find(near) ?? existing.toSorted().find(near);
  return found === undefined ? "" : ` (typo of "${found}"?)`;
}
