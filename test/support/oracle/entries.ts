/**
 * Generates random requirement entries: every operator, few keys so that entries collide, and values that challenge
 * parsers.
 */
import fc from "fast-check";
import { WELL_KNOWN_LABELS } from "../../../src/model/requirements/labels.ts";
import type { NodeSelectorRequirement, Operator } from "../../../src/model/requirements/requirement.ts";

export type Entries = readonly NodeSelectorRequirement[];

/** The spellings of one key. */
type Spellings = readonly [string, ...string[]];

const KEYS: readonly Spellings[] = [
  ["topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone", "topology.ebs.csi.aws.com/zone"],
  ["kubernetes.io/arch", "beta.kubernetes.io/arch"],
  ["node.kubernetes.io/instance-type", "beta.kubernetes.io/instance-type"],
  ["karpenter.k8s.aws/instance-gpu-count"],
  ["example.com/team"],
  ["k"],
];

const RARE_KEYS: readonly Spellings[] = [
  ["kubernetes.io/os", "beta.kubernetes.io/os"],
  ["topology.kubernetes.io/region", "failure-domain.beta.kubernetes.io/region"],
  ...[...WELL_KNOWN_LABELS].map((key): Spellings => [key]),
  // Hidden in printed requirements.
  ["kubernetes.io/hostname"],
  // Similar to a known key, so that the error guesses a typo.
  ...["zone", "instance-cpus", "example.com/zone", "karpenter.k8s.aws/instance-cp", "team", "a/b/arch", "io/"].map(
    (key): Spellings => [key],
  ),
  ...["constructor", "__proto__", "clé.example/équipe", "🚀/😀", "\uff5a"].map((key): Spellings => [key]),
];

const OPERATORS: readonly Operator[] = ["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt", "Gte", "Lte"];

const MAX = 2n ** 63n;

const NASTY = [
  ["", " ", "+", "-", "--1", "+-1", "-0", "+0", "+3", "03", "007", "-02", "00000000000000000000000000003"],
  ["3.0", "3.", ".3", "1e1", "0x3", "1_000", " 3", "3 ", "3\n", "3x", "٣", "３", "Infinity", "NaN", "null"],
  ["99999999999999999999", "-99999999999999999999", "99999999999999999999x", "18446744073709551615x"],
  ["constructor", "__proto__", "A", "é", "e\u0301", "\uff5a", "😀", "\u2028", "a b", "[a]", "%s", "<a&b>", "a; key b"],
].flat();

const smallNumber = fc.integer({ min: -2, max: 8 }).map(String);
const nearBounds = fc
  .tuple(fc.constantFrom(MAX, -MAX, 2n * MAX, -2n * MAX, 0n), fc.bigInt({ min: -2n, max: 2n }))
  .map(([bound, offset]) => String(bound + offset));

export const value = fc.oneof(
  { arbitrary: smallNumber, weight: 6 },
  { arbitrary: fc.constantFrom("a", "b", "c", "d"), weight: 5 },
  { arbitrary: fc.constantFrom(...NASTY), weight: 2 },
  { arbitrary: nearBounds, weight: 1 },
  { arbitrary: fc.string({ unit: "binary", maxLength: 4 }), weight: 1 },
);

const listed: fc.Arbitrary<readonly string[]> = fc.oneof(
  { arbitrary: fc.array(value, { maxLength: 4 }), weight: 6 },
  { arbitrary: fc.array(value, { minLength: 5, maxLength: 9 }), weight: 1 },
);

const bound = fc.oneof(
  { arbitrary: smallNumber, weight: 6 },
  { arbitrary: nearBounds, weight: 3 },
  { arbitrary: value, weight: 2 },
);

const bounds: fc.Arbitrary<readonly string[]> = fc.oneof(
  { arbitrary: bound.map((one) => [one]), weight: 60 },
  { arbitrary: fc.array(bound, { minLength: 2, maxLength: 3 }), weight: 3 },
  // Karpenter panics.
  { arbitrary: fc.constant([]), weight: 1 },
);

const minimum = fc.option(fc.constantFrom(1, 2, 3, 4, 50, 0, -1, 51), { nil: undefined, freq: 3 });

const VALUES: { readonly [operator in Operator]: fc.Arbitrary<readonly string[] | undefined> } = {
  In: listed,
  NotIn: listed,
  Exists: fc.option(listed, { nil: undefined, freq: 2 }),
  DoesNotExist: fc.option(listed, { nil: undefined, freq: 2 }),
  Gt: bounds,
  Lt: bounds,
  Gte: bounds,
  Lte: bounds,
};

function entryOf(spellings: Spellings): fc.Arbitrary<NodeSelectorRequirement> {
  const key = fc.constantFrom(...spellings);
  return fc.oneof(
    ...OPERATORS.map((operator) =>
      fc.tuple(key, VALUES[operator], minimum).map(([key, values, minValues]) => ({
        key,
        operator,
        ...(values === undefined ? {} : { values }),
        ...(minValues === undefined ? {} : { minValues }),
      })),
    ),
  );
}

const entriesOf = (spellings: Spellings): fc.Arbitrary<Entries> =>
  fc.array(entryOf(spellings), { minLength: 1, maxLength: 4 });

/** Mostly one of the few keys. */
function ofSomeKey<T>(make: (spellings: Spellings) => fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof(
    { arbitrary: fc.oneof(...KEYS.map(make)), weight: 4 },
    { arbitrary: fc.oneof(...RARE_KEYS.map(make)), weight: 1 },
  );
}

export const entriesOfOneKey = ofSomeKey(entriesOf);
export const twoListsOfOneKey = ofSomeKey((spellings) => fc.tuple(entriesOf(spellings), entriesOf(spellings)));

/** One to four entries for each of up to four keys. */
export const entries: fc.Arbitrary<Entries> = fc
  .array(entriesOfOneKey, { maxLength: 4 })
  .map((groups) => groups.flat());

/** Requirements of an instance type: mostly values, sometimes the label is absent. */
export const typeEntries: fc.Arbitrary<Entries> = fc.array(
  ofSomeKey(([key]) =>
    fc
      .tuple(fc.constantFrom<Operator>("In", "In", "In", "DoesNotExist", "NotIn"), listed)
      .map(([operator, values]) => ({ key, operator, values })),
  ),
  { minLength: 1, maxLength: 5 },
);
