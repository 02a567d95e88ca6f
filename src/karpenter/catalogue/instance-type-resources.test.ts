/** Tests allocatable resources: the parts that the shipped table does not show for every type. */
import { expect, it } from "vitest";
import { instanceTypeAllocatable } from "./instance-type-resources.ts";
import { ec2Info } from "../../../test/support/ec2-info.ts";

const gpu = (Manufacturer: string, Count: number) => ({ Name: "x", Manufacturer, Count });

it.each<[what: string, facts: Parameters<typeof ec2Info>[0], expected: Record<string, string | undefined>]>([
  ["two vCPUs, 8 GiB, 29 pods", {}, { cpu: "1930m", memory: "6903Mi", pods: "29", "ephemeral-storage": "17Gi" }],
  ["one vCPU", { vcpus: 1 }, { cpu: "940m" }],
  ["whole vCPUs", { vcpus: 1004 }, { cpu: "1001420m" }],
  ["Graviton keeps 64 MiB more", { architecture: "arm64" }, { memory: "6844Mi" }],
  ["pods cost memory", { pods: 110 }, { memory: "6012Mi", pods: "110" }],
  ["no room for pods", { pods: 2 }, { pods: undefined }],
  [
    "GPUs of two makers",
    { more: { GpuInfo: { Gpus: [gpu("NVIDIA", 4), gpu("NVIDIA", 2), gpu("AMD", 1)] } } },
    { "nvidia.com/gpu": "6", "amd.com/gpu": "1", "habana.ai/gaudi": undefined },
  ],
  [
    "Gaudi",
    { more: { GpuInfo: { Gpus: [gpu("Habana", 8)] } } },
    { "habana.ai/gaudi": "8", "nvidia.com/gpu": undefined },
  ],
  ["a part of a GPU", { more: { GpuInfo: { Gpus: [gpu("NVIDIA", 0)] } } }, { "nvidia.com/gpu": undefined }],
  [
    "Neuron devices and their cores",
    { more: { NeuronInfo: { NeuronDevices: [{ Name: "Trainium2", Count: 16, CoreInfo: { Count: 8 } }] } } },
    { "aws.amazon.com/neuron": "16", "aws.amazon.com/neuroncore": "128" },
  ],
])("%s", (_what, facts, expected) => {
  const allocatable = instanceTypeAllocatable(ec2Info(facts));
  const asked = Object.keys(expected).map((name) => [name, allocatable[name]]);
  expect(Object.fromEntries(asked)).toStrictEqual(expected);
});

it("counts the addresses of the default network card only", () => {
  const cards = [{ MaximumNetworkInterfaces: 15 }, { MaximumNetworkInterfaces: 2 }, { MaximumNetworkInterfaces: 15 }];
  const NetworkInfo = {
    DefaultNetworkCardIndex: 1,
    NetworkCards: cards,
    Ipv4AddressesPerInterface: 50,
    EfaInfo: { MaximumEfaInterfaces: 32 },
  };
  expect(instanceTypeAllocatable(ec2Info({ more: { NetworkInfo } }))).toMatchObject({
    pods: "100",
    "vpc.amazonaws.com/efa": "32",
  });
});
