/** The root volume that nodes get where no user's stands: policy over RenderConfig over the built-in default, and whether EC2 takes it. */
import { type Finding, findingAt } from "../krm/finding.ts";
import { describeResource } from "../krm/resource.ts";
import { type RefusedVolume, refusedVolume } from "../karpenter/ebs-volume.ts";
import { BUILT_IN_ROOT_VOLUME, type RootVolume } from "../model/root-volume.ts";
import { wholeGiB } from "../model/whole-gib.ts";
import { type Origin, originIn, type Place } from "./origin.ts";
import { type EffectivePolicy, POLICY_ROOT_VOLUME } from "./policy.ts";
import type { Settings } from "./settings.ts";

export interface DecidedRootVolume {
  readonly value: RootVolume & {
    readonly volumeSize: string;
    readonly volumeType: string;
    readonly encrypted: boolean;
  };
  /** Of the fields below `ebs`. */
  readonly origins: readonly Origin[];
  /** Where the first that speaks of it does, the policy before the RenderConfig; undefined where all of it is built in. */
  readonly from: Place | undefined;
}

export function decideRootVolume(policy: EffectivePolicy, settings: Settings): DecidedRootVolume {
  const configured = settings.rootVolume;
  const chosen = policy.rootVolume ?? {};
  const { volumeSize, volumeType, encrypted, iops, throughput } = { ...configured?.value, ...chosen };
  const value = {
    volumeSize: volumeSize ?? BUILT_IN_ROOT_VOLUME.volumeSize,
    volumeType: (volumeType ?? BUILT_IN_ROOT_VOLUME.volumeType).toLowerCase(),
    encrypted: encrypted ?? BUILT_IN_ROOT_VOLUME.encrypted,
    ...(iops === undefined ? {} : { iops }),
    ...(throughput === undefined ? {} : { throughput }),
  };
  const origins: Origin[] = [];
  const fieldsOf = (given: RootVolume, { resource, path }: Place) =>
    Object.keys(given).map((field) => ({ output: ["ebs", field], input: { resource, path: [...path, field] } }));
  if (policy.resource !== undefined && policy.rootVolume !== undefined) {
    origins.push({ output: [], input: { resource: policy.resource, path: POLICY_ROOT_VOLUME }, whole: true });
  }
  if (configured !== undefined) origins.push(...fieldsOf(configured.value, configured.from));
  if (policy.resource !== undefined) {
    origins.push(...fieldsOf(chosen, { resource: policy.resource, path: POLICY_ROOT_VOLUME }));
  }
  const from =
    policy.resource !== undefined && policy.rootVolume !== undefined
      ? { resource: policy.resource, path: POLICY_ROOT_VOLUME }
      : configured?.from;
  return { value, origins, from };
}

const FIELD: Readonly<Record<RefusedVolume["field"], string>> = {
  type: "volumeType",
  gib: "volumeSize",
  iops: "iops",
  throughput: "throughput",
  kmsKeyID: "kmsKeyID",
};

/** Once for all classes: no node of any pool would start. The table of EC2's limits ages, so a rule may lower it. */
export function refusedRootVolume({ value, origins, from }: DecidedRootVolume): Finding[] {
  if (from === undefined) return [];
  const { volumeSize, volumeType: type, encrypted, iops, throughput } = value;
  const gib = wholeGiB(volumeSize).size;
  const volume = { type, gib, encrypted, iops, throughput, kmsKeyID: undefined, root: true };
  return refusedVolume(volume).map(({ field, message, hint }) => {
    const { resource, path } = originIn(origins, ["ebs", FIELD[field]]) ?? from;
    const words = `${describeResource(resource)}: EC2 refuses the root volume of every node: ${message}`;
    return findingAt("root-volume-refused", resource, path, { message: words, hint });
  });
}
