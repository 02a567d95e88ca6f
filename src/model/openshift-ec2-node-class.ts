/** OpenshiftEC2NodeClass v1: the node class a cluster user asks for; wraps Karpenter's EC2NodeClass (hypershift.md 1.1). */
import * as z from "zod/mini";
import { HYPERSHIFT_KARPENTER_GROUP } from "../krm/known-kinds.ts";
import { blockDeviceMappings } from "./block-device.ts";
import type { CustomResource } from "./crd.ts";
import { withFieldCount } from "./field-count.ts";
import { metadataSchema } from "./metadata.ts";
import { nodeClassKubelet } from "./node-class-kubelet.ts";
import { resourceTags } from "./node-class-tags.ts";
import { openshiftEC2NodeClassStatus } from "./openshift-ec2-node-class-status.ts";
import { releaseVersion } from "./release-version.ts";
import { capacityReservationSelectorTerms, securityGroupSelectorTerms, subnetSelectorTerms } from "./selector-terms.ts";

export const metadataOptions = withFieldCount(
  z.strictObject({
    access: z.optional(z.enum(["HTTPEndpoint", "None"])),
    httpIPProtocol: z.optional(z.enum(["IPv4", "IPv6"])),
    httpPutResponseHopLimit: z.optional(z.int().check(z.minimum(1), z.maximum(64), z.meta({ format: "int64" }))),
    httpTokens: z.optional(z.enum(["Required", "Optional"])),
  }),
  { min: 1 },
);

export const ipAddressAssociation = z.enum(["Public", "SubnetDefault"]);
export const monitoring = z.enum(["Detailed", "Basic"]);
export const instanceStorePolicy = z.enum(["RAID0"]);

const describe = <S extends z.ZodMiniType>(schema: S, description: string) =>
  z.optional(schema.check(z.meta({ description })));

export const openshiftEC2NodeClassSpec = withFieldCount(
  z.strictObject({
    subnetSelectorTerms: describe(
      subnetSelectorTerms,
      "Subnets for the nodes; those of the hosted cluster when left out.",
    ),
    securityGroupSelectorTerms: describe(
      securityGroupSelectorTerms,
      "Security groups for the nodes; those of the hosted cluster when left out.",
    ),
    capacityReservationSelectorTerms: describe(
      capacityReservationSelectorTerms,
      "Capacity reservations the nodes may use.",
    ),
    ipAddressAssociation: describe(ipAddressAssociation, "Whether nodes get a public IP address."),
    tags: describe(withFieldCount(resourceTags, { min: 1 }), "AWS tags for all that Karpenter makes."),
    blockDeviceMappings: describe(blockDeviceMappings, "EBS volumes of a node; a policy may replace the root volume."),
    instanceStorePolicy: describe(instanceStorePolicy, "What to do with local disks."),
    monitoring: describe(monitoring, "How closely CloudWatch watches the instances."),
    metadataOptions: describe(metadataOptions, "How pods and nodes reach the instance metadata service."),
    version: describe(releaseVersion, "The OpenShift version of the nodes; the control plane's when left out."),
    kubelet: describe(
      nodeClassKubelet,
      "Settings of the kubelet. Settings beside the ones listed reach the node unchecked.",
    ),
  }),
  { min: 1 },
);

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
  columns: [{ name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status' }],
};
