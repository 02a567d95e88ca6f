/**
 * Models by trial of candidates what Karpenter admits under requirement entries of one label: independent of
 * src/karpenter, written from docs/upstream/karpenter.md#requirements.
 */
import { type Entry, KEYS } from "./scenario.ts";

const ALIASES: Readonly<Record<string, string>> = {
  "beta.kubernetes.io/arch": "kubernetes.io/arch",
  "beta.kubernetes.io/os": "kubernetes.io/os",
  "beta.kubernetes.io/instance-type": "node.kubernetes.io/instance-type",
  "failure-domain.beta.kubernetes.io/zone": "topology.kubernetes.io/zone",
  "failure-domain.beta.kubernetes.io/region": "topology.kubernetes.io/region",
  "topology.ebs.csi.aws.com/zone": "topology.kubernetes.io/zone",
};

const MAX_INT64 = 9223372036854775807n;

const labelOf = (key: string): string => ALIASES[key] ?? key;

const mayBeAbsent = (label: string): boolean => (KEYS.mayBeAbsent as readonly string[]).includes(label);

/** An integer of Go's int64, or undefined: "05" is one, "5.0" and "" are none. */
function integer(text: string): bigint | undefined {
  if (!/^[+-]?[0-9]+$/.test(text)) return undefined;
  const number = BigInt(text.startsWith("+") ? text.slice(1) : text);
  return number <= MAX_INT64 && number >= -MAX_INT64 - 1n ? number : undefined;
}

/** Whether one entry alone admits a node with this value. */
function admitsValue({ operator, values = [] }: Entry, candidate: string): boolean {
  const number = integer(candidate);
  const bound = integer(values[0] ?? "") ?? 0n;
  switch (operator) {
    case "In":
      return values.includes(candidate);
    case "NotIn":
      return !values.includes(candidate);
    case "Exists":
      return true;
    case "DoesNotExist":
      return false;
    case "Gt":
      return number !== undefined && number > bound;
    case "Lt":
      return number !== undefined && number < bound;
    case "Gte":
      return number !== undefined && number >= bound;
    case "Lte":
      return number !== undefined && number <= bound;
    default:
      throw new Error(`no operator: ${operator}`);
  }
}

const isComparison = ({ operator }: Entry): boolean => ["Gt", "Lt", "Gte", "Lte"].includes(operator);

/** Entries that list the only allowed values; no integer exceeds the largest. */
const isList = ({ operator, values = [] }: Entry): boolean =>
  operator === "In" || operator === "DoesNotExist" || (operator === "Gt" && integer(values[0] ?? "") === MAX_INT64);

/**
 * Whether a node without the label matches: only if the merged requirement is NotIn or DoesNotExist. NotIn: no entry
 * lists allowed values, and an excluded value would otherwise match. DoesNotExist: nothing remains.
 */
function admitsAbsence(entries: readonly Entry[]): boolean {
  const bounds = entries.filter(isComparison);
  const low = bounds.filter(({ operator }) => operator.startsWith("G")).map(lowest);
  const high = bounds.filter(({ operator }) => operator.startsWith("L")).map(highest);
  const impossible = low.some((from) => high.some((to) => from > to));
  if (entries.some(isList) || impossible) return !mentioned(entries).some((value) => admits(entries, value));
  const excluded = entries.filter(({ operator }) => operator === "NotIn").flatMap(({ values = [] }) => values);
  return excluded.some((value) => bounds.every((bound) => admitsValue(bound, value)));
}

const lowest = ({ operator, values = [] }: Entry): bigint => BigInt(values[0] ?? "0") + (operator === "Gt" ? 1n : 0n);
const highest = ({ operator, values = [] }: Entry): bigint => BigInt(values[0] ?? "0") - (operator === "Lt" ? 1n : 0n);

/** Every value in an entry: if entries list allowed values, no other can match. */
const mentioned = (entries: readonly Entry[]): string[] =>
  entries.filter((entry) => !isComparison(entry)).flatMap(({ values = [] }) => values);

/** A label value, or null for a node without the label. */
type Candidate = string | null;

function admits(entries: readonly Entry[], candidate: Candidate): boolean {
  if (candidate === null) return admitsAbsence(entries);
  return entries.every((entry) => admitsValue(entry, candidate));
}

/** Values that distinguish entries: all listed ones, their integer neighbours, and unrelated ones. */
function candidates(entries: readonly Entry[]): Candidate[] {
  const named = entries.flatMap(({ values = [] }) => values);
  const around = named.flatMap((value) => {
    const number = integer(value);
    return number === undefined ? [] : [number - 1n, number, number + 1n].map(String);
  });
  return [null, ...new Set([...named, ...around, "stranger", "987654321", ""])];
}

/**
 * Labels with nodes that the policy's own entries refuse: by the merge with the user, or by the template or Karpenter.
 */
export function bypassedLabels(
  policy: readonly Entry[],
  own: readonly Entry[],
  template: Readonly<Record<string, string>>,
): string[] {
  const labels = new Set(policy.map(({ key }) => labelOf(key)));
  const user = [...own, ...Object.entries(template).map(([key, value]) => ({ key, operator: "In", values: [value] }))];
  return [...labels].filter((label) => {
    const given = template[label];
    const isCustom = (KEYS.custom as readonly string[]).includes(label);
    // A template label sets a custom label of the node.
    if (isCustom && given !== undefined) return !admits(entriesFor(label, policy), given);
    if (mayBeAbsent(label) && given !== undefined && !admits(entriesFor(label, policy), given)) return true;
    if (widened(policy, user, label).length > 0) return true;
    return isCustom && getsRefused(policy, user, label) && !getsRefused(policy, [], label);
  });
}

const entriesFor = (label: string, entries: readonly Entry[]): Entry[] =>
  entries.filter(({ key }) => labelOf(key) === label);

/** Whether Karpenter itself sets a custom label to a value that the policy's entries refuse. */
function getsRefused(policy: readonly Entry[], user: readonly Entry[], label: string): boolean {
  const own = entriesFor(label, policy);
  const merged = [...own, ...entriesFor(label, user)];
  // An empty value counts as absent.
  if (merged.some(isList)) return admits(merged, "") && mentioned(merged).includes("") && !admits(own, null);
  const bounds = merged.filter(isComparison);
  const high = bounds.filter(({ operator }) => operator.startsWith("L"));
  // A number within the bounds, even if excluded; in a huge range an excluded one is very unlikely.
  const numbers = mentioned(merged).filter((value) => /^(0|[1-9][0-9]*)$/.test(value));
  return (
    high.some((entry) => highest(entry) < 2n ** 40n) &&
    numbers.some((value) => bounds.every((bound) => admitsValue(bound, value)) && !admits(own, value))
  );
}

/** The candidates that the merge admits and the policy's own entries refuse; absence counts if possible. */
function widened(policy: readonly Entry[], user: readonly Entry[], label: string): Candidate[] {
  const of = (entries: readonly Entry[]) => entries.filter(({ key }) => labelOf(key) === label);
  const own = of(policy);
  const merged = [...own, ...of(user)];
  return candidates(merged).filter(
    (candidate) => (candidate !== null || mayBeAbsent(label)) && admits(merged, candidate) && !admits(own, candidate),
  );
}
