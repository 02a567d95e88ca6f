/** Computes the labels that Karpenter's AWS provider sets for an instance type of EC2. */
import type { InstanceTypeInfo } from "../../model/ec2/answers.ts";
import { INSTANCE_TYPE } from "./catalogue.ts";
import type { Requirement } from "../requirements/requirement.ts";
import type { Requirements } from "../requirements/requirements.ts";

const ARCHITECTURES: Readonly<Record<string, string>> = { x86_64: "amd64", arm64: "arm64" };

/** Undefined for other architectures: Karpenter does not request those types from EC2. */
export function architectureOf({ ProcessorInfo }: InstanceTypeInfo): string | undefined {
  return ProcessorInfo.SupportedArchitectures.map((name) => ARCHITECTURES[name]).find((name) => name !== undefined);
}

/**
 * Without zones, capacity types and network bandwidth, which EC2 does not return: Karpenter has its own table of the
 * latter. A label that an instance type lacks is listed as DoesNotExist, as in Karpenter. The rows are those of
 * docs/upstream/karpenter.md#labels-of-aws.
 */
export function instanceTypeLabels(info: InstanceTypeInfo): Requirements {
  const { InstanceType: name, ProcessorInfo: processor, InstanceStorageInfo: storage, EbsInfo: ebs } = info;
  const scheme = /^([a-z]+)(-[0-9]+tb)?([0-9]+)(?:[^.0-9][^.]*)?\./.exec(name);
  const [family = "", size, ...more] = name.split(".");
  const inTwo = size !== undefined && more.length === 0;
  const gpu = only(info.GpuInfo?.Gpus);
  const accelerator = acceleratorOf(info);
  const ofInstance: Record<string, readonly string[] | string | number | undefined> = {
    category: scheme?.[1],
    generation: scheme?.[3],
    family: inTwo ? family : undefined,
    size: inTwo ? size : undefined,
    cpu: info.VCpuInfo.DefaultVCpus,
    "cpu-manufacturer": kebab(processor.Manufacturer),
    "cpu-sustained-clock-speed-mhz": Math.round(processor.SustainedClockSpeedInGhz * 1000),
    memory: info.MemoryInfo.SizeInMiB,
    "ebs-bandwidth": ebs?.EbsOptimizedSupport === "default" ? ebs.EbsOptimizedInfo?.MaximumBandwidthInMbps : undefined,
    "gpu-name": gpu && kebab(gpu.Name),
    "gpu-manufacturer": gpu && kebab(gpu.Manufacturer),
    "gpu-count": gpu?.Count,
    "gpu-memory": gpu && (gpu.MemoryInfo?.SizeInMiB ?? 0),
    "accelerator-name": accelerator && kebab(accelerator.Name),
    "accelerator-manufacturer": accelerator && kebab(accelerator.Manufacturer),
    "accelerator-count": accelerator?.Count,
    "capability-flex": String(family.includes("-flex")),
    hypervisor: info.Hypervisor,
    "local-nvme": storage?.NvmeSupport === "unsupported" ? undefined : storage?.TotalSizeInGB,
    "encryption-in-transit-supported": String(info.NetworkInfo.EncryptionInTransitSupported),
    tenancy: ["default", "dedicated"],
  };
  return new Map([
    entry(INSTANCE_TYPE, name),
    entry("kubernetes.io/arch", architectureOf(info)),
    entry("kubernetes.io/os", "linux"),
    entry("node.kubernetes.io/windows-build", undefined),
    ...Object.entries(ofInstance).map(([label, value]) => entry(`karpenter.k8s.aws/instance-${label}`, value)),
  ]);
}

/** Neuron devices count as AWS's own accelerators, whatever EC2 also says of inference accelerators. */
function acceleratorOf({ NeuronInfo, InferenceAcceleratorInfo }: InstanceTypeInfo) {
  if (NeuronInfo === undefined) return only(InferenceAcceleratorInfo?.Accelerators);
  const device = only(NeuronInfo.NeuronDevices);
  return device && { ...device, Manufacturer: "aws" };
}

/** A label has room for one kind of device. Karpenter sets none if there are two. */
function only<T>(list: readonly T[] | undefined): T | undefined {
  return list?.length === 1 ? list[0] : undefined;
}

function kebab(text: string): string {
  return text.replaceAll(" ", "-").toLowerCase();
}

function entry(key: string, value: readonly string[] | string | number | undefined): [string, Requirement] {
  const values = value === undefined ? [] : typeof value === "object" ? value : [String(value)];
  return [key, { key, complement: false, values: new Set(values) }];
}
