/** OpenshiftEC2NodeClass v1beta1, in either of its two dialects, and its conversion to v1. */
import * as z from "zod/mini";
import type { FieldPath } from "../krm/field-path.ts";
import { dialectBlockDevices, toV1BlockDevices } from "./block-device-v1beta1.ts";
import type { Conversion } from "./dialect.ts";
import { givenTwice } from "./dialect.ts";
import { metadataSchema } from "./metadata.ts";
import { resourceTags } from "./node-class-tags.ts";
import { once } from "./once.ts";
import {
  instanceStorePolicy,
  ipAddressAssociation,
  metadataOptions,
  monitoring,
  type OpenshiftEC2NodeClassSpec,
} from "./openshift-ec2-node-class.ts";
import { releaseVersion } from "./release-version.ts";
import { capacityReservationSelectorTerms, securityGroupSelectorTerms, subnetSelectorTerms } from "./selector-terms.ts";

// No server ever has to accept it again, so what both dialects write alike is checked as v1 is. But `spec: {}`, `tags: {}`
// and `blockDeviceMappings: []` were in order, and say nothing. The kubelet came with v1.
export const openshiftEC2NodeClassV1beta1Spec = once(() =>
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

export const openshiftEC2NodeClassV1beta1Schema = once(() =>
  z.looseObject({
    metadata: metadataSchema,
    spec: openshiftEC2NodeClassV1beta1Spec(),
    status: z.optional(z.unknown()),
  }),
);

export type OpenshiftEC2NodeClassV1beta1Spec = z.output<ReturnType<typeof openshiftEC2NodeClassV1beta1Spec>>;

/**
 * The same node class as v1, which its schema accepts, but for `{}`. All paths start in the spec; `moves` holds the
 * fields that have another name in v1. With a problem the spec is not to be used. The dialects are those of
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
