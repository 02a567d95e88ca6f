/** Merges requirements by label key and checks compatibility, as Karpenter does. */
import type { NodeSelectorRequirement } from "../../model/requirements/requirement.ts";
import { byBytes } from "../../model/values/by-bytes.ts";
import {
  admitsAbsence,
  formatRequirement,
  hasIntersection,
  intersection,
  type Requirement,
  requirementOf,
} from "./requirement.ts";

/**
 * By normalized key. A key that is not listed may have any value or be absent. The rules are those of
 * docs/upstream/karpenter.md#requirements.
 */
export type Requirements = ReadonlyMap<string, Requirement>;

/** All requirements on a key must be met. */
export function mergedByKey(requirements: Iterable<Requirement>): Requirements {
  const merged = new Map<string, Requirement>();
  for (const requirement of requirements) {
    const known = merged.get(requirement.key);
    merged.set(requirement.key, known === undefined ? requirement : intersection(requirement, known));
  }
  return merged;
}

/** Entries of a NodePool's list. */
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

/**
 * Undefined if compatible; else Karpenter's error for each incompatible key, sorted by key (Karpenter's order is
 * random).
 */
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
 * Whether two requirements on one key are compatible. If both are NotIn or DoesNotExist, Karpenter treats a
 * contradiction as agreement: the label is absent on both sides (docs/upstream/karpenter.md#absent-labels).
 */
export function goTogether(existing: Requirement, incoming: Requirement): boolean {
  return hasIntersection(existing, incoming) || (admitsAbsence(existing) && admitsAbsence(incoming));
}

/**
 * As `intersects`; in addition, `existing` must define every key of `incoming` except those of `allowUndefined` (in
 * Karpenter: the well-known labels).
 *
 * @returns undefined if compatible, else Karpenter's error
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

/** Karpenter's string of all keys, without the host name. */
export function formatRequirements(requirements: Requirements): string {
  const shown = [...requirements.values()].filter((requirement) => requirement.key !== "kubernetes.io/hostname");
  return shown.map(withKey).toSorted(byBytes).join(", ");
}

function withKey(requirement: Requirement): string {
  return `${requirement.key} ${formatRequirement(requirement)}`;
}

/** Karpenter takes the first match in random order; here the first by name. */
function hint(key: string, wellKnown: readonly string[], existing: readonly string[]): string {
  const name = key.includes("/") ? key.slice(key.indexOf("/") + 1) : key;
  const near = (known: string): boolean => known.includes(key) || known.endsWith(name);
  const found = wellKnown.toSorted().find(near) ?? existing.toSorted().find(near);
  return found === undefined ? "" : ` (typo of "${found}"?)`;
}
