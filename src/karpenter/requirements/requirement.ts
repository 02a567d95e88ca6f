/** Implements Karpenter's requirement algebra for one label key. */
import type { NodeSelectorRequirement } from "../../model/requirements/requirement.ts";
import { byBytes } from "../../model/values/by-bytes.ts";
import { memoizeByObject } from "../../model/schema/memoize.ts";
import { atoi, MAX_INT64, wrapped } from "../../model/values/int64.ts";

/**
 * The set of allowed values of a label: a list, or all but a list, within integer bounds. The algebra is that of
 * docs/upstream/karpenter.md#requirements.
 */
export interface Requirement {
  readonly key: string;
  /** True: every value but `values`, and the label may be absent unless bounds or an empty list say otherwise. */
  readonly complement: boolean;
  readonly values: ReadonlySet<string>;
  readonly gte?: bigint | undefined;
  readonly lte?: bigint | undefined;
  readonly minValues?: number | undefined;
}

/** The operator that Karpenter reports for a merged requirement: Exists for bounds alone. */
export type EffectiveOperator = "In" | "NotIn" | "Exists" | "DoesNotExist";

const NORMALIZED_KEYS: Readonly<Record<string, string>> = {
  "failure-domain.beta.kubernetes.io/zone": "topology.kubernetes.io/zone",
  "failure-domain.beta.kubernetes.io/region": "topology.kubernetes.io/region",
  "beta.kubernetes.io/arch": "kubernetes.io/arch",
  "beta.kubernetes.io/os": "kubernetes.io/os",
  "beta.kubernetes.io/instance-type": "node.kubernetes.io/instance-type",
  // The AWS provider adds this one (pkg/operator/operator.go).
  "topology.ebs.csi.aws.com/zone": "topology.kubernetes.io/zone",
};

/** The key that Karpenter uses for a deprecated alias. */
export function normalizeKey(key: string): string {
  return Object.hasOwn(NORMALIZED_KEYS, key) ? NORMALIZED_KEYS[key]! : key;
}

/** Converts an entry of a requirements list. Like Karpenter, it ignores values that validation would have refused. */
export function requirementOf(entry: NodeSelectorRequirement): Requirement {
  const { operator, values = [], minValues } = entry;
  const key = normalizeKey(entry.key);
  const base = { key, complement: true, values: new Set<string>(), ...(minValues === undefined ? {} : { minValues }) };
  const bound = (): bigint => atoi(values[0] ?? "").value;
  switch (operator) {
    case "In":
      return { ...base, complement: false, values: new Set(values) };
    case "DoesNotExist":
      return { ...base, complement: false };
    case "NotIn":
      return { ...base, values: new Set(values) };
    case "Exists":
      return base;
    case "Gt":
      // Nothing is greater than the largest integer; minValues is lost with it.
      return bound() === MAX_INT64 ? { key, complement: false, values: new Set() } : { ...base, gte: bound() + 1n };
    case "Lt":
      return { ...base, lte: wrapped(bound() - 1n) };
    case "Gte":
      return { ...base, gte: bound() };
    case "Lte":
      return { ...base, lte: bound() };
  }
}

/** The values that satisfy both; commutative. */
export function intersection(a: Requirement, b: Requirement): Requirement {
  const gte = largest(a.gte, b.gte);
  const lte = smallest(a.lte, b.lte);
  const minValues = largest(a.minValues, b.minValues);
  const base = { key: a.key, ...(minValues === undefined ? {} : { minValues }) };
  if (gte !== undefined && lte !== undefined && gte > lte) return { ...base, complement: false, values: new Set() };
  const complement = a.complement && b.complement;
  const combined = combineValues(a, b);
  const isBounded = gte !== undefined || lte !== undefined;
  const values = isBounded ? new Set([...combined].filter((value) => withinBounds(value, gte, lte))) : combined;
  if (!complement) return { ...base, complement, values };
  return { ...base, complement, values, ...(gte === undefined ? {} : { gte }), ...(lte === undefined ? {} : { lte }) };
}

/**
 * Whether any value satisfies both, as Karpenter compares labels: two complements always intersect, even if the bounds
 * leave only excluded values.
 */
export function hasIntersection(a: Requirement, b: Requirement): boolean {
  const gte = largest(a.gte, b.gte);
  const lte = smallest(a.lte, b.lte);
  if (gte !== undefined && lte !== undefined && gte > lte) return false;
  if (a.complement && b.complement) return true;
  const [listed, other] = a.complement ? [b, a] : [a, b];
  for (const value of listed.values) {
    if (other.values.has(value) !== other.complement && withinBounds(value, gte, lte)) return true;
  }
  return false;
}

/** Whether a label may have this value. */
export function has({ complement, values, gte, lte }: Requirement, value: string): boolean {
  return values.has(value) !== complement && withinBounds(value, gte, lte);
}

/** The entries that Karpenter writes to a NodeClaim: excluded values are lost if there are bounds. */
export function serialize(requirement: Requirement): NodeSelectorRequirement[] {
  const { key, gte, lte, minValues } = requirement;
  const entry = (operator: NodeSelectorRequirement["operator"], values?: readonly string[]) => ({
    key,
    operator,
    ...(values === undefined ? {} : { values: [...values] }),
    ...(minValues === undefined ? {} : { minValues }),
  });
  const bounds = [
    ...(gte === undefined ? [] : [entry("Gte", [String(gte)])]),
    ...(lte === undefined ? [] : [entry("Lte", [String(lte)])]),
  ];
  if (bounds.length > 0) return bounds;
  const operator = operatorOf(requirement);
  return [entry(operator, requirement.values.size > 0 ? sortedValues(requirement) : undefined)];
}

/** The requirement that a NodeClaim's entries express to the provider, which gets nothing else of a static pool. */
export function asWritten(requirement: Requirement): Requirement {
  const { complement, values, gte, lte } = requirement;
  const isLost = complement && values.size > 0 && (gte !== undefined || lte !== undefined);
  return isLost ? { ...requirement, values: new Set() } : requirement;
}

export function operatorOf(requirement: Requirement): EffectiveOperator {
  if (requirement.complement) return requirement.values.size > 0 ? "NotIn" : "Exists";
  return requirement.values.size > 0 ? "In" : "DoesNotExist";
}

/** Whether only an absent label satisfies it, as after a contradiction. */
export function isEmpty(requirement: Requirement): boolean {
  return operatorOf(requirement) === "DoesNotExist";
}

/**
 * Whether an instance type without the label matches. Both operators are then NotIn or DoesNotExist, which Karpenter
 * accepts even if the sets are disjoint (docs/upstream/karpenter.md#absent-labels).
 */
export function admitsAbsence(requirement: Requirement): boolean {
  const operator = operatorOf(requirement);
  return operator === "NotIn" || operator === "DoesNotExist";
}

/** Memoized, because thousands of pools have the same requirement. */
export const sortedValues = memoizeByObject(({ values }: Requirement): readonly string[] =>
  [...values].toSorted(byBytes),
);

/** Karpenter's print form without the key: `In [a b]`, `NotIn [x] >=4`, `Exists >=4 <=4`, `DoesNotExist`. */
export function formatRequirement(requirement: Requirement): string {
  const operator = operatorOf(requirement);
  const sorted = sortedValues(requirement);
  const shown = sorted.length > 5 ? [...sorted.slice(0, 5), `and ${sorted.length - 5} others`] : sorted;
  let text: string = operator === "In" || operator === "NotIn" ? `${operator} [${shown.join(" ")}]` : operator;
  if (requirement.gte !== undefined) text += ` >=${requirement.gte}`;
  if (requirement.lte !== undefined) text += ` <=${requirement.lte}`;
  if (requirement.minValues !== undefined) text += ` minValues ${requirement.minValues}`;
  return text;
}

function combineValues(a: Requirement, b: Requirement): ReadonlySet<string> {
  if (a.complement && b.complement) return a.values.union(b.values);
  if (a.complement) return b.values.difference(a.values);
  return b.complement ? a.values.difference(b.values) : a.values.intersection(b.values);
}

function withinBounds(value: string, gte: bigint | undefined, lte: bigint | undefined): boolean {
  if (gte === undefined && lte === undefined) return true;
  const number = atoi(value);
  return number.valid && (gte === undefined || number.value >= gte) && (lte === undefined || number.value <= lte);
}

function largest<T extends bigint | number>(a: T | undefined, b: T | undefined): T | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a > b ? a : b;
}

function smallest(a: bigint | undefined, b: bigint | undefined): bigint | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a < b ? a : b;
}
