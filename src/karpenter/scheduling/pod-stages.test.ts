/** Tests the stages in which Karpenter drops the preferences of a pod. */
import { expect, it } from "vitest";
import { formatRequirements } from "../requirements/requirements.ts";
import { podStages, requiredEntries } from "./pod-stages.ts";
import { isIn, podObject, podsOf } from "../../../test/support/pod-input.ts";

const terms = (...values: string[]) => ({
  nodeSelectorTerms: values.map((value) => ({ matchExpressions: [isIn("term", value)] })),
});
const preferring = (...weights: number[]) =>
  weights.map((weight) => ({ weight, preference: { matchExpressions: [isIn("prefers", String(weight))] } }));

const spec = (required: object | undefined, preferred: readonly object[]) => ({
  nodeSelector: { a: "b" },
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: required,
      preferredDuringSchedulingIgnoredDuringExecution: preferred,
    },
  },
});

const TAINT = ["despite its PreferNoSchedule taint", true] as const;

it.each<[what: string, spec: object, stages: (readonly [asks: string, without: string, tolerates: boolean])[]]>([
  [
    "no wishes",
    {},
    [
      ["", "", false],
      ["", ...TAINT],
    ],
  ],
  [
    "terms: one after the other, and the last one stays",
    spec(terms("x", "y"), []),
    [
      ["a In [b], term In [x]", "", false],
      ["a In [b], term In [y]", "by term 2 of its node affinity", false],
      ["a In [b], term In [y]", ...TAINT],
    ],
  ],
  [
    "preferences: the heaviest first, in the order of the file where they weigh the same",
    spec(undefined, preferring(1, 50, 7)),
    [
      ["a In [b], prefers In [50]", "", false],
      ["a In [b], prefers In [7]", "without the 1 heaviest of its preferences", false],
      ["a In [b], prefers In [1]", "without the 2 heaviest of its preferences", false],
      ["a In [b]", "without its preferences", false],
      ["a In [b]", ...TAINT],
    ],
  ],
  [
    "both: no term is tried again without the preference",
    spec(terms("x", "y"), preferring(1)),
    [
      ["a In [b], prefers In [1], term In [x]", "", false],
      ["a In [b], prefers In [1], term In [y]", "by term 2 of its node affinity", false],
      ["a In [b], term In [y]", "without its preferences", false],
      ["a In [b], term In [y]", ...TAINT],
    ],
  ],
])("%s", (_what, given, stages) => {
  const [pod] = podsOf(podObject("a", given));
  const found = podStages(pod!, true).map(({ requirements, without, tolerations }) => [
    formatRequirements(requirements),
    without,
    tolerations.length > 0,
  ]);
  expect(found).toStrictEqual(stages);
});

it("has no stage for taints that no pool has", () => {
  const [pod] = podsOf(podObject("a"));
  expect(podStages(pod!, false)).toHaveLength(1);
});

it("has the place of each preference", () => {
  const [pod] = podsOf(podObject("a", spec(terms("x", "y"), preferring(1))));
  const paths = requiredEntries(pod!).map((entries) => entries.map(({ field, path }) => [field, path.slice(-4)]));
  const selector = ["nodeSelector", ["spec", "nodeSelector", "a"]];
  expect(paths).toStrictEqual([
    [selector, ["node affinity", ["nodeSelectorTerms", 0, "matchExpressions", 0]]],
    [selector, ["node affinity", ["nodeSelectorTerms", 1, "matchExpressions", 0]]],
  ]);
});
