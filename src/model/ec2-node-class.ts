/** Karpenter's EC2NodeClass v1 as the API server validates it, for each profile (hypershift.md 1.5; the CRDs of Karpenter 1.14 and 1.15). */
import * as z from "zod";
import { AMI_RULES, amiFamily, amiSelectorTerms, hypershiftAmiSelectorTerms, type Images } from "./ec2-ami.ts";
import { ec2BlockDeviceMappings } from "./ec2-block-device.ts";
import { ec2Kubelet, openKubelet } from "./ec2-kubelet.ts";
import { connectionTracking, networkInterfaces, placementGroupSelector } from "./ec2-network.ts";
import {
  ec2CapacityReservationSelectorTerms,
  ec2SecurityGroupSelectorTerms,
  ec2SubnetSelectorTerms,
} from "./ec2-selector-terms.ts";
import { resourceTags } from "./node-class-tags.ts";
import { once } from "./once.ts";
import type { Profile } from "./profile.ts";
import { withRules } from "./rule.ts";

const METADATA_DEFAULTS = {
  httpEndpoint: "enabled",
  httpProtocolIPv6: "disabled",
  httpPutResponseHopLimit: 1,
  httpTokens: "required",
} as const;

const onOff = z.enum(["enabled", "disabled"]);

const metadataOptions = z
  .strictObject({
    httpEndpoint: onOff.meta({ default: METADATA_DEFAULTS.httpEndpoint }).optional(),
    httpProtocolIPv6: onOff.meta({ default: METADATA_DEFAULTS.httpProtocolIPv6 }).optional(),
    httpPutResponseHopLimit: z
      .int()
      .min(1)
      .max(64)
      .meta({ format: "int64", default: METADATA_DEFAULTS.httpPutResponseHopLimit })
      .optional(),
    httpTokens: z.enum(["required", "optional"]).meta({ default: METADATA_DEFAULTS.httpTokens }).optional(),
  })
  .meta({ default: METADATA_DEFAULTS });

/** What all profiles have alike. */
const common = {
  associatePublicIPAddress: z.boolean().optional(),
  blockDeviceMappings: ec2BlockDeviceMappings.optional(),
  capacityReservationSelectorTerms: ec2CapacityReservationSelectorTerms.optional(),
  context: z.string().optional(),
  detailedMonitoring: z.boolean().optional(),
  instanceProfile: z.string().min(1).optional(),
  instanceStorePolicy: z.enum(["RAID0"]).optional(),
  ipPrefixCount: z.int32().min(0).meta({ format: "int32" }).optional(),
  metadataOptions: metadataOptions.optional(),
  role: z.string().min(1).optional(),
  tags: resourceTags.optional(),
  userData: z.string().optional(),
};

/** HyperShift's edits: nothing is required, images are Custom and selected by id, no rule spans two fields. */
const hypershift = z.strictObject({
  ...common,
  amiFamily: z.enum(["Custom"]).optional(),
  amiSelectorTerms: hypershiftAmiSelectorTerms.optional(),
  kubelet: ec2Kubelet.optional(),
  securityGroupSelectorTerms: ec2SecurityGroupSelectorTerms.optional(),
  subnetSelectorTerms: ec2SubnetSelectorTerms.optional(),
});

/** What upstream has beside it; the newest HyperShift CRD that could be read lacks these fields. */
const upstream = once(() => ({
  ...common,
  connectionTracking: connectionTracking().optional(),
  cpuOptions: z.strictObject({ nestedVirtualization: onOff.optional() }).optional(),
  networkInterfaces: networkInterfaces().optional(),
  placementGroupSelector: placementGroupSelector().optional(),
  amiFamily: amiFamily.optional(),
  amiSelectorTerms: amiSelectorTerms(),
  securityGroupSelectorTerms: ec2SecurityGroupSelectorTerms,
  subnetSelectorTerms: ec2SubnetSelectorTerms,
}));

interface Identity {
  readonly role?: string | undefined;
  readonly instanceProfile?: string | undefined;
}

function withUpstreamRules<S extends z.ZodType<Identity & Images>>(shape: S): S {
  return withRules(shape, [
    {
      cel: "has(self.role) != has(self.instanceProfile)",
      message: "one of role and instanceProfile, and not both, says who the nodes are",
      test: ({ role, instanceProfile }) => (role === undefined) !== (instanceProfile === undefined),
    },
    ...AMI_RULES,
  ]);
}

const SPECS = {
  hypershift: () => hypershift,
  "karpenter-1.14": () => withUpstreamRules(z.strictObject({ ...upstream(), kubelet: ec2Kubelet.optional() })),
  "karpenter-1.15": () =>
    withUpstreamRules(
      z.strictObject({
        ...upstream(),
        kubelet: openKubelet.optional(),
        enclaveOptions: z.strictObject({ enabled: z.boolean() }).optional(),
      }),
    ),
} satisfies Record<Profile, () => z.ZodType>;

/** The schema of `spec`. */
export function ec2NodeClassSpec(profile: Profile): z.ZodType {
  return SPECS[profile]();
}
