/** What EC2 says of an instance type, for tests: the few things that matter in, all that the schema asks for out. */
import { type InstanceTypeInfo, instanceTypesAnswer } from "../../src/model/ec2/answers.ts";

interface Facts {
  readonly name?: string;
  readonly architecture?: string;
  readonly vcpus?: number;
  readonly mebibytes?: number;
  /** As many as the addresses of the network card are for. */
  readonly pods?: number;
  /** Any other fields, as EC2 names them. */
  readonly more?: object;
}

export function ec2Info({ name, architecture, vcpus, mebibytes, pods, more }: Facts): InstanceTypeInfo {
  const described = {
    InstanceType: name ?? "m5.large",
    SupportedUsageClasses: ["on-demand", "spot"],
    Hypervisor: "nitro",
    ProcessorInfo: { SupportedArchitectures: [architecture ?? "x86_64"], Manufacturer: "Intel" },
    VCpuInfo: { DefaultVCpus: vcpus ?? 2 },
    MemoryInfo: { SizeInMiB: mebibytes ?? 8192 },
    NetworkInfo: {
      DefaultNetworkCardIndex: 0,
      NetworkCards: [{ MaximumNetworkInterfaces: (pods ?? 29) - 2 }],
      Ipv4AddressesPerInterface: 2,
    },
    ...more,
  };
  return instanceTypesAnswer().parse({ InstanceTypes: [described] }).InstanceTypes[0]!;
}
