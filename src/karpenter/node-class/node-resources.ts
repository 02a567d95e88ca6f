/** What nodes of a class have, as Karpenter's AWS provider and OpenShift's fork compute it. */
import { type FieldPath, valueAt } from "../../krm/places/field-path.ts";
import { canonical } from "../../krm/values/canonical.ts";
import { type Fields, isFields } from "../../krm/values/fields.ts";
import type { Profile } from "../../model/crds/profile.ts";
import { memoizeByKey, memoizeByObject, memoizeByPair } from "../../model/schema/memoize.ts";
import type { KarpenterOptions } from "../../model/settings/karpenter-options.ts";
import { parseQuantity } from "../../model/values/quantity.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import {
  cpuReserved,
  EVICTION_MIB,
  memoryCapacity,
  memoryReserved,
  millicoresText,
} from "../catalogue/instance-type-resources.ts";
import { valuesOf } from "../catalogue/type-filter.ts";
import { kubeletExpression, NOT_KNOWN, NoValue } from "./kubelet-expression.ts";
import { blockDevicesOf, BOTTLEROCKET, BOTTLEROCKET_DATA, imageFamilyOf, ROOT_DEVICES } from "./root-device.ts";

/**
 * The same instance types with the resources that the Karpenter of a profile plans for their nodes. A catalogue has
 * those of upstream (docs/upstream/hypershift.md#resources-of-a-node).
 */
export function typesOfProfile(catalogue: Catalogue, profile: Profile): Catalogue {
  return profile === "hypershift" ? openshiftTypes(catalogue) : catalogue;
}

/** Computed once for each catalogue. */
const openshiftTypes = memoizeByObject((catalogue: Catalogue): Catalogue => {
  const rows = catalogue.names.map((_name, type) => openshiftAllocatable(catalogue, type));
  const column = (name: keyof OpenshiftAllocatable): readonly [string, readonly (string | undefined)[]] => [
    name,
    rows.map((row, type) => row?.[name] ?? catalogue.allocatable.get(name)?.[type]),
  ];
  if (rows.every((row) => row === undefined)) return catalogue;
  return {
    ...catalogue,
    allocatable: new Map([...catalogue.allocatable, column("cpu"), column("memory"), column("pods")]),
  };
});

interface OpenshiftAllocatable {
  readonly cpu: string;
  readonly memory: string;
  readonly pods: string;
}

/** The kubelet's number on OpenShift, whatever the network interfaces are. */
const OPENSHIFT_PODS = 250;

/** Undefined for a type whose processor and memory the catalogue does not know. */
function openshiftAllocatable(catalogue: Catalogue, type: number): OpenshiftAllocatable | undefined {
  const size = sizeOf(catalogue, type);
  if (size === undefined) return undefined;
  const { vcpus, capacity } = size;
  return {
    cpu: millicoresText(vcpus * 1000 - systemReservedMillicores(vcpus)),
    memory: `${capacity - systemReservedGiB(capacity) * 1024 - EVICTION_MIB}Mi`,
    pods: String(OPENSHIFT_PODS),
  };
}

interface Size {
  readonly vcpus: number;
  /** Memory in MiB, as EC2 has it. */
  readonly mebibytes: number;
  /** Memory in MiB, without what the hypervisor takes. */
  readonly capacity: number;
}

function sizeOf(catalogue: Catalogue, type: number): Size | undefined {
  const count = (label: string): number => Number(valuesOf(catalogue, type, `karpenter.k8s.aws/instance-${label}`)[0]);
  const [vcpus, mebibytes] = [count("cpu"), count("memory")];
  if (!Number.isSafeInteger(vcpus) || !Number.isSafeInteger(mebibytes)) return undefined;
  return { vcpus, mebibytes, capacity: memoryCapacity(mebibytes, valuesOf(catalogue, type, "kubernetes.io/arch")[0]) };
}

/** In the fork's order of steps, which decides how they round. */
export function systemReservedMillicores(vcpus: number): number {
  const cores = 0.06 + (vcpus > 1 ? 0.012 * (vcpus - 1) : 0);
  return Math.max(500, Math.round((Math.round(cores * 100) / 100) * 1000));
}

/**
 * 6 % of what is above 8 GiB up to 128 GiB. Beyond that the fork takes 6 % of 112 GiB and 2 % of the rest, so a node of
 * 129 GiB reserves no more than one of 128 GiB.
 *
 * @param mebibytes the capacity, of which only whole GiB count
 */
export function systemReservedGiB(mebibytes: number): number {
  const above = Math.max(0, Math.floor(mebibytes / 1024) - 8);
  return Math.round(above <= 120 ? 1 + above * 0.06 : 7.72 + (above - 112) * 0.02);
}

const STORAGE = "ephemeral-storage";
const EFA = "vpc.amazonaws.com/efa";
const WINDOWS_ADDRESSES = "vpc.amazonaws.com/PrivateIPv4Address";

/**
 * The same instance types with what the nodes of an EC2NodeClass have: by its image family, volumes, kubelet and
 * network interfaces (docs/upstream/karpenter.md#resources-of-a-node). What the class does not set stays as in the
 * catalogue.
 */
export function typesOfClass(
  catalogue: Catalogue,
  nodeClass: unknown,
  profile: Profile,
  karpenter?: KarpenterOptions,
): Catalogue {
  const evaluates = karpenter?.gates.has("NodeClassCEL") ?? false;
  const facts = isFields(nodeClass)
    ? factsOfClass(nodeClass)(profile)(evaluates)
    : factsOf(nodeClass, profile, evaluates);
  return classesOf(catalogue)(facts);
}

/** Many pools have one class. */
const factsOfClass = memoizeByObject((nodeClass: Fields) =>
  memoizeByKey((profile: Profile) => memoizeByKey((evaluates: boolean) => factsOf(nodeClass, profile, evaluates))),
);

function factsOf(nodeClass: unknown, profile: Profile, evaluates: boolean): ClassFacts {
  const spec = (name: string): unknown => valueAt(nodeClass, ["spec", name]) ?? undefined;
  const kubelet = spec("kubelet");
  const interfaces = spec("networkInterfaces");
  return {
    family: imageFamilyOf(nodeClass),
    kubelet: isFields(kubelet) ? kubelet : {},
    volume: ephemeralVolume(nodeClass).nano,
    isRaid: spec("instanceStorePolicy") === "RAID0",
    efas: Array.isArray(interfaces) ? efasOf(interfaces) : undefined,
    openshift: profile === "hypershift",
    evaluates,
  };
}

interface ClassFacts {
  readonly family: string;
  readonly kubelet: Fields;
  /** The size of the volume for ephemeral storage. */
  readonly volume: bigint;
  readonly isRaid: boolean;
  /** Interfaces for EFA alone; undefined if the class does not list its interfaces. */
  readonly efas: { readonly all: number; readonly onFirstCard: number } | undefined;
  readonly openshift: boolean;
  /** Whether Karpenter evaluates expressions of kubelet settings. */
  readonly evaluates: boolean;
}

/** Many classes set the same. */
const classesOf = memoizeByObject((catalogue: Catalogue) => {
  const byFacts = memoizeByKey((text: string) => {
    const { volume, ...facts } = JSON.parse(text) as Omit<ClassFacts, "volume"> & { readonly volume: string };
    return withClass(catalogue, { ...facts, volume: BigInt(volume) });
  });
  return memoizeByObject((facts: ClassFacts) => {
    const { maxPods, podsPerCore, kubeReserved, systemReserved, evictionHard } = facts.kubelet;
    const kubelet = { maxPods, podsPerCore, kubeReserved, systemReserved, evictionHard };
    return byFacts(canonical({ ...facts, kubelet, volume: String(facts.volume) }));
  });
});

function efasOf(interfaces: readonly unknown[]): ClassFacts["efas"] {
  const efas = interfaces.filter((one) => valueAt(one, ["interfaceType"]) === "efa-only");
  return { all: efas.length, onFirstCard: efas.filter((one) => !valueAt(one, ["networkCardIndex"])).length };
}

interface EphemeralVolume {
  readonly nano: bigint;
  /** The device that must be mapped; undefined for images of a custom family. */
  readonly device: string | undefined;
  /** The field that sets the size; undefined if the provider's default counts. */
  readonly path: FieldPath | undefined;
}

/** The volume that pods write to: `ephemeralStorage` (pkg/providers/instancetype/types.go), without instance stores. */
export function ephemeralVolume(nodeClass: unknown): EphemeralVolume {
  const family = imageFamilyOf(nodeClass);
  const device = family === BOTTLEROCKET ? BOTTLEROCKET_DATA.deviceName : ROOT_DEVICES.get(family);
  const mappings = blockDevicesOf(nodeClass);
  const sized = (index: number): EphemeralVolume | undefined => {
    const size = valueAt(mappings[index], ["ebs", "volumeSize"]);
    const nano = typeof size === "string" ? parseQuantity(size)?.nano : undefined;
    return nano === undefined
      ? undefined
      : { nano, device, path: ["spec", "blockDeviceMappings", index, "ebs", "volumeSize"] };
  };
  const flagged = sized(mappings.findIndex((mapping) => valueAt(mapping, ["rootVolume"]) === true));
  const own =
    device === undefined
      ? mappings.length - 1
      : mappings.findIndex((mapping) => valueAt(mapping, ["deviceName"]) === device);
  const gib = family.startsWith("windows") ? 50n : 20n;
  return flagged ?? sized(own) ?? { nano: gib * GIB, device, path: undefined };
}

const UNIT = 10n ** 9n;
const MIB = 2n ** 20n * UNIT;
const GIB = 2n ** 30n * UNIT;

function withClass(catalogue: Catalogue, facts: ClassFacts): Catalogue {
  const plain: ClassFacts = { ...facts, family: "custom", kubelet: {}, efas: undefined };
  const isLinux = !facts.family.startsWith("windows") && facts.family !== BOTTLEROCKET;
  const isPlain = isLinux && facts.efas === undefined && Object.keys(facts.kubelet).length === 0;
  const rows = catalogue.names.map((_name, type) => {
    const machine = machineOf(catalogue, type, facts);
    if (machine === undefined) return undefined;
    const own = nodeOf(machine, facts);
    return { own, usual: isPlain ? own : nodeOf(machine, plain), storage: machine.storage };
  });
  const column = (resource: string, amountOf: (type: number) => bigint | string | undefined) => {
    const amounts = catalogue.names.map((_name, type) => {
      const amount = amountOf(type);
      return typeof amount === "bigint" ? `${amount}n` : amount;
    });
    return [resource, amounts] as const;
  };
  const shifted = (resource: "cpu" | "memory") =>
    column(resource, (type) => {
      const known = catalogue.allocatable.get(resource)?.[type];
      const { own, usual } = rows[type] ?? {};
      const more = own === undefined || usual === undefined ? 0n : usual.reserved[resource] - own.reserved[resource];
      return more === 0n ? known : (parseQuantity(known ?? "0")?.nano ?? 0n) + more;
    });
  const isWindows = facts.family.startsWith("windows");
  const addresses = column(WINDOWS_ADDRESSES, (type) => windowsAddresses(catalogue, type));
  const { efas } = facts;
  const capacity = column(STORAGE, (type) => rows[type]?.storage);
  const others = [...catalogue.allocatable].filter(([resource]) => resource !== WINDOWS_ADDRESSES);
  return {
    ...catalogue,
    capacity: new Map([capacity]),
    allocatable: new Map([
      ...others,
      shifted("cpu"),
      shifted("memory"),
      column("pods", (type) =>
        rows[type] === undefined || rows[type].own.pods === rows[type].usual.pods
          ? catalogue.allocatable.get("pods")?.[type]
          : String(rows[type].own.pods),
      ),
      column(STORAGE, (type) => {
        const row = rows[type];
        return row && row.storage - row.own.reserved[STORAGE];
      }),
      ...(isWindows ? [addresses] : []),
      ...(efas === undefined ? [] : [column(EFA, () => (efas.all === 0 ? undefined : String(efas.all)))]),
    ]),
  };
}

interface Node {
  readonly pods: number;
  readonly reserved: Readonly<Record<"cpu" | "memory" | typeof STORAGE, bigint>>;
}

interface Machine extends Size {
  readonly name: string;
  /** The pods that all its network interfaces have addresses for. */
  readonly podsByInterfaces: number;
  readonly storage: bigint;
}

/** Undefined for a type whose processor and memory the catalogue does not know. */
function machineOf(catalogue: Catalogue, type: number, facts: ClassFacts): Machine | undefined {
  const size = sizeOf(catalogue, type);
  if (size === undefined) return undefined;
  const podsByInterfaces = Number(catalogue.allocatable.get("pods")?.[type] ?? 0);
  return { ...size, name: catalogue.names[type]!, podsByInterfaces, storage: storageOf(catalogue, type, facts) };
}

/** `computeCapacity`, `kubeReservedResources` and `evictionThreshold`, or those of OpenShift's fork. */
function nodeOf(machine: Machine, facts: ClassFacts): Node {
  const { vcpus, capacity, storage } = machine;
  const { family, kubelet, openshift } = facts;
  const { pods, byInterfaces } = podsOf(machine, facts, maxPodsOf(machine, facts));
  const podsReserved = family.startsWith("windows") || family === BOTTLEROCKET ? pods : byInterfaces;
  const written = (field: string, resource: string): bigint | undefined => {
    const text = valueAt(kubelet, [field, resource]);
    if (typeof text !== "string") return undefined;
    const known = parseQuantity(text)?.nano;
    const value = known === undefined ? evaluate(text, machine, facts, pods) : undefined;
    return typeof value === "bigint" ? inUnits(resource, value) : known;
  };
  const reserved = (resource: string, kube: bigint, system: bigint): bigint =>
    (written("kubeReserved", resource) ?? (openshift ? 0n : kube)) +
    (written("systemReserved", resource) ?? (openshift ? system : 0n));
  const threshold = (signal: string, of: bigint): bigint | undefined =>
    thresholdOf(valueAt(kubelet, ["evictionHard", signal]), of);
  return {
    pods,
    reserved: {
      cpu: reserved(
        "cpu",
        BigInt(cpuReserved(vcpus * 1000)) * (UNIT / 1000n),
        BigInt(systemReservedMillicores(vcpus)) * (UNIT / 1000n),
      ),
      memory:
        reserved("memory", BigInt(memoryReserved(podsReserved)) * MIB, BigInt(systemReservedGiB(capacity)) * GIB) +
        (threshold("memory.available", BigInt(capacity) * MIB) ?? BigInt(EVICTION_MIB) * MIB),
      [STORAGE]: reserved(STORAGE, GIB, GIB) + (threshold("nodefs.available", storage) ?? share(storage, 10)),
    },
  };
}

/** `pods`. @param maxPods undefined for the default of the image family */
function podsOf({ vcpus, podsByInterfaces }: Machine, facts: ClassFacts, maxPods: number | undefined) {
  const { family, kubelet, efas, openshift } = facts;
  const byInterfaces = withoutInterfaces(podsByInterfaces, efas?.onFirstCard ?? 0);
  const most = maxPods ?? (openshift ? OPENSHIFT_PODS : family.startsWith("windows") ? 110 : byInterfaces);
  const { podsPerCore } = kubelet;
  const isPerCore = typeof podsPerCore === "number" && podsPerCore > 0 && family !== BOTTLEROCKET;
  return { pods: isPerCore ? Math.min(podsPerCore * vcpus, most) : most, byInterfaces };
}

/** `resolveMaxPods`. In its own expression max_pods is the default. */
function maxPodsOf(machine: Machine, facts: ClassFacts): number | undefined {
  const { maxPods } = facts.kubelet;
  if (typeof maxPods === "number") return maxPods;
  if (typeof maxPods !== "string") return undefined;
  const value = evaluate(maxPods, machine, facts, podsOf(machine, facts, undefined).pods);
  return typeof value === "bigint" && value <= MOST_PODS ? Number(value) : undefined;
}

/** `buildCELVars`, and what is wrong with a result. Undefined without the gate, and for what anp does not evaluate. */
function evaluate(
  text: string,
  machine: Machine,
  { evaluates }: ClassFacts,
  pods: number,
): bigint | NoValue | undefined {
  const expression = kubeletExpression(text);
  if (!evaluates || !("valueFor" in expression)) return undefined;
  const { name, vcpus, mebibytes, podsByInterfaces } = machine;
  const [addresses, interfaces] = [ADDRESSES.get(podsByInterfaces), interfacesOf(podsByInterfaces)];
  const value = expression.valueFor({
    vcpus: BigInt(vcpus),
    memory_mib: BigInt(mebibytes),
    default_enis: interfaces === undefined ? undefined : BigInt(interfaces),
    ips_per_eni: addresses === undefined ? undefined : BigInt(addresses + 1),
    max_pods: BigInt(pods),
    instance_type: name,
  });
  return typeof value === "bigint" && value < 0n ? new NoValue(`it gives ${value}, which is below 0`) : value;
}

const MOST_PODS = 2n ** 31n - 1n;
const MOST = 2n ** 63n - 1n;

/** `formatResourceResult`. */
function inUnits(resource: string, result: bigint): bigint | undefined {
  const [unit, step] = UNITS[resource] ?? ["", 1n];
  const above = result % step;
  const rounded = above === 0n || result > MOST - step ? result : result - above + step;
  return parseQuantity(`${rounded}${unit}`)?.nano;
}

/** The unit of an expression's result, and the step to which it is rounded up. */
const UNITS: Readonly<Record<string, readonly [unit: string, step: bigint]>> = {
  cpu: ["m", 10n],
  memory: ["Mi", 16n],
  [STORAGE]: ["Gi", 1n],
};

/**
 * The first instance type for which an expression of a class has no valid value, and why
 * (`evaluateKubeletExpressions`).
 *
 * @param path below `spec.kubelet`
 */
export function failingType(
  catalogue: Catalogue,
  nodeClass: object,
  path: FieldPath,
): { readonly type: string; readonly reason: string } | undefined {
  return failuresOf(catalogue, nodeClass)(path.join("."));
}

/** Pools may share a class. */
const failuresOf = memoizeByPair((catalogue: Catalogue, nodeClass: object) => {
  const facts = factsOf(nodeClass, "karpenter-1.15", true);
  return memoizeByKey((path: string) => {
    const text = valueAt(facts.kubelet, path.split("."));
    for (const [type, name] of typeof text === "string" ? catalogue.names.entries() : []) {
      const machine = machineOf(catalogue, type, facts);
      if (machine === undefined) continue;
      const isPods = path === "maxPods";
      const { pods } = podsOf(machine, facts, isPods ? undefined : maxPodsOf(machine, facts));
      const value = evaluate(String(text), machine, facts, pods);
      if (value instanceof NoValue && value !== NOT_KNOWN) return { type: name, reason: value.reason };
      if (isPods && typeof value === "bigint" && value > MOST_PODS)
        return { type: name, reason: `it gives ${value}, which is above ${MOST_PODS}` };
    }
    return undefined;
  });
});

/** `computeEvictionSignal`. A threshold of 100 % is off. */
function thresholdOf(threshold: unknown, of: bigint): bigint | undefined {
  if (typeof threshold !== "string") return undefined;
  if (!threshold.endsWith("%")) return parseQuantity(threshold)?.nano;
  const percent = Number(threshold.replaceAll("%", ""));
  return Number.isFinite(percent) ? share(of, percent === 100 ? 0 : percent) : undefined;
}

/** In Go's order of steps, which decides how they round. */
function share(of: bigint, percent: number): bigint {
  return BigInt(Math.ceil((Number(of / UNIT) / 100) * percent)) * UNIT;
}

function storageOf(catalogue: Catalogue, type: number, { isRaid, volume }: ClassFacts): bigint {
  if (!isRaid) return volume;
  const [family = "", size = ""] = catalogue.names[type]!.split(".");
  const gigabytes =
    Number(valuesOf(catalogue, type, "karpenter.k8s.aws/instance-local-nvme")[0]) || STORES[family]?.[size];
  return gigabytes === undefined ? volume : BigInt(gigabytes) * UNIT ** 2n;
}

/** In GB, of types whose instance stores are not NVMe, so that no label has them: EC2 User Guide, "Instance store". */
const STORES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  c1: { medium: 350, xlarge: 1680 },
  c3: { large: 32, xlarge: 80, "2xlarge": 160, "4xlarge": 320, "8xlarge": 640 },
  d2: { xlarge: 6144, "2xlarge": 12_288, "4xlarge": 24_576, "8xlarge": 49_152 },
  h1: { "2xlarge": 2000, "4xlarge": 4000, "8xlarge": 8000, "16xlarge": 16_000 },
  i2: { xlarge: 800, "2xlarge": 1600, "4xlarge": 3200, "8xlarge": 6400 },
  m1: { small: 160, medium: 410, large: 840, xlarge: 1680 },
  m2: { xlarge: 420, "2xlarge": 850, "4xlarge": 1680 },
  m3: { medium: 4, large: 32, xlarge: 80, "2xlarge": 160 },
  r3: { large: 32, xlarge: 80, "2xlarge": 160, "4xlarge": 320, "8xlarge": 640 },
  x1: { "16xlarge": 1920, "32xlarge": 3840 },
  x1e: { xlarge: 120, "2xlarge": 240, "4xlarge": 480, "8xlarge": 960, "16xlarge": 1920, "32xlarge": 3840 },
};

/** Addresses for pods of one network interface, by the pods of all: `IPv4PerInterface` of the provider's table less 1. */
const ADDRESSES: ReadonlyMap<number, number> = new Map(
  (
    [
      [1, 4],
      [3, 8, 11],
      [4, 18],
      [2, 10],
      [5, 12, 17],
      [9, 20, 29, 38],
      [11, 35],
      [14, 44, 58],
      [19, 40, 59, 78],
      [29, 89, 118, 176, 234, 292, 321, 350, 437],
      [39, 158, 314, 392],
      [49, 51, 100, 198, 247, 345, 394, 492, 590, 737, 786, 1178],
      [63, 254, 506, 632, 758, 1010, 1514],
    ] as const
  ).flatMap(([addresses, ...pods]) => pods.map((count) => [count, addresses] as const)),
);

/** The network interfaces of a card, by the pods of all interfaces. Undefined if no type has so many pods. */
export function interfacesOf(pods: number): number | undefined {
  const addresses = ADDRESSES.get(pods);
  return addresses === undefined ? undefined : (pods - 2) / addresses;
}

/** Interfaces that pods cannot use. */
function withoutInterfaces(pods: number, interfaces: number): number {
  const addresses = ADDRESSES.get(pods);
  if (interfaces === 0 || addresses === undefined) return pods;
  const left = Math.max(0, (pods - 2) / addresses - interfaces);
  return left === 0 ? 0 : left * addresses + 2;
}

/** Of a type that can run Windows; the provider's table does not have these. */
function windowsAddresses(catalogue: Catalogue, type: number): string | undefined {
  const isWithout = /^(hpc[678]i?[ad]+\.|trn2\.48xlarge$)/.test(catalogue.names[type]!);
  if (isWithout || valuesOf(catalogue, type, "kubernetes.io/arch")[0] !== "amd64") return undefined;
  return ADDRESSES.get(Number(catalogue.allocatable.get("pods")?.[type] ?? 0))?.toString();
}
