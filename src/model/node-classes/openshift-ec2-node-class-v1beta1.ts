/** OpenshiftEC2NodeClass v1beta1, in either of its two dialects, and its conversion to v1. */
import * as z from "zod/mini";
import type { FieldPath } from "../../krm/places/field-path.ts";
import { type Conversion, dialectBlockDevices, givenTwice, toV1BlockDevices } from "./block-device-v1beta1.ts";
import { objectWithSpec } from "../schema/metadata.ts";
import { resourceTags } from "./node-class-tags.ts";
import { memoize } from "../schema/memoize.ts";
import {
  instanceStorePolicy,
  ipAddressAssociation,
  metadataOptions,
  monitoring,
  type OpenshiftEC2NodeClassSpec,
  releaseVersion,
} from "./openshift-ec2-node-class.ts";
import { capacityReservationSelectorTerms, securityGroupSelectorTerms, subnetSelectorTerms } from "./selector-terms.ts";

// No server has to accept this version again, so fields of both dialects are checked as in v1. The exceptions are
// `spec: {}`, `tags: {}` and `blockDeviceMappings: []`, which were valid and have no meaning. The kubelet came with v1.
export const openshiftEC2NodeClassV1beta1Spec = memoize(() =>
  z.strictObject({
    subnetSelectorTerms: z.optional(subnetSelectorTerms),
    securityGroupSelectorTerms: z.optional(securityGroupSelectorTerms),
    capacityReservationSelectorTerms: z.optional(capacityReservationSelectorTerms),
    associatePublicIPAddress: z.optional(z.boolean()),
    ipAddressAssociation: z.optional(ipAddressAssociation),
    tags: z.optional(resourceTags),
    blockDeviceMappings: z.optional(dialectBlockDevices()),
    instanceStorePolicy: z.optional(instanceStorePolicy),
    detailedMonitoring: z.optional(z.boolean()),
    monitoring: z.optional(monitoring),
    metadataOptions: z.optional(metadataOptions),
    version: z.optional(releaseVersion),
  }),
);

export const openshiftEC2NodeClassV1beta1Schema = memoize(() => objectWithSpec(openshiftEC2NodeClassV1beta1Spec()));

export type OpenshiftEC2NodeClassV1beta1Spec = z.output<ReturnType<typeof openshiftEC2NodeClassV1beta1Spec>>;

/**
 * The same node class as v1, which v1's schema accepts, except for `{}`. All paths start in the spec; `moves` holds the
 * fields with another name in v1. If there is a problem, the spec must not be used. The dialects are those of
 * docs/upstream/hypershift.md#the-two-dialects-of-v1beta1.
 */
export function fromV1beta1(spec: OpenshiftEC2NodeClassV1beta1Spec): Conversion<OpenshiftEC2NodeClassSpec> {
  const { associatePublicIPAddress, detailedMonitoring, tags, blockDeviceMappings, ...same } = spec;
  const devices =
    blockDeviceMappings === undefined ? undefined : toV1BlockDevices(blockDeviceMappings, ["blockDeviceMappings"]);
  const moves: { from: FieldPath; to: FieldPath }[] = [...(devices?.moves ?? [])];
  const problems = [...(devices?.problems ?? [])];
  const renamed = <T>(old: keyof typeof spec, now: keyof typeof spec, value: T | undefined): Record<string, T> => {
    if (value === undefined) return {};
    moves.push({ from: [old], to: [now] });
    if (spec[now] !== undefined) problems.push(givenTwice([], old, now));
    return { [now]: value };
  };
  return {
    spec: {
      ...same,
      ...renamed(
        "associatePublicIPAddress",
        "ipAddressAssociation",
        choose(associatePublicIPAddress, "Public", "SubnetDefault"),
      ),
      ...renamed("detailedMonitoring", "monitoring", choose(detailedMonitoring, "Detailed", "Basic")),
      ...(tags === undefined || Object.keys(tags).length === 0 ? {} : { tags }),
      ...(devices === undefined || devices.spec.length === 0 ? {} : { blockDeviceMappings: devices.spec }),
    },
    moves,
    problems,
  };
}

function choose<T>(flag: boolean | undefined, yes: T, no: T): T | undefined {
  if (flag === undefined) return undefined;
  return flag ? yes : no;
}
