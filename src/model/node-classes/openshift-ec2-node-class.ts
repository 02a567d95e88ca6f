/** OpenshiftEC2NodeClass v1: the wrapper of Karpenter's EC2NodeClass, for users of a cluster. */
import * as z from "zod/mini";
import { HYPERSHIFT_KARPENTER_GROUP } from "../../krm/findings/known-kinds.ts";
import type { CustomResource } from "../crds/crd.ts";
import { withFieldCount, withKeywords } from "../schema/keywords.ts";
import { conditionsSchema, objectWithSpec, READY_COLUMNS } from "../schema/metadata.ts";
import { withRule } from "../schema/rule.ts";
import { blockDeviceMappings } from "./block-device.ts";
import { nodeClassKubelet } from "./node-class-kubelet.ts";
import { resourceTags } from "./node-class-tags.ts";
import { capacityReservationSelectorTerms, securityGroupSelectorTerms, subnetSelectorTerms } from "./selector-terms.ts";

const NUMBER = "(0|[1-9]\\d*)";
const PRE_RELEASE_PART = "(0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)";
const BUILD_PART = "[0-9a-zA-Z-]+";
const SEMVER = `^${NUMBER}\\.${NUMBER}\\.${NUMBER}(-${PRE_RELEASE_PART}(\\.${PRE_RELEASE_PART})*)?(\\+${BUILD_PART}(\\.${BUILD_PART})*)?$`;
const PATTERN = new RegExp(SEMVER);

/** As Semantic Versioning 2.0 writes it. */
export const releaseVersion = withRule(
  z.string().check(z.minLength(5, { abort: true }), z.maxLength(64, { abort: true })),
  {
    cel: `self.matches(r'${SEMVER}')`,
    message: "no OpenShift version",
    hint: "write major.minor.patch, such as 4.20.1",
    test: (version) => PATTERN.test(version),
  },
);

const text = (max: number) => z.string().check(z.minLength(1), z.maxLength(max));

const listOf = <T extends z.ZodMiniType>(item: T) =>
  z.optional(
    withKeywords(z.array(item).check(z.minLength(1), z.maxLength(100)), { "x-kubernetes-list-type": "atomic" }),
  );

const capacityReservation = () =>
  z.strictObject({
    id: text(256),
    instanceType: text(256),
    availabilityZone: text(64),
    ownerID: text(12),
    instanceMatchCriteria: z.enum(["Open", "Targeted"]),
    reservationType: z.optional(z.enum(["Default", "CapacityBlock"])),
    state: z.optional(z.enum(["Active", "Expiring"])),
    endTime: z.optional(z.iso.datetime({ offset: true })),
  });

/** What HyperShift found for the selectors and the version. */
const openshiftEC2NodeClassStatus = () =>
  withFieldCount(
    z.strictObject({
      conditions: z.optional(conditionsSchema()),
      subnets: listOf(z.strictObject({ id: text(256), zone: text(256), zoneID: z.optional(text(256)) })),
      securityGroups: listOf(z.strictObject({ id: text(256), name: z.optional(text(256)) })),
      capacityReservations: listOf(capacityReservation()),
      releaseImage: z.optional(text(512)),
      version: z.optional(text(64)),
    }),
    { min: 1 },
  );

export const metadataOptions = z.lazy(() =>
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
export const openshiftEC2NodeClassSchema = objectWithSpec(openshiftEC2NodeClassSpec);

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
