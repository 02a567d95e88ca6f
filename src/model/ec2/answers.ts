/** The parts of `aws ec2 describe-…` outputs that a catalogue is built from. */
import * as z from "zod/mini";
import { memoize } from "../schema/memoize.ts";

const instanceTypeInfo = memoize(() => {
  const name = z.prefault(z.string(), "");
  const count = z.prefault(z.int(), 0);
  const device = { Name: name, Manufacturer: name, Count: count };
  return z.object({
    InstanceType: z.string().check(z.minLength(1)),
    SupportedUsageClasses: z.prefault(z.array(z.string()), []),
    SupportedVirtualizationTypes: z.prefault(z.array(z.string()), ["hvm"]),
    /** Bare metal has none. */
    Hypervisor: name,
    ProcessorInfo: z.object({
      SupportedArchitectures: z.array(z.string()),
      SustainedClockSpeedInGhz: z.prefault(z.number(), 0),
      Manufacturer: name,
    }),
    VCpuInfo: z.object({ DefaultVCpus: z.int() }),
    MemoryInfo: z.object({ SizeInMiB: z.int() }),
    InstanceStorageInfo: z.optional(
      z.object({ TotalSizeInGB: z.optional(z.int()), NvmeSupport: z.optional(z.string()) }),
    ),
    EbsInfo: z.optional(
      z.object({
        EbsOptimizedSupport: z.optional(z.string()),
        EbsOptimizedInfo: z.optional(z.object({ MaximumBandwidthInMbps: count })),
      }),
    ),
    NetworkInfo: z.object({
      EncryptionInTransitSupported: z.prefault(z.boolean(), false),
      DefaultNetworkCardIndex: z.int().check(z.gte(0)),
      NetworkCards: z.array(z.object({ MaximumNetworkInterfaces: z.int() })).check(z.minLength(1)),
      Ipv4AddressesPerInterface: z.int(),
      EfaInfo: z.optional(z.object({ MaximumEfaInterfaces: count })),
    }),
    GpuInfo: z.optional(
      z.object({ Gpus: z.array(z.object({ ...device, MemoryInfo: z.optional(z.object({ SizeInMiB: z.int() })) })) }),
    ),
    InferenceAcceleratorInfo: z.optional(z.object({ Accelerators: z.array(z.object(device)) })),
    NeuronInfo: z.optional(
      z.object({
        NeuronDevices: z.array(z.object({ ...device, CoreInfo: z.optional(z.object({ Count: z.int() })) })),
      }),
    ),
  });
});

export type InstanceTypeInfo = z.output<ReturnType<typeof instanceTypeInfo>>;

const text = () => z.string().check(z.minLength(1));

/** A token is set if another page follows. */
const nextPage = () => ({ NextToken: z.nullish(z.string()) });

/** `aws ec2 describe-instance-types` */
export const instanceTypesAnswer = memoize(() =>
  z.object({ InstanceTypes: z.array(instanceTypeInfo()), ...nextPage() }),
);

/** `aws ec2 describe-instance-type-offerings` */
export const offeringsAnswer = memoize(() =>
  z.object({
    InstanceTypeOfferings: z.array(z.object({ InstanceType: text(), LocationType: z.string(), Location: text() })),
    ...nextPage(),
  }),
);

export type InstanceTypeOffering = z.output<ReturnType<typeof offeringsAnswer>>["InstanceTypeOfferings"][number];

/** `aws ec2 describe-availability-zones` */
export const zonesAnswer = memoize(() =>
  z.object({ AvailabilityZones: z.array(z.object({ ZoneName: text(), ZoneId: text(), RegionName: text() })) }),
);

export type AvailabilityZone = z.output<ReturnType<typeof zonesAnswer>>["AvailabilityZones"][number];
