/** The root volume that nodes get where no user's stands, and whether EC2 takes it. */
import { type Finding, findingAt } from "../krm/finding.ts";
import { describeResource } from "../krm/resource.ts";
import { type RefusedVolume, refusedVolume } from "../karpenter/node-class/ebs-volume.ts";
import { BUILT_IN_ROOT_VOLUME, type RootVolume } from "../model/root-volume.ts";
import { wholeGiB } from "../model/whole-gib.ts";
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
  /** Of the fields below `ebs`. */
  readonly origins: readonly Origin[];
  readonly gib: number;
  /** A policy's takes the place of what users ask for; any other stands where they ask for none. */
  readonly replacesUsers: boolean;
}

/** Field by field, the policy's before the RenderConfig's before what is built in. */
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

/** Where a field was set, or else who could have; undefined where nobody speaks of the root volume. */
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

/** Once for all classes: no node of any pool would start. The table of EC2's limits ages, so a rule may lower it. */
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
