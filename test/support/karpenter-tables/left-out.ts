/** Which rounds of Karpenter's tests are not compared with plans, and why. */
import type { Round, Start } from "./round.ts";

interface LeftOut {
  readonly why: string;
  readonly isSo: (round: Round) => boolean;
  /** How many specs have such rounds. */
  readonly specs: number;
  /** Whether it names specs that differ. */
  readonly isByPlace?: true;
}

/** Specs that differ, each by its `placeOf`. */
const BY_PLACE: Readonly<Record<string, readonly string[]>> = {
  "a provider says which drivers and topology keys of volumes it does not support, and none of anp's does": [
    "scheduling/suite_test.go:3828",
  ],
  "its pods have no UID, as they have once an API server stored them, so that Karpenter takes them for one pod": [
    "scheduling/suite_test.go:4560",
    "scheduling/suite_test.go:4632",
  ],
  "Karpenter's state of the cluster still counts pods that the test has deleted": ["scheduling/topology_test.go:311"],
  "it lets Karpenter keep one instance type, and a release keeps 600": ["scheduling/instance_selection_test.go:1261"],
};

export const LEFT_OUT: readonly LeftOut[] = [
  {
    why: "Dynamic Resource Allocation, which Karpenter ignores by default",
    isSo: ({ options }) => !options.IgnoreDRARequests,
    specs: 48,
  },
  {
    why: "the scheduler as disruption uses it: pods do not wait for reserved capacity, or it is credited",
    isSo: ({ of, mode }) => of === "Solve" && (!mode.strict || mode.credited > 0),
    specs: 10,
  },
  {
    why: "limits of volumes of instance types: no provider that anp knows sets them, and catalogues have none",
    isSo: (round) => typesOf(round).some(({ volumeLimits }) => volumeLimits !== null),
    specs: 9,
  },
  {
    why: "offerings with resources of their own: no provider that anp knows has them, nor do catalogues",
    isSo: (round) => typesOf(round).some(({ hasOverrides }) => hasOverrides),
    specs: 2,
  },
  ...Object.entries(BY_PLACE).map(([why, places]) => ({
    why,
    isSo: (round: Round) => places.includes(placeOf(round)),
    specs: places.length,
    isByPlace: true as const,
  })),
];

/** `folder/file:line` of the spec. */
export function placeOf({ file, line }: Start): string {
  return `${file}:${line}`;
}

function typesOf({ typesOf: lists }: Round) {
  return Object.values(lists).flat();
}
