/** Generates possible launches: instance types that differ in every label, offerings, and pod requirements. */
import type { Catalogue } from "../../../src/karpenter/catalogue/catalogue.ts";
import { catalogueOf, type InstanceType } from "../../../src/karpenter/catalogue/catalogue-of.ts";
import { AWS_LABELS } from "../../../src/karpenter/requirements/label-presence.ts";
import { type Requirements, requirementsOf } from "../../../src/karpenter/requirements/requirements.ts";
import type { NodeSelectorRequirement } from "../../../src/model/requirements/requirement.ts";

export interface Launch {
  /** The requirements of the instance type. */
  readonly type: readonly NodeSelectorRequirement[];
  /** Labels that the provider has for the instance, with zone and capacity type. */
  readonly labels: Readonly<Record<string, string>>;
  readonly pods: readonly NodeSelectorRequirement[];
}

const AWS = "karpenter.k8s.aws";

/** An instance type: name, architecture, vCPUs, memory, then optional labels; all have a family, size and so on. */
const TYPES: readonly (readonly [name: string, arch: string, cpu: number, memory: number, more: Labels])[] = [
  ["c6g.medium", "arm64", 1, 2048, { manufacturer: "aws" }],
  ["m5.large", "amd64", 2, 8192, { "ebs-bandwidth": "4750", "network-bandwidth": "750" }],
  ["m6g.xlarge", "arm64", 4, 16384, { manufacturer: "aws", "network-bandwidth": "1250" }],
  ["m4.2xlarge", "amd64", 8, 32768, { hypervisor: "xen", encryption: "false" }],
  ["m7i-flex.2xlarge", "amd64", 8, 32768, { "ebs-bandwidth": "10000" }],
  ["g5.4xlarge", "amd64", 16, 65536, { ...gpu("a10g", "1"), "local-nvme": "600" }],
  ["g4dn.12xlarge", "amd64", 48, 196608, { ...gpu("t4", "4"), "local-nvme": "900", dedicated: "true" }],
];

type Labels = Readonly<Record<string, string>>;

function gpu(name: string, count: string): Labels {
  return { "gpu-name": name, "gpu-manufacturer": "nvidia", "gpu-count": count, "gpu-memory": "22888" };
}

/** Labels that instance types lack if they have no value. */
const OPTIONAL = ["gpu-name", "gpu-manufacturer", "gpu-count", "gpu-memory", "local-nvme", "ebs-bandwidth"].concat([
  "network-bandwidth",
  "accelerator-name",
  "accelerator-manufacturer",
  "accelerator-count",
]);

const ZONES = ["us-east-1a", "us-east-1b"];
const CAPACITY_TYPES = ["on-demand", "reserved", "spot"];

/**
 * Each type in each zone and capacity type.
 *
 * @param pods requirements of pods for the pool, one list after the other
 */
export function launchesFor(pods: readonly (readonly NodeSelectorRequirement[])[]): Launch[] {
  return TYPES.flatMap(([name, arch, cpu, memory, more]) => {
    const own = labelsOf(name, arch, cpu, memory, more);
    const lacking = [
      ...OPTIONAL.filter((label) => more[label] === undefined).map((label) => `${AWS}/instance-${label}`),
      "node.kubernetes.io/windows-build",
    ];
    const type = [
      ...Object.entries(own).map(([key, value]) => ({ key, operator: "In" as const, values: [value] })),
      ...lacking.map((key) => ({ key, operator: "DoesNotExist" as const })),
      { key: "topology.kubernetes.io/zone", operator: "In" as const, values: ZONES },
      { key: "karpenter.sh/capacity-type", operator: "In" as const, values: CAPACITY_TYPES },
      { key: `${AWS}/instance-tenancy`, operator: "In" as const, values: ["dedicated", "default"] },
    ];
    return ZONES.flatMap((zone) =>
      CAPACITY_TYPES.flatMap((capacity) => {
        const tenancy = more["dedicated"] === "true" ? "dedicated" : "default";
        const offered = { "topology.kubernetes.io/zone": zone, "karpenter.sh/capacity-type": capacity };
        const reserved = capacity === "reserved" ? { [`${AWS}/capacity-reservation-id`]: "cr-1" } : {};
        const labels = { ...own, ...offered, ...reserved, [`${AWS}/instance-tenancy`]: tenancy };
        return pods.map((asked) => ({ type, labels, pods: asked }));
      }),
    );
  });
}

/** The catalogue of exactly these types. */
export function launchedCatalogue(): Catalogue {
  const byName = Map.groupBy(launchesFor([[]]), ({ labels }) => labels["node.kubernetes.io/instance-type"]!);
  const types = [...byName].map(([name, all]): InstanceType => {
    const settled = all[0]!.type.filter(({ key }) => !PLACED.includes(key));
    const { labels } = all[0]!;
    const tenancy = { key: TENANCY, operator: "In" as const, values: [labels[TENANCY]!] };
    return {
      name,
      labels: requirementsOf([...settled, tenancy]),
      offerings: all.map((one) => ({ requirements: placeOf(one.labels), available: true })),
      allocatable: {},
    };
  });
  return catalogueOf({ source: "test", date: "2026-08", ...AWS_LABELS }, types);
}

const TENANCY = `${AWS}/instance-tenancy`;
const RESERVATION = `${AWS}/capacity-reservation-id`;
const PLACED: readonly string[] = ["topology.kubernetes.io/zone", "karpenter.sh/capacity-type", TENANCY];

/** Zone, capacity type, and whether it is in a reservation. */
function placeOf(labels: Labels): Requirements {
  return requirementsOf(
    ["topology.kubernetes.io/zone", "karpenter.sh/capacity-type", RESERVATION].map((key) =>
      labels[key] === undefined ? { key, operator: "DoesNotExist" } : { key, operator: "In", values: [labels[key]] },
    ),
  );
}

function labelsOf(name: string, arch: string, cpu: number, memory: number, more: Labels): Labels {
  const [family = "", size = ""] = name.split(".");
  const kept = Object.entries(more).filter(([label]) => OPTIONAL.includes(label));
  const instance = {
    category: family[0] ?? "",
    family,
    size,
    generation: /\d/.exec(family)?.[0] ?? "",
    cpu: String(cpu),
    memory: String(memory),
    "cpu-manufacturer": more["manufacturer"] ?? "intel",
    "cpu-sustained-clock-speed-mhz": "3100",
    "capability-flex": String(family.includes("-flex")),
    hypervisor: more["hypervisor"] ?? "nitro",
    "encryption-in-transit-supported": more["encryption"] ?? "true",
    ...Object.fromEntries(kept),
  };
  return {
    "node.kubernetes.io/instance-type": name,
    "kubernetes.io/arch": arch,
    "kubernetes.io/os": "linux",
    "topology.kubernetes.io/region": "us-east-1",
    ...Object.fromEntries(Object.entries(instance).map(([label, value]) => [`${AWS}/instance-${label}`, value])),
  };
}
