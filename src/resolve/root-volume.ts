/** Determines the default root volume of nodes, and checks it against EC2's limits. */
import { type Finding, findingAt } from "../krm/findings/finding.ts";
import { describeResource } from "../krm/places/resource.ts";
import { type RefusedVolume, refusedVolume } from "../karpenter/node-class/ebs-volume.ts";
import { BUILT_IN_ROOT_VOLUME, type RootVolume } from "../model/policy/root-volume.ts";
import { wholeGiB } from "../model/values/volume-size.ts";
import { type Origin, originIn, type Place } from "./origin.ts";
import { type EffectivePolicy, POLICY_ROOT_VOLUME } from "./policy.ts";
import type { Settings } from "./settings.ts";

interface Deciders {
  readonly policy: EffectivePolicy;
  readonly settings: Settings;
}

export interface DecidedRootVolume {
  readonly value: RootVolume & {
    readonly volumeSize: string;
    readonly volumeType: string;
    readonly encrypted: boolean;
  };
  /** Origins of the fields below `ebs`. */
  readonly origins: readonly Origin[];
  readonly gib: number;
  /** True for a policy's root volume, which replaces the user's; others are defaults. */
  readonly replacesUsers: boolean;
}

/** Field by field: the policy's, else the RenderConfig's, else the built-in value. */
export function decideRootVolume({ policy, settings }: Deciders): DecidedRootVolume {
  const configured = settings.rootVolume;
  const { volumeSize, volumeType, encrypted, iops, throughput } = { ...configured?.value, ...policy.rootVolume };
  const value = {
    volumeSize: volumeSize ?? BUILT_IN_ROOT_VOLUME.volumeSize,
    volumeType: (volumeType ?? BUILT_IN_ROOT_VOLUME.volumeType).toLowerCase(),
    encrypted: encrypted ?? BUILT_IN_ROOT_VOLUME.encrypted,
    ...(iops === undefined ? {} : { iops }),
    ...(throughput === undefined ? {} : { throughput }),
  };
  const origins: Origin[] = [];
  const add = (given: RootVolume, { resource, path }: Place): void => {
    origins.push({ output: [], input: { resource, path }, whole: true });
    for (const field of Object.keys(given))
      origins.push({ output: ["ebs", field], input: { resource, path: [...path, field] } });
  };
  if (configured !== undefined) add(configured.value, configured.from);
  if (policy.resource !== undefined && policy.rootVolume !== undefined)
    add(policy.rootVolume, { resource: policy.resource, path: POLICY_ROOT_VOLUME });
  const replacesUsers = policy.rootVolume !== undefined;
  return { value, origins, gib: wholeGiB(value.volumeSize).size, replacesUsers };
}

/** Where a field was set, or where it could be set; undefined if no input sets a root volume. */
export function placeInRootVolume({ origins }: DecidedRootVolume, field: string): Place | undefined {
  return originIn(origins, ["ebs", field]);
}

const FIELD: Readonly<Record<RefusedVolume["field"], string>> = {
  type: "volumeType",
  gib: "volumeSize",
  iops: "iops",
  throughput: "throughput",
  kmsKeyID: "kmsKeyID",
};

/**
 * Reported once for all classes, because no node of any pool would start. The table of EC2's limits becomes outdated,
 * so rules may lower the severity.
 */
export function refusedRootVolume(root: DecidedRootVolume): Finding[] {
  const { value, gib } = root;
  const { volumeType: type, encrypted, iops, throughput } = value;
  const volume = { type, gib, encrypted, iops, throughput, kmsKeyID: undefined, root: true };
  return refusedVolume(volume).flatMap(({ field, message, hint }) => {
    const place = placeInRootVolume(root, FIELD[field]);
    if (place === undefined) return [];
    const words = `${describeResource(place.resource)}: EC2 refuses the root volume of every node: ${message}`;
    return [findingAt("root-volume-refused", place.resource, place.path, { message: words, hint })];
  });
}
