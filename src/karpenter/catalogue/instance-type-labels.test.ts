/** Tests the labels that Karpenter derives from EC2's data, row by row. */
import { describe, expect, it } from "vitest";
import { WELL_KNOWN_LABELS } from "../../model/requirements/labels.ts";
import { instanceTypeLabels } from "./instance-type-labels.ts";
import { formatRequirement } from "../requirements/requirement.ts";
import { ec2Info } from "../../../test/support/ec2-info.ts";

type Facts = Parameters<typeof ec2Info>[0];

/** Karpenter's string of labels, with short keys for `karpenter.k8s.aws/instance-…`. */
function labelsOf(facts: Facts, ...keys: string[]): string[] {
  const labels = instanceTypeLabels(ec2Info(facts));
  return keys.map((key) =>
    formatRequirement(labels.get(key.includes("/") ? key : `karpenter.k8s.aws/instance-${key}`)!),
  );
}

it.each<[name: string, category: string, generation: string, family: string, size: string, flex: string]>([
  ["m5.large", "m", "5", "m5", "large", "false"],
  ["c7i-flex.xlarge", "c", "7", "c7i-flex", "xlarge", "true"],
  ["u-6tb1.56xlarge", "u", "1", "u-6tb1", "56xlarge", "false"],
  ["u7i-12tb.224xlarge", "u", "7", "u7i-12tb", "224xlarge", "false"],
  ["is4gen.2xlarge", "is", "4", "is4gen", "2xlarge", "false"],
  ["mac2-m2.metal", "mac", "2", "mac2-m2", "metal", "false"],
  ["hpc7a.12xlarge", "hpc", "7", "hpc7a", "12xlarge", "false"],
  ["p6-b200.48xlarge", "p", "6", "p6-b200", "48xlarge", "false"],
  ["m10g.metal-48xl", "m", "10", "m10g", "metal-48xl", "false"],
])("%s: category %s, generation %s, family %s, size %s, flex %s", (name, ...expected) => {
  const keys = ["category", "generation", "family", "size", "capability-flex"];
  expect(labelsOf({ name }, ...keys)).toStrictEqual(expected.map((value) => `In [${value}]`));
});

it("ignores names that do not fit the scheme", () => {
  expect(labelsOf({ name: "odd" }, "category", "generation", "family", "size")).toStrictEqual(
    Array.from({ length: 4 }, () => "DoesNotExist"),
  );
  expect(labelsOf({ name: "x.y.z" }, "category", "family", "size")).toStrictEqual(
    Array.from({ length: 3 }, () => "DoesNotExist"),
  );
});

const GPU = { Name: "RTX PRO 6000", Manufacturer: "NVIDIA", Count: 2, MemoryInfo: { SizeInMiB: 98304 } };
const NEURON = { Name: "Trainium2", Count: 16, CoreInfo: { Count: 8 } };
const ACCELERATOR = { Name: "AI100", Manufacturer: "Qualcomm", Count: 8 };

describe.each<[what: string, more: object, labels: Record<string, string>]>([
  ["one kind of GPU", { GpuInfo: { Gpus: [GPU] } }, { "gpu-name": "In [rtx-pro-6000]", "gpu-count": "In [2]" }],
  [
    "its maker and memory",
    { GpuInfo: { Gpus: [GPU] } },
    { "gpu-manufacturer": "In [nvidia]", "gpu-memory": "In [98304]" },
  ],
  ["two kinds of GPU", { GpuInfo: { Gpus: [GPU, GPU] } }, { "gpu-name": "DoesNotExist", "gpu-count": "DoesNotExist" }],
  ["a part of a GPU", { GpuInfo: { Gpus: [{ ...GPU, Count: 0 }] } }, { "gpu-count": "In [0]" }],
  ["no GPU", {}, { "gpu-name": "DoesNotExist", "gpu-memory": "DoesNotExist", "accelerator-name": "DoesNotExist" }],
  [
    "an inference accelerator",
    { InferenceAcceleratorInfo: { Accelerators: [ACCELERATOR] } },
    { "accelerator-name": "In [ai100]", "accelerator-manufacturer": "In [qualcomm]", "accelerator-count": "In [8]" },
  ],
  [
    "Neuron devices, which EC2 also calls inference accelerators",
    { NeuronInfo: { NeuronDevices: [NEURON] }, InferenceAcceleratorInfo: { Accelerators: [ACCELERATOR] } },
    { "accelerator-name": "In [trainium2]", "accelerator-manufacturer": "In [aws]", "accelerator-count": "In [16]" },
  ],
  [
    "two kinds of Neuron devices",
    { NeuronInfo: { NeuronDevices: [NEURON, NEURON] } },
    { "accelerator-name": "DoesNotExist" },
  ],
  [
    "a local disk",
    { InstanceStorageInfo: { TotalSizeInGB: 3800, NvmeSupport: "required" } },
    { "local-nvme": "In [3800]" },
  ],
  [
    "a local disk without NVMe",
    { InstanceStorageInfo: { TotalSizeInGB: 80, NvmeSupport: "unsupported" } },
    { "local-nvme": "DoesNotExist" },
  ],
  [
    "EBS by default",
    { EbsInfo: { EbsOptimizedSupport: "default", EbsOptimizedInfo: { MaximumBandwidthInMbps: 4750 } } },
    { "ebs-bandwidth": "In [4750]" },
  ],
  [
    "EBS on demand",
    { EbsInfo: { EbsOptimizedSupport: "supported", EbsOptimizedInfo: { MaximumBandwidthInMbps: 1000 } } },
    { "ebs-bandwidth": "DoesNotExist" },
  ],
  ["bare metal", { Hypervisor: undefined }, { hypervisor: "In []" }],
  ["xen", { Hypervisor: "xen" }, { hypervisor: "In [xen]" }],
  [
    "a processor",
    {
      ProcessorInfo: {
        SupportedArchitectures: ["i386", "x86_64"],
        SustainedClockSpeedInGhz: 2.4999,
        Manufacturer: "AMD",
      },
    },
    {
      "kubernetes.io/arch": "In [amd64]",
      "cpu-manufacturer": "In [amd]",
      "cpu-sustained-clock-speed-mhz": "In [2500]",
    },
  ],
  ["Graviton", { ProcessorInfo: { SupportedArchitectures: ["arm64"] } }, { "kubernetes.io/arch": "In [arm64]" }],
  [
    "what every type has",
    {},
    {
      "node.kubernetes.io/instance-type": "In [m5.large]",
      "kubernetes.io/os": "In [linux]",
      "node.kubernetes.io/windows-build": "DoesNotExist",
      tenancy: "In [dedicated default]",
      cpu: "In [2]",
      memory: "In [8192]",
      "encryption-in-transit-supported": "In [false]",
    },
  ],
])("%s", (_what, more, labels) => {
  it.each(Object.entries(labels))("%s is %s", (key, expected) => {
    expect(labelsOf({ more }, key)).toStrictEqual([expected]);
  });
});

it("has every label of an instance except the network bandwidth", () => {
  const known = [...WELL_KNOWN_LABELS].filter((key) => key.startsWith("karpenter.k8s.aws/instance-"));
  expect(new Set(known).difference(new Set(instanceTypeLabels(ec2Info({})).keys()))).toStrictEqual(
    new Set(["karpenter.k8s.aws/instance-network-bandwidth"]),
  );
});
