/** Computes allocatable resources of a node from EC2's data, as Karpenter's AWS provider does. */
import type { InstanceTypeInfo } from "../../model/ec2/answers.ts";

/** Share of the memory for the virtual machine: Karpenter's VM_MEMORY_OVERHEAD_PERCENT. */
const VM_MEMORY_OVERHEAD = 0.075;

/** Memory that Graviton reserves for contiguous allocation. */
const ARM_RESERVED_MIB = 64;

export const EVICTION_MIB = 100;

/** A 20 GiB volume without the kubelet's reserve (1 GiB) and eviction threshold (10 %). */
const EPHEMERAL_STORAGE = "17Gi";

/** What kubelet and system reserve of the processor, by ranges of millicores. */
const CPU_RESERVED: readonly { readonly from: number; readonly to: number; readonly share: number }[] = [
  { from: 0, to: 1000, share: 0.06 },
  { from: 1000, to: 2000, share: 0.01 },
  { from: 2000, to: 4000, share: 0.005 },
  { from: 4000, to: Infinity, share: 0.0025 },
];

/**
 * Without `vpc.amazonaws.com/pod-eni`, which EC2 does not return: Karpenter has its own table. Node class settings
 * (volumes, kubelet) are not considered. The formulas are those of docs/upstream/karpenter.md#resources-of-a-node.
 */
export function instanceTypeAllocatable(info: InstanceTypeInfo): Record<string, string> {
  const { NetworkInfo: network, GpuInfo: gpus, NeuronInfo: neuron } = info;
  const pods = podsOf(info);
  const millicores = info.VCpuInfo.DefaultVCpus * 1000;
  const gpusOf = (manufacturer: string): number =>
    sum(gpus?.Gpus.filter((gpu) => gpu.Manufacturer === manufacturer).map((gpu) => gpu.Count));
  const [device] = neuron?.NeuronDevices ?? [];
  const counts: Record<string, number> = {
    "amd.com/gpu": gpusOf("AMD"),
    "aws.amazon.com/neuron": sum(neuron?.NeuronDevices.map(({ Count }) => Count)),
    "aws.amazon.com/neuroncore": (device?.Count ?? 0) * (device?.CoreInfo?.Count ?? 0),
    "habana.ai/gaudi": gpusOf("Habana"),
    "nvidia.com/gpu": gpusOf("NVIDIA"),
    pods,
    "vpc.amazonaws.com/efa": network.EfaInfo?.MaximumEfaInterfaces ?? 0,
  };
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  return {
    cpu: millicoresText(millicores - cpuReserved(millicores)),
    "ephemeral-storage": EPHEMERAL_STORAGE,
    memory: `${memoryOf(info, pods)}Mi`,
    ...Object.fromEntries(some.map(([name, count]) => [name, String(count)])),
  };
}

/** In millicores, for the kubelet. */
export function cpuReserved(millicores: number): number {
  const reserved = CPU_RESERVED.map(({ from, to, share }) =>
    Math.trunc(Math.max(0, Math.min(millicores, to) - from) * share),
  );
  return sum(reserved);
}

/** As a quantity: `4`, `3500m`. */
export function millicoresText(millicores: number): string {
  return millicores % 1000 === 0 ? String(millicores / 1000) : `${millicores}m`;
}

function memoryOf({ MemoryInfo, ProcessorInfo }: InstanceTypeInfo, pods: number): number {
  const capacity = memoryCapacity(MemoryInfo.SizeInMiB, ProcessorInfo.SupportedArchitectures[0]);
  return capacity - memoryReserved(pods) - EVICTION_MIB;
}

/** In MiB, for the kubelet. */
export function memoryReserved(pods: number): number {
  return 11 * pods + 255;
}

/** In MiB: the memory of a node before any reserve. */
export function memoryCapacity(mebibytes: number, arch: string | undefined): number {
  const usable = mebibytes - (arch === "arm64" ? ARM_RESERVED_MIB : 0);
  return usable - Math.ceil(usable * VM_MEMORY_OVERHEAD);
}

/** The number of addresses of the default network card. Each interface keeps one, and two pods use the node's own. */
function podsOf({ NetworkInfo }: InstanceTypeInfo): number {
  const { NetworkCards, DefaultNetworkCardIndex, Ipv4AddressesPerInterface } = NetworkInfo;
  const interfaces = NetworkCards[DefaultNetworkCardIndex]?.MaximumNetworkInterfaces ?? 0;
  return interfaces === 0 ? 0 : interfaces * (Ipv4AddressesPerInterface - 1) + 2;
}

function sum(numbers: readonly number[] = []): number {
  return numbers.reduce((total, number) => total + number, 0);
}
