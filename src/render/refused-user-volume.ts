/** Warns about a user's volume that EC2 refuses, at the field with the problem. */
import { type Finding, findingAt } from "../krm/finding.ts";
import { describeResource } from "../krm/resource.ts";
import { type RefusedVolume, refusedVolume } from "../karpenter/node-class/ebs-volume.ts";
import type { OpenshiftEC2NodeClassSpec } from "../model/openshift-ec2-node-class.ts";
import type { Place } from "../resolve/origin.ts";
import type { NodeClassWrapper } from "../resolve/read-node-class.ts";

export type UserMapping = NonNullable<OpenshiftEC2NodeClassSpec["blockDeviceMappings"]>[number];

/** A block device of the user. */
export interface UserDevice {
  readonly mapping: UserMapping;
  readonly index: number;
  readonly place: Place;
  readonly root: boolean;
}

const FIELD: Readonly<Record<RefusedVolume["field"], string>> = {
  type: "volumeType",
  gib: "volumeSizeGiB",
  iops: "iops",
  throughput: "throughput",
  kmsKeyID: "kmsKeyID",
};

export function refusedUserVolume(nodeClass: NodeClassWrapper, { mapping, index, root }: UserDevice): Finding[] {
  const { ebs, deviceName } = mapping;
  if (ebs === undefined) return [];
  const { volumeType, volumeSizeGiB: gib, iops, throughput, encrypted, kmsKeyID } = ebs;
  const volume = {
    type: volumeType?.toLowerCase(),
    gib,
    iops,
    throughput,
    encrypted: encrypted === undefined ? undefined : encrypted === "Encrypted",
    kmsKeyID,
    root,
  };
  return refusedVolume(volume).map(({ field, message, hint }) => {
    const { resource, path } = nodeClass.placeOf(["blockDeviceMappings", index, "ebs", FIELD[field]]);
    const words = `${describeResource(nodeClass.wrapper)}: EC2 refuses the volume ${deviceName ?? index}, and no node starts: ${message}`;
    return findingAt("volume-refused", resource, path, { message: words, hint });
  });
}
