/** Defines pools that get no nodes for any pod. */
import { absent, exists, gt, isIn, KEYS, lt, type Scenario, scenario } from "./scenario.ts";

const { arch, capacity, category, cpu, gpus, kwokFamily, os, tier, type, zone } = KEYS;

export const UNSATISFIABLE: readonly Scenario[] = [
  scenario("types-apart", [isIn(type, "m-4x-amd64-linux")], [isIn(type, "c-4x-amd64-linux")], "nothing"),
  scenario("type-unknown", [], [isIn(type, "m99.large")], "nothing"),
  scenario("categories-apart", [isIn(category, "c")], [isIn(category, "m")], "nothing"),
  scenario("os-apart", [isIn(os, "linux")], [isIn(os, "windows")], "nothing"),
  scenario("bounds-apart", [lt(cpu, 4)], [gt(cpu, 8)], "nothing"),
  scenario("type-against-arch", [isIn(arch, "arm64")], [isIn(type, "m-4x-amd64-linux")], "nothing"),
  scenario("category-against-cpu", [isIn(category, "g")], [lt(cpu, 8)], "nothing"),
  scenario("zones-apart", [isIn(zone, "test-zone-a")], [isIn(zone, "test-zone-b")], "nothing"),
  scenario(
    "zone-against-capacity-type",
    [isIn(zone, "test-zone-a")],
    [isIn(category, "g"), isIn(capacity, "spot")],
    "nothing",
  ),
  scenario("old-name-of-arch", [isIn("beta.kubernetes.io/arch", "amd64")], [isIn(arch, "arm64")], "nothing"),
  scenario("absence-of-arch", [], [absent(arch)], "nothing"),
  scenario("zone-unknown", [isIn(zone, "moon-1")], [], "nothing"),
  scenario("capacity-types-apart", [isIn(capacity, "on-demand")], [isIn(capacity, "spot")], "nothing"),
  scenario("own-contradiction", [], [isIn(zone, "test-zone-a"), isIn(zone, "test-zone-b")], "nothing"),
  scenario("label-against-policy", [isIn(arch, "amd64")], [], "nothing", { labels: { [arch]: "arm64" } }),
  scenario("optional-value-unknown", [isIn(gpus, "99")], [], "nothing"),
  scenario("min-values-out-of-reach", [], [{ ...isIn(kwokFamily, "c", "m", "x"), minValues: 3 }], "nothing"),
  scenario("min-values-of-custom-label", [], [{ ...isIn(tier, "gold", "silver"), minValues: 2 }], "nothing"),
  // Karpenter counts all zones of a type, but the API server refuses a NodeClaim with fewer values than minValues.
  scenario("min-values-of-lost-zones", [isIn(zone, "test-zone-a")], [{ ...exists(zone), minValues: 2 }], "nothing"),
  scenario(
    "min-values-of-lost-capacity-type",
    [isIn(capacity, "on-demand")],
    [{ ...isIn(capacity, "on-demand", "spot"), minValues: 2 }],
    "nothing",
  ),
  // The types have both; the remaining offering is on-demand, and only that is in the NodeClaim.
  scenario(
    "min-values-of-lost-offerings",
    [isIn(zone, "test-zone-a"), isIn(category, "g")],
    [{ ...exists(capacity), minValues: 2 }],
    "nothing",
  ),
  scenario("bypass-blocked", [isIn(tier, "gold")], [isIn(tier, "silver")], "nothing", { blocked: true }),
];
