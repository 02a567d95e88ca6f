/** OpenshiftEC2NodeClass v1: the wrapper of Karpenter's EC2NodeClass, for users of a cluster. */
import * as z from "zod/mini";
import { HYPERSHIFT_KARPENTER_GROUP } from "../krm/known-kinds.ts";
import { blockDeviceMappings } from "./block-device.ts";
import { type CustomResource, READY_COLUMNS } from "./crd.ts";
import { withFieldCount } from "./field-count.ts";
import { withKeywords } from "./keywords.ts";
import { lazySchema } from "./lazy-schema.ts";
import { metadataSchema } from "./metadata.ts";
import { nodeClassKubelet } from "./node-class-kubelet.ts";
import { resourceTags } from "./node-class-tags.ts";
import { openshiftEC2NodeClassStatus } from "./openshift-ec2-node-class-status.ts";
import { releaseVersion } from "./release-version.ts";
import { capacityReservationSelectorTerms, securityGroupSelectorTerms, subnetSelectorTerms } from "./selector-terms.ts";

export const metadataOptions = lazySchema(() =>
  withFieldCount(
    z.strictObject({
      access: z.optional(z.enum(["HTTPEndpoint", "None"])),
      httpIPProtocol: z.optional(z.enum(["IPv4", "IPv6"])),
      httpPutResponseHopLimit: z.optional(
        withKeywords(z.int().check(z.minimum(1), z.maximum(64)), { format: "int64" }),
      ),
      httpTokens: z.optional(z.enum(["Required", "Optional"])),
    }),
    { min: 1 },
  ),
);

export const ipAddressAssociation = z.enum(["Public", "SubnetDefault"]);
export const monitoring = z.enum(["Detailed", "Basic"]);
export const instanceStorePolicy = z.enum(["RAID0"]);

export const openshiftEC2NodeClassSpec = withFieldCount(
  z.strictObject({
    subnetSelectorTerms: z.optional(subnetSelectorTerms),
    securityGroupSelectorTerms: z.optional(securityGroupSelectorTerms),
    capacityReservationSelectorTerms: z.optional(capacityReservationSelectorTerms),
    ipAddressAssociation: z.optional(ipAddressAssociation),
    tags: z.optional(withFieldCount(resourceTags, { min: 1 })),
    blockDeviceMappings: z.optional(blockDeviceMappings),
    instanceStorePolicy: z.optional(instanceStorePolicy),
    monitoring: z.optional(monitoring),
    metadataOptions: z.optional(metadataOptions),
    version: z.optional(releaseVersion),
    kubelet: z.optional(nodeClassKubelet),
  }),
  { min: 1 },
);

/** As in docs/upstream/hypershift.md#openshiftec2nodeclass. */
export const openshiftEC2NodeClassSchema = z.looseObject({
  metadata: metadataSchema,
  spec: openshiftEC2NodeClassSpec,
  status: z.optional(z.unknown()),
});

export type OpenshiftEC2NodeClassSpec = z.output<typeof openshiftEC2NodeClassSpec>;

export const openshiftEC2NodeClassResource: CustomResource = {
  group: HYPERSHIFT_KARPENTER_GROUP,
  version: "v1",
  kind: "OpenshiftEC2NodeClass",
  plural: "openshiftec2nodeclasses",
  singular: "openshiftec2nodeclass",
  shortNames: ["oec2nc", "oec2ncs"],
  scope: "Cluster",
  description: "What nodes on AWS are made of, within the AutoNodePolicy of the hosted cluster.",
  spec: () => openshiftEC2NodeClassSpec,
  specRequired: true,
  status: openshiftEC2NodeClassStatus,
  columns: READY_COLUMNS,
};
