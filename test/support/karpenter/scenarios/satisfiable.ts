/** Defines scenarios with policies that hold and leave instance types. */
import { absent, COUNTS_LOST_VALUES, exists, gt, isIn, KEYS, lt, notIn, type Scenario, scenario } from "./scenario.ts";

const { arch, capacity, category, cpu, gpus, kwokCpu, kwokFamily, os, region, tier, type, zone } = KEYS;

const A = "m-4x-amd64-linux";
const B = "m-8x-amd64-linux";
const C = "c-4x-amd64-linux";

export const SATISFIABLE: readonly Scenario[] = [
  scenario("no-policy", [], [], 146),
  scenario("policy-alone", [isIn(arch, "amd64")], [], 74),
  scenario(
    "narrowed",
    [isIn(category, "c", "m")],
    [isIn(category, "c", "s"), isIn(arch, "amd64"), isIn(os, "linux")],
    12,
  ),
  scenario("types-in-common", [isIn(type, A, C)], [isIn(type, A, B)], 1),
  scenario("one-type-unknown", [isIn(type, A, "m99.large")], [], 1),
  scenario("bounds", [lt(cpu, 16)], [gt(cpu, 2)], 25),
  scenario("bounds-of-kwok", [lt(kwokCpu, 16)], [gt(kwokCpu, 2)], 25),
  scenario("not-in", [notIn(category, "m")], [notIn(category, "c")], 50),
  scenario("zones", [isIn(zone, "test-zone-a", "test-zone-b")], [notIn(zone, "test-zone-a")], 146),
  scenario("capacity-type", [isIn(capacity, "spot", "on-demand")], [isIn(capacity, "spot")], 146),
  // No instance type has a region here, which excludes none.
  scenario("unknown-to-types", [isIn(region, "eu-central-1")], [], 146),
  scenario("optional-demanded", [exists(gpus)], [], 2),
  scenario("optional-bound", [lt(gpus, 4)], [], 1),
  scenario("optional-bound-and-exclusion", [], [lt(gpus, 4), notIn(gpus, "99")], 1),
  scenario("label-restricts", [isIn(arch, "amd64", "arm64")], [], 72, { labels: { [arch]: "arm64" } }),
  scenario(
    "min-values-within-reach",
    [isIn(kwokFamily, "c", "s", "m")],
    [{ ...exists(kwokFamily), minValues: 3 }],
    144,
  ),
  // One zone remains of those that each type has.
  scenario(
    "min-values-counts-lost-zones",
    [isIn(zone, "test-zone-a", "moon-1")],
    [{ ...exists(zone), minValues: 2 }],
    COUNTS_LOST_VALUES ? 146 : "nothing",
  ),
  scenario("label-as-policy-says", [isIn(tier, "gold")], [], 146, { labels: { [tier]: "gold" } }),
  scenario("custom-bounds", [gt(tier, 5)], [lt(tier, 9)], 146),
  scenario("absence-demanded", [absent(gpus)], [exists(gpus)], 144),
  scenario("one-offering", [isIn(zone, "test-zone-a")], [isIn(category, "g"), isIn(capacity, "on-demand")], 2),
  scenario("own-contradiction-passed-by", [], [isIn(tier, "gold"), isIn(tier, "silver")], 146),
  scenario("own-label-drifts", [], [isIn(tier, "gold")], 146, { drifts: true, labels: { [tier]: "silver" } }),
  scenario("own-number-drifts", [], [notIn(tier, "5"), gt(tier, 4), lt(tier, 6)], 146, { drifts: true }),
  scenario("policy-number-drifts", [notIn(tier, "5"), gt(tier, 4), lt(tier, 6)], [], 146, { drifts: true }),
  {
    name: "pod-gets-what-is-excluded",
    policy: [notIn(tier, "5")],
    pools: [{ name: "pod-gets-what-is-excluded", requirements: [] }],
    pods: [
      {
        name: "pod-gets-what-is-excluded",
        terms: [[gt(tier, 4), lt(tier, 6)]],
        gets: { pool: "pod-gets-what-is-excluded", types: 146 },
      },
    ],
    drifts: true,
  },
];
