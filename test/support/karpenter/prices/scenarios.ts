/** Defines scenarios in which the price decides: policies, pools, and one pod each. */
import { exists, gt, isIn, KEYS, lt, notIn, type Scenario, scenario } from "../scenarios/scenario.ts";

const { arch, capacity, category, cpu, gpus, type, zone } = KEYS;
const AWS = "karpenter.k8s.aws/instance-";
const [family, generation, memory, nvme, size] = ["family", "generation", "memory", "local-nvme", "size"].map(
  (name) => `${AWS}${name}`,
) as [string, string, string, string, string];

const ON_DEMAND = isIn(capacity, "on-demand");

/** The number of types that Karpenter keeps does not matter here. */
const ANY = 0;

/** One pool and one pod that requests only CPU by default. */
function one(name: string, policy: Scenario["policy"], pool: Scenario["policy"], requests?: Record<string, string>) {
  const made = scenario(`price-${name}`, policy, pool, ANY);
  return requests === undefined ? made : { ...made, pods: made.pods.map((pod) => ({ ...pod, requests })) };
}

/** Pools with on-demand nodes only: the list price decides. */
export const AT_LIST_PRICE: readonly Scenario[] = [
  one("cheapest-of-all", [ON_DEMAND], []),
  one("amd64", [ON_DEMAND], [isIn(arch, "amd64")]),
  one("arm64", [ON_DEMAND, isIn(arch, "arm64")], []),
  one("category", [ON_DEMAND], [isIn(category, "c", "m", "r")]),
  one("no-burst", [ON_DEMAND, notIn(category, "t")], []),
  one("bounds", [ON_DEMAND, gt(cpu, 7)], [lt(cpu, 17)]),
  one("sizes", [ON_DEMAND], [isIn(size, "2xlarge", "4xlarge")]),
  one("no-small-sizes", [ON_DEMAND], [notIn(size, "nano", "micro", "small", "medium", "large")]),
  one("families", [ON_DEMAND, isIn(family, "m5", "m5a", "m6i", "c5")], [isIn(arch, "amd64")]),
  one("generation", [ON_DEMAND], [gt(generation, 6), isIn(category, "m", "c")]),
  one("memory", [ON_DEMAND], [gt(memory, 250_000)]),
  one("local-disks", [ON_DEMAND], [gt(nvme, 1000)]),
  one("gpus", [ON_DEMAND, exists(gpus)], []),
  one("four-gpus", [ON_DEMAND], [isIn(gpus, "4")]),
  one("named", [ON_DEMAND, isIn(type, "m5.4xlarge", "r5.2xlarge", "c5.9xlarge")], [isIn(zone, "test-zone-b")]),
  one("zone", [ON_DEMAND], [isIn(zone, "test-zone-a"), isIn(category, "r")]),
];

/** Spot prices are those of the catalogue, by zone. */
export const WITH_SPOT: readonly Scenario[] = [
  one("either-capacity", [], [isIn(capacity, "spot", "on-demand"), isIn(category, "m")]),
  one("spot", [isIn(capacity, "spot")], [isIn(category, "c", "m", "r"), gt(cpu, 3)]),
  one("spot-in-zone-a", [isIn(capacity, "spot"), isIn(zone, "test-zone-a")], [isIn(category, "m")]),
  one("spot-in-zone-b", [isIn(capacity, "spot"), isIn(zone, "test-zone-b")], [isIn(category, "m")]),
  one("spot-arm64", [isIn(arch, "arm64")], [isIn(capacity, "spot"), notIn(category, "t")]),
  one("spot-gpus", [exists(gpus)], [isIn(capacity, "spot")]),
];

/** The pod does not fit the cheapest types: the cheapest one with room is launched. */
export const WITH_ROOM: readonly Scenario[] = [
  one("room-for-cpu", [ON_DEMAND], [notIn(category, "t")], { memory: "6Gi" }),
  one("room-for-memory", [ON_DEMAND], [isIn(category, "m", "r", "x")], { memory: "100Gi" }),
  one("room-on-spot", [], [isIn(category, "c", "m")], { memory: "40Gi" }),
  one("room-beside-policy", [ON_DEMAND, isIn(arch, "amd64"), gt(generation, 5)], [], { memory: "20Gi" }),
  one("room-in-few", [ON_DEMAND, isIn(family, "m6i", "r6i")], [], { memory: "50Gi" }),
];

export const PRICED: readonly Scenario[] = [...AT_LIST_PRICE, ...WITH_SPOT, ...WITH_ROOM];
