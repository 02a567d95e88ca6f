/**
 * Karpenter's algebra of requirements as a numbered table (docs/upstream/karpenter.md#requirements): questions and
 * answers.
 */
import type { NodeSelectorRequirement, Operator } from "../../../src/model/requirements/requirement.ts";
import type { KarpenterVersion } from "../go/programs.ts";
import type { KeyForm, Question } from "./question.ts";

type Entries = readonly NodeSelectorRequirement[];

interface Case {
  readonly question: Question;
  /** Required fields of the answer; others are ignored. */
  readonly answer: object;
}

export interface Vector {
  readonly number: number;
  readonly what: string;
  readonly cases: readonly Case[];
  /** Set if versions differ. */
  readonly karpenter?: KarpenterVersion;
}

const ZONE = "topology.kubernetes.io/zone";
const GPUS = "karpenter.k8s.aws/instance-gpu-count";

/** `In a,b @min2` → an entry; `In` has an empty list of values. */
function entry(key: string, text: string): NodeSelectorRequirement {
  const [, operator, values = "", minValues] = /^(\w+)(?: ([^@ ]+))?(?: @min(\d+))?$/.exec(text)!;
  return {
    key,
    operator: operator as Operator,
    values: values === "" ? [] : values.split(","),
    ...(minValues === undefined ? {} : { minValues: Number(minValues) }),
  };
}

const entries = (key: string, ...texts: string[]): NodeSelectorRequirement[] => texts.map((text) => entry(key, text));
const k = (...texts: string[]): NodeSelectorRequirement[] => entries("k", ...texts);

function merged(number: number, texts: readonly string[], printed: string, written?: KeyForm["entries"]): Vector {
  const form = { key: "k", text: `k ${printed}`, ...(written === undefined ? {} : { entries: written }) };
  const answer = { keys: [form], text: `k ${printed}` };
  return {
    number,
    what: `${texts.join(" ∩ ")} is ${printed}`,
    cases: [texts, texts.toReversed()].map((some) => ({ question: { op: "merge", entries: k(...some) }, answer })),
  };
}

/** Two entries, merged and intersected, in both orders. */
function met(number: number, a: string, b: string, printed: string, written?: KeyForm["entries"]): Vector {
  const { what, cases } = merged(number, [a, b], printed, written);
  const answer = { both: { key: "k", text: `k ${printed}` }, hasIntersection: printed !== "DoesNotExist" };
  const intersections = [
    [a, b],
    [b, a],
  ].map(([one, other]): Case => ({ question: { op: "intersection", a: k(one!), b: k(other!) }, answer }));
  return { number, what, cases: [...cases, ...intersections] };
}

function intersects(number: number, what: string, a: Entries, b: Entries, error: string | null): Vector {
  return { number, what, cases: [{ question: { op: "intersects", a, b }, answer: { error } }] };
}

const compatible = (a: Entries, b: Entries, error: string | null, allowWellKnown = false): Case => ({
  question: { op: "compatible", a, b, allowWellKnown },
  answer: { error },
});

const notIn = (incoming: string, existing: string, key = GPUS): string =>
  `key ${key}, ${key} ${incoming} not in ${key} ${existing}`;

/** A type without GPUs, and a pool with requirements on them. */
function withoutGpus(number: number, pool: readonly string[], error: string | null): Vector {
  const what = `a type without GPUs, a pool with ${pool.join(" and ")}`;
  return intersects(number, what, entries(GPUS, "DoesNotExist"), entries(GPUS, ...pool), error);
}

/** Requires two zone values. */
function counted(
  number: number,
  what: string,
  types: readonly NodeSelectorRequirement[][],
  answer: { readonly needed: number; readonly short: Readonly<Record<string, number>> | null },
  karpenter?: KarpenterVersion,
): Vector {
  const requirements = entries(ZONE, "In a @min2");
  const cases = [{ question: { op: "minValues", types, requirements } as const, answer }];
  return { number, what, cases, ...(karpenter === undefined ? {} : { karpenter }) };
}

const MAX = "9223372036854775807";

const VECTORS: readonly Vector[] = [
  met(1, "In a,b", "In b,c", "In [b]"),
  met(2, "In a", "In b", "DoesNotExist"),
  met(3, "In a,b", "NotIn b", "In [a]"),
  met(4, "In a", "NotIn a", "DoesNotExist"),
  met(5, "NotIn a", "NotIn b", "NotIn [a b]"),
  met(6, "Exists", "NotIn a", "NotIn [a]"),
  met(7, "Exists", "DoesNotExist", "DoesNotExist"),
  met(8, "DoesNotExist", "NotIn a", "DoesNotExist"),
  met(9, "In", "Exists", "DoesNotExist"),
  met(10, "NotIn", "Exists", "Exists"),
  met(11, "Gt 1", "Lt 9", "Exists >=2 <=8", k("Gte 2", "Lte 8")),
  met(12, "Gt 5", "Lt 6", "DoesNotExist"),
  met(13, "Gt 5", "Lt 7", "Exists >=6 <=6"),
  met(14, "Gte 5", "Lte 5", "Exists >=5 <=5"),
  met(15, "Gte 6", "Lte 5", "DoesNotExist"),
  met(16, "Gt 1", "Gt 9", "Exists >=10"),
  met(17, "Gt 1", "Gte 2", "Exists >=2"),
  met(18, "Lt 9", "Lte 8", "Exists <=8"),
  met(19, "Gt 1", "In a,1,2,05,5.0", "In [05 2]"),
  met(21, "NotIn 1,2", "Gt 1", "NotIn [2] >=2", k("Gte 2")),
  met(23, "NotIn 2,5", "Gt 1", "NotIn [2 5] >=2"),
  met(25, "NotIn 5", "Lt 5", "Exists <=4"),
  met(27, "Lt 0", "In 0", "DoesNotExist"),
  met(29, `Gt ${MAX}`, "Exists", "DoesNotExist"),
  merged(31, [`Gte ${MAX}`], `Exists >=${MAX}`),
  merged(33, ["Gt 99999999999999999999"], "DoesNotExist"),
  met(35, "In a,b @min2", "In a,b,c @min3", "In [a b] minValues 3"),
  met(37, "Exists @min5", "In a,b", "In [a b] minValues 5"),
  {
    number: 39,
    what: "a value given twice counts twice for minValues in validation, once in the set",
    cases: [
      ...merged(39, ["In a,a @min2"], "In [a] minValues 2").cases,
      { question: { op: "validate", entries: k("In a,a @min2") }, answer: { error: null } },
    ],
  },
  met(41, "Exists a,b", "In c", "In [c]"),
  {
    number: 43,
    what: "NotIn 3 has every other value, none at all included",
    cases: [
      {
        question: { op: "has", entries: k("NotIn 3"), values: ["3", "4", "a", ""] },
        answer: [false, true, true, true],
      },
    ],
  },
  merged(45, ["In a,b,c", "In b,c,d", "NotIn c"], "In [b]"),
  withoutGpus(47, ["Exists"], notIn("Exists", "DoesNotExist")),
  withoutGpus(49, ["Lt 2"], notIn("Exists <=1", "DoesNotExist")),
  withoutGpus(51, ["Lt 4", "NotIn 1"], null),
  withoutGpus(53, ["In a", "In b"], null),
  intersects(55, "NotIn a, and what contradicts itself", k("NotIn a"), k("In a", "In b"), null),
  intersects(57, "bounds that contradict, both with an exclusion", k("Gt 9", "NotIn 11"), k("Lt 5", "NotIn 1"), null),
  {
    number: 59,
    what: "a well-known label need not be defined where that is allowed",
    cases: [
      compatible([], entries(ZONE, "In a"), null, true),
      compatible([], entries(ZONE, "In a"), `label "${ZONE}" does not have known values`),
    ],
  },
  {
    number: 61,
    what: "NotIn and DoesNotExist need no definition",
    cases: [compatible([], entries("team", "NotIn a"), null), compatible([], entries("team", "DoesNotExist"), null)],
  },
  {
    number: 63,
    what: "a label that the pool defines cannot be asked to be absent",
    cases: [
      compatible(entries("team", "Exists"), entries("team", "DoesNotExist"), notIn("DoesNotExist", "Exists", "team")),
      compatible(entries("team", "In a"), entries("team", "DoesNotExist"), notIn("DoesNotExist", "In [a]", "team")),
    ],
  },
  {
    number: 65,
    what: "an old spelling of a key is the same key",
    cases: [compatible(entries(ZONE, "In a"), entries("failure-domain.beta.kubernetes.io/zone", "In a"), null)],
  },
  intersects(67, "keys that only one side has do not matter", entries("a", "In 1"), entries("b", "In 2"), null),
  counted(
    69,
    "until 1.14 minValues counts values that the requirement does not allow",
    [entries(ZONE, "In a,b")],
    { needed: 1, short: null },
    "1.14",
  ),
  counted(
    70,
    "from 1.15 on minValues counts only values that the requirement allows",
    [entries(ZONE, "In a,b")],
    { needed: 1, short: { [ZONE]: 1 } },
    "1.15",
  ),
  counted(71, "no types at all satisfy any minimum", [], { needed: 0, short: null }),
];

export function vectorsOf(version: KarpenterVersion): readonly Vector[] {
  return VECTORS.filter(({ karpenter = version }) => karpenter === version);
}
