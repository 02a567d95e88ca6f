/**
 * What Karpenter admits under a list of requirement entries of one label, by trying candidates: independent of
 * src/karpenter, written from docs/upstream/karpenter.md#requirements and meant to be read beside it.
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

/** Whether one entry alone lets a node with this value pass. */
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

/** Entries that name the only values they allow; no integer is greater than the largest. */
const isList = ({ operator, values = [] }: Entry): boolean =>
  operator === "In" || operator === "DoesNotExist" || (operator === "Gt" && integer(values[0] ?? "") === MAX_INT64);

/**
 * Whether a node without the label passes: only when the merged requirement reports NotIn or DoesNotExist. NotIn: no
 * entry lists what it allows, and some excluded value would otherwise pass. DoesNotExist: nothing is left.
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

/** Every value that an entry names: where entries list what they allow, no other can pass. */
const mentioned = (entries: readonly Entry[]): string[] =>
  entries.filter((entry) => !isComparison(entry)).flatMap(({ values = [] }) => values);

/** A label value, or null for a node without the label. */
type Candidate = string | null;

function admits(entries: readonly Entry[], candidate: Candidate): boolean {
  if (candidate === null) return admitsAbsence(entries);
  return entries.every((entry) => admitsValue(entry, candidate));
}

/** Values that tell entries apart: all that are named, their neighbours as integers, and strangers. */
function candidates(entries: readonly Entry[]): Candidate[] {
  const named = entries.flatMap(({ values = [] }) => values);
  const around = named.flatMap((value) => {
    const number = integer(value);
    return number === undefined ? [] : [number - 1n, number, number + 1n].map(String);
  });
  return [null, ...new Set([...named, ...around, "stranger", "987654321", ""])];
}

/**
 * Labels on which nodes come that the policy's own entries refuse: of what it and the user together admit, or with what
 * the template or Karpenter gives them.
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
    // The label of a template is what the node gets of a label that no instance type has.
    if (isCustom && given !== undefined) return !admits(entriesFor(label, policy), given);
    if (mayBeAbsent(label) && given !== undefined && !admits(entriesFor(label, policy), given)) return true;
    if (widened(policy, user, label).length > 0) return true;
    return isCustom && getsRefused(policy, user, label) && !getsRefused(policy, [], label);
  });
}

const entriesFor = (label: string, entries: readonly Entry[]): Entry[] =>
  entries.filter(({ key }) => labelOf(key) === label);

/** Whether Karpenter itself gives nodes of a custom label what the policy's entries refuse. */
function getsRefused(policy: readonly Entry[], user: readonly Entry[], label: string): boolean {
  const own = entriesFor(label, policy);
  const merged = [...own, ...entriesFor(label, user)];
  // An empty value counts as none.
  if (merged.some(isList)) return admits(merged, "") && mentioned(merged).includes("") && !admits(own, null);
  const bounds = merged.filter(isComparison);
  const high = bounds.filter(({ operator }) => operator.startsWith("L"));
  // A number within the bounds, whatever is excluded; where they leave nearly all numbers, hardly ever that one.
  const numbers = mentioned(merged).filter((value) => /^(0|[1-9][0-9]*)$/.test(value));
  return (
    high.some((entry) => highest(entry) < 2n ** 40n) &&
    numbers.some((value) => bounds.every((bound) => admitsValue(bound, value)) && !admits(own, value))
  );
}

/** The candidates that the merge admits and the policy's own entries refuse; absence counts where it can be. */
function widened(policy: readonly Entry[], user: readonly Entry[], label: string): Candidate[] {
  const of = (entries: readonly Entry[]) => entries.filter(({ key }) => labelOf(key) === label);
  const own = of(policy);
  const merged = [...own, ...of(user)];
  return candidates(merged).filter(
    (candidate) => (candidate !== null || mayBeAbsent(label)) && admits(merged, candidate) && !admits(own, candidate),
  );
}
