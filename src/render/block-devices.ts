/** Renders block devices of a node class: the user's, with the root volume of policy or default. */
import { type Finding, findingAt, type Outcome } from "../krm/findings/finding.ts";
import type { FieldPath } from "../krm/places/field-path.ts";
import { describeResource } from "../krm/places/resource.ts";
import { isRootName } from "../karpenter/node-class/root-device.ts";
import type { RootVolume } from "../model/policy/root-volume.ts";
import type { Origin, Place } from "../resolve/origin.ts";
import type { NodeClassWrapper } from "../resolve/read-node-class.ts";
import type { ResolvedInputs } from "../resolve/inputs.ts";
import { EBS, toKarpenter } from "./spelled-fields.ts";
import { type RefusedVolume, refusedVolume } from "../karpenter/node-class/ebs-volume.ts";
import type { OpenshiftEC2NodeClassSpec } from "../model/node-classes/openshift-ec2-node-class.ts";

const VOLUME_FIELDS: Readonly<Record<RefusedVolume["field"], string>> = {
  type: "volumeType",
  gib: "volumeSizeGiB",
  iops: "iops",
  throughput: "throughput",
  kmsKeyID: "kmsKeyID",
};

export interface BlockDevices {
  readonly mappings: readonly Record<string, unknown>[];
  readonly origins: readonly Origin[];
}

const FIELD: FieldPath = ["spec", "blockDeviceMappings"];
/** The root device of RHCOS, the image of HyperShift's nodes. */
const ROOT_DEVICE = "/dev/xvda";

/** See docs/design.md#root-volume. */
export function renderBlockDevices(
  nodeClass: NodeClassWrapper,
  { rootVolume: root }: ResolvedInputs,
): Outcome<BlockDevices> {
  const given = nodeClass.spec.blockDeviceMappings;
  const devices = (given ?? []).map((mapping, index): UserDevice => {
    return { mapping, index, place: nodeClass.placeOf(["blockDeviceMappings", index]), root: isRootDevice(mapping) };
  });
  const findings = [...invalidNames(nodeClass, devices), ...duplicates(nodeClass, devices)];
  const keepUsersRoot = !root.replacesUsers && devices.some((device) => device.root);
  const kept = keepUsersRoot ? devices : devices.filter((device) => !device.root);
  const mappings: Record<string, unknown>[] = [];
  const origins: Origin[] = [];
  if (!keepUsersRoot) {
    // If no mapping is flagged, Karpenter takes the last one for the root volume
    // (docs/upstream/karpenter.md#root-volume).
    const flag = kept.length > 0 ? { rootVolume: true } : {};
    mappings.push({ deviceName: ROOT_DEVICE, ...flag, ebs: root.value });
    origins.push(...root.origins.map((origin) => ({ ...origin, output: [...FIELD, 0, ...origin.output] })));
    if (root.replacesUsers) {
      findings.push(
        ...devices.filter((device) => device.root).flatMap((device) => replaced(nodeClass, device, root.value)),
      );
    }
  }
  const flagged = keepUsersRoot ? unflaggedRoot(devices) : undefined;
  for (const device of kept) {
    origins.push(...deviceOrigins(nodeClass, mappings.length, device.place));
    findings.push(...refusedUserVolume(nodeClass, device));
    if (device === flagged) origins.push({ output: [...FIELD, mappings.length, "rootVolume"], input: undefined });
    mappings.push(
      karpenterMapping(device === flagged ? { ...device.mapping, rootVolume: "RootVolume" } : device.mapping),
    );
  }
  return { value: { mappings, origins }, findings };
}

/**
 * The user's root device, if it has no flag and there are data disks: Karpenter would take the last mapping for the
 * root volume.
 */
function unflaggedRoot(devices: readonly UserDevice[]): UserDevice | undefined {
  const roots = devices.filter((device) => device.root);
  const [only] = roots;
  return roots.length === 1 && devices.length > 1 && only?.mapping.rootVolume === undefined ? only : undefined;
}

/** `ebs` is written even if it is empty, as the operator does; validation of the result reports it. */
function karpenterMapping({ deviceName, rootVolume: root, ebs = {} }: UserMapping): Record<string, unknown> {
  return {
    ...(deviceName === undefined ? {} : { deviceName }),
    ...(root === "RootVolume" ? { rootVolume: true } : {}),
    ebs: toKarpenter(EBS, ebs),
  };
}

function deviceOrigins(nodeClass: NodeClassWrapper, output: number, { resource, path }: Place): Origin[] {
  const at = [...FIELD, output];
  const index = path.at(-1) as number;
  return [
    { output: at, input: { resource, path } },
    {
      output: [...at, "ebs", "volumeSize"],
      input: nodeClass.placeOf(["blockDeviceMappings", index, "ebs", "volumeSizeGiB"]),
      whole: true,
    },
  ];
}

/** Whether a user's mapping is for the root device, by its flag or by its name. */
export function isRootDevice({ rootVolume: flag, deviceName }: UserMapping): boolean {
  return flag === "RootVolume" || isRootName(deviceName);
}

/** Reports the fields that are lost when the policy's root volume replaces the user's. */
function replaced(nodeClass: NodeClassWrapper, { mapping, place }: UserDevice, root: RootVolume): Finding[] {
  const subject = describeResource(nodeClass.wrapper);
  const name = mapping.deviceName;
  if (mapping.rootVolume === "RootVolume" && name !== undefined && !isRootName(name)) {
    const message = `${subject}: \`${name}\` is flagged as the root volume, which the policy replaces; under this name it may be a data disk`;
    const hint = `write NotRootVolume if it is one, or name the root device ${ROOT_DEVICE}`;
    return [findingAt("root-volume-conflict", place.resource, [...place.path, "rootVolume"], { message, hint })];
  }
  const before = karpenterMapping(mapping)["ebs"] as Record<string, unknown>;
  const after: Record<string, unknown> = { ...root };
  const lost = Object.entries(before).filter(([field, value]) => after[field] !== value);
  if (lost.length === 0) return [];
  const list = lost
    .map(
      ([field, value]) =>
        `${field} ${String(value)}${after[field] === undefined ? "" : ` (now ${String(after[field])})`}`,
    )
    .join(", ");
  const message = `${subject}: the policy's root volume replaces ${name ?? "the root device"}; lost: ${list}`;
  return [
    findingAt("root-volume-replaced", place.resource, place.path, {
      message,
      hint: "remove the root device from the wrapper",
    }),
  ];
}

/** Names with invisible characters: such a root device would be rendered beside the policy's. */
function invalidNames(nodeClass: NodeClassWrapper, devices: readonly UserDevice[]): Finding[] {
  return devices.flatMap(({ mapping: { deviceName = "" }, place }) => {
    if (/^[!-~]*$/.test(deviceName)) return [];
    const message = `${describeResource(nodeClass.wrapper)}: the device name ${JSON.stringify(deviceName)} contains blanks or other invalid characters`;
    const hint = `write it as EC2 does, such as ${ROOT_DEVICE} or /dev/xvdb`;
    return [findingAt("wrapper-invalid", place.resource, [...place.path, "deviceName"], { message, hint })];
  });
}

function duplicates(nodeClass: NodeClassWrapper, devices: readonly UserDevice[]): Finding[] {
  const seen = new Set<string>();
  return devices.flatMap(({ mapping: { deviceName }, place }) => {
    if (deviceName === undefined || !seen.has(deviceName)) {
      if (deviceName !== undefined) seen.add(deviceName);
      return [];
    }
    const message = `${describeResource(nodeClass.wrapper)}: two block devices are named \`${deviceName}\``;
    return [
      findingAt("device-name-duplicate", place.resource, [...place.path, "deviceName"], {
        message,
        hint: "give each its own name",
      }),
    ];
  });
}

type UserMapping = NonNullable<OpenshiftEC2NodeClassSpec["blockDeviceMappings"]>[number];

/** A block device of the user. */
interface UserDevice {
  readonly mapping: UserMapping;
  readonly index: number;
  readonly place: Place;
  readonly root: boolean;
}

/** Warns about a user's volume that EC2 refuses, at the field with the problem. */
function refusedUserVolume(nodeClass: NodeClassWrapper, { mapping, index, root }: UserDevice): Finding[] {
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
    const { resource, path } = nodeClass.placeOf(["blockDeviceMappings", index, "ebs", VOLUME_FIELDS[field]]);
    const words = `${describeResource(nodeClass.wrapper)}: EC2 refuses the volume ${deviceName ?? index}, and no node starts: ${message}`;
    return findingAt("volume-refused", resource, path, { message: words, hint });
  });
}
