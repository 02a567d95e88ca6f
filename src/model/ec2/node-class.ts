/** Karpenter's EC2NodeClass v1 as the API server validates it, for each profile. */
import * as z from "zod/mini";
import { AMI_RULES, amiFamily, amiSelectorTerms, hypershiftAmiSelectorTerms, type Images } from "./ami.ts";
import { ec2BlockDeviceMappings } from "./block-device.ts";
import { ec2Kubelet, openKubelet } from "./kubelet.ts";
import { connectionTracking, networkInterfaces, placementGroupSelector } from "./network.ts";
import {
  ec2CapacityReservationSelectorTerms,
  ec2SecurityGroupSelectorTerms,
  ec2SubnetSelectorTerms,
} from "./selector-terms.ts";
import { withKeywords } from "../schema/keywords.ts";
import { objectWithSpec } from "../schema/metadata.ts";
import { resourceTags } from "../node-classes/node-class-tags.ts";
import { memoize } from "../schema/memoize.ts";
import type { Profile } from "../crds/profile.ts";
import { withRules } from "../schema/rule.ts";

const METADATA_DEFAULTS = {
  httpEndpoint: "enabled",
  httpProtocolIPv6: "disabled",
  httpPutResponseHopLimit: 1,
  httpTokens: "required",
} as const;

const onOff = z.enum(["enabled", "disabled"]);

const metadataOptions = z.lazy(() =>
  withKeywords(
    z.strictObject({
      httpEndpoint: withKeywords(z.optional(onOff), { default: METADATA_DEFAULTS.httpEndpoint }),
      httpProtocolIPv6: withKeywords(z.optional(onOff), { default: METADATA_DEFAULTS.httpProtocolIPv6 }),
      httpPutResponseHopLimit: z.optional(
        withKeywords(z.int().check(z.minimum(1), z.maximum(64)), {
          format: "int64",
          default: METADATA_DEFAULTS.httpPutResponseHopLimit,
        }),
      ),
      httpTokens: z.optional(withKeywords(z.enum(["required", "optional"]), { default: METADATA_DEFAULTS.httpTokens })),
    }),
    { default: METADATA_DEFAULTS },
  ),
);

/** The fields of all profiles. */
const common = {
  associatePublicIPAddress: z.optional(z.boolean()),
  blockDeviceMappings: z.optional(ec2BlockDeviceMappings),
  capacityReservationSelectorTerms: z.optional(ec2CapacityReservationSelectorTerms),
  context: z.optional(z.string()),
  detailedMonitoring: z.optional(z.boolean()),
  instanceProfile: z.optional(z.string().check(z.minLength(1))),
  instanceStorePolicy: z.optional(z.enum(["RAID0"])),
  ipPrefixCount: z.optional(withKeywords(z.int32().check(z.minimum(0)), { format: "int32" })),
  metadataOptions: z.optional(metadataOptions),
  role: z.optional(z.string().check(z.minLength(1))),
  tags: z.optional(resourceTags),
  userData: z.optional(z.string()),
};

/** HyperShift's edits: nothing is required, images are Custom and selected by id, no rule spans two fields. */
const hypershift = z.strictObject({
  ...common,
  amiFamily: z.optional(z.enum(["Custom"])),
  amiSelectorTerms: z.optional(hypershiftAmiSelectorTerms),
  kubelet: z.optional(ec2Kubelet),
  securityGroupSelectorTerms: z.optional(ec2SecurityGroupSelectorTerms),
  subnetSelectorTerms: z.optional(ec2SubnetSelectorTerms),
});

/** The fields that only upstream has; the newest HyperShift CRD that could be read lacks them. */
const upstream = memoize(() => ({
  ...common,
  connectionTracking: z.optional(connectionTracking()),
  cpuOptions: z.optional(z.strictObject({ nestedVirtualization: z.optional(onOff) })),
  networkInterfaces: z.optional(networkInterfaces()),
  placementGroupSelector: z.optional(placementGroupSelector()),
  amiFamily: z.optional(amiFamily),
  amiSelectorTerms: amiSelectorTerms(),
  securityGroupSelectorTerms: ec2SecurityGroupSelectorTerms,
  subnetSelectorTerms: ec2SubnetSelectorTerms,
}));

interface Identity {
  readonly role?: string | undefined;
  readonly instanceProfile?: string | undefined;
}

function withUpstreamRules<S extends z.ZodMiniType<Identity & Images>>(shape: S): S {
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
  "karpenter-1.14": () => withUpstreamRules(z.strictObject({ ...upstream(), kubelet: z.optional(ec2Kubelet) })),
  "karpenter-1.15": () =>
    withUpstreamRules(
      z.strictObject({
        ...upstream(),
        kubelet: z.optional(openKubelet),
        enclaveOptions: z.optional(z.strictObject({ enabled: z.boolean() })),
      }),
    ),
} satisfies Record<Profile, () => z.ZodMiniType>;

/** The schema of `spec`, as in the CRDs of docs/upstream/hypershift.md#karpenters-crds. */
export function ec2NodeClassSpec(profile: Profile): z.ZodMiniType {
  return SPECS[profile]();
}

/** The whole object, as a user wrote it or a cluster has it. */
export function ec2NodeClassSchema(profile: Profile) {
  const spec = ec2NodeClassSpec(profile);
  return objectWithSpec(spec);
}
