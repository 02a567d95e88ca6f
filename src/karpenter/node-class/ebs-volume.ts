/** Finds EBS volumes of a node class that EC2 refuses. */
import type { Words } from "../../krm/findings/finding.ts";

type Range = readonly [from: number, to: number];

interface VolumeType {
  readonly gib: Range;
  /** Provisioned IOPS; undefined if they cannot be set. */
  readonly iops?: Range;
  /** The maximum for each GiB, but at least `baselineIops`. */
  readonly iopsPerGiB?: number;
  /** IOPS if none are set. */
  readonly baselineIops?: number;
  readonly throughput?: Range;
  /** Cannot be a root volume. */
  readonly dataOnly?: true;
}

/**
 * The sizes, IOPS and throughput of EC2's API reference, EbsBlockDevice (a test compares them with its text in
 * aws-sdk-go-v2, service/ec2 v1.311.0); the ratios and boot volumes: EBS User Guide, "Amazon EBS volume types". If a
 * limit has changed over time, the highest counts.
 */
export const VOLUME_TYPES: Readonly<Record<string, VolumeType>> = {
  gp2: { gib: [1, 16_384] },
  gp3: { gib: [1, 65_536], iops: [3000, 80_000], iopsPerGiB: 500, baselineIops: 3000, throughput: [125, 2000] },
  io1: { gib: [4, 16_384], iops: [100, 64_000], iopsPerGiB: 50 },
  io2: { gib: [4, 65_536], iops: [100, 256_000], iopsPerGiB: 1000 },
  st1: { gib: [125, 16_384], dataOnly: true },
  sc1: { gib: [125, 16_384], dataOnly: true },
  standard: { gib: [1, 1024] },
};

/** MiB/s for each provisioned I/O operation per second; EC2's error is "maximum is 0.250000 MiBps per iops". */
const THROUGHPUT_PER_IOPS = 0.25;

export interface EbsVolume {
  readonly type: string | undefined;
  /** Undefined if the snapshot determines it. */
  readonly gib: number | undefined;
  readonly iops: number | undefined;
  readonly throughput: number | undefined;
  readonly encrypted: boolean | undefined;
  readonly kmsKeyID: string | undefined;
  readonly root: boolean;
}

export interface RefusedVolume extends Words {
  /** The field with the problem. */
  readonly field: "type" | "gib" | "iops" | "throughput" | "kmsKeyID";
}

/** Only volumes that EC2 refuses on every instance type; limits of a type, an account or a snapshot are not checked. */
export function refusedVolume(volume: EbsVolume): RefusedVolume[] {
  const known = Object.entries(VOLUME_TYPES).find(([name]) => name === volume.type);
  return [...(known === undefined ? [] : refusedByType(volume, ...known)), ...refusedKey(volume)];
}

function refusedByType(volume: EbsVolume, name: string, type: VolumeType): RefusedVolume[] {
  const refused: RefusedVolume[] = [];
  const { gib, root } = volume;
  // The provider omits a 0 (pkg/providers/launchtemplate/launchtemplate.go, blockDeviceMappings).
  const iops = volume.iops || undefined;
  const throughput = volume.throughput || undefined;
  if (root && type.dataOnly)
    refused.push({
      field: "type",
      message: `${name} volumes cannot be root volumes`,
      hint: "use gp3 for the root volume",
    });
  if (gib !== undefined && !isWithin(gib, type.gib)) refused.push(outside("gib", "GiB", gib, name, type.gib));
  if (iops === undefined && type.iops !== undefined && type.baselineIops === undefined) {
    const hint = `add iops: ${type.iops[0]} or more, up to ${type.iops[1]}`;
    refused.push({ field: "type", message: `${name} volumes need iops`, hint });
  }
  if (iops !== undefined) refused.push(...refusedIops(iops, gib, name, type));
  if (throughput !== undefined) refused.push(...refusedThroughput(throughput, iops, name, type));
  return refused;
}

function refusedIops(iops: number, gib: number | undefined, name: string, type: VolumeType): RefusedVolume[] {
  const { iops: range, iopsPerGiB = 0, baselineIops = 0 } = type;
  if (range === undefined) return [notSettable("iops", name)];
  if (!isWithin(iops, range)) return [outside("iops", "IOPS", iops, name, range)];
  if (gib === undefined) return [];
  const most = Math.max(baselineIops, gib * iopsPerGiB);
  if (iops <= most) return [];
  const message = `${name} volumes have at most ${iopsPerGiB} IOPS for each GiB: with ${gib} GiB ${most}, not ${iops}`;
  return [{ field: "iops", message, hint: `write iops: ${most} at most, or ask for more GiB` }];
}

function refusedThroughput(throughput: number, iops: number | undefined, name: string, type: VolumeType) {
  const { throughput: range, baselineIops = 0 } = type;
  if (range === undefined) return [notSettable("throughput", name)];
  if (!isWithin(throughput, range)) return [outside("throughput", "MiB/s", throughput, name, range)];
  const provisioned = iops ?? baselineIops;
  const most = Math.floor(provisioned * THROUGHPUT_PER_IOPS);
  if (throughput <= most) return [];
  const message = `${name} volumes have at most ${THROUGHPUT_PER_IOPS} MiB/s for each of their IOPS: with ${provisioned} IOPS ${most}, not ${throughput}`;
  const hint = `write iops: ${Math.ceil(throughput / THROUGHPUT_PER_IOPS)}, or less throughput`;
  return [{ field: "throughput", message, hint } satisfies RefusedVolume];
}

function refusedKey({ kmsKeyID, encrypted }: EbsVolume): RefusedVolume[] {
  if (kmsKeyID === undefined || encrypted !== false) return [];
  const message = "a volume with a KMS key must be encrypted, but this one is not";
  return [{ field: "kmsKeyID", message, hint: "set it to encrypted, or remove the key" }];
}

function notSettable(field: "iops" | "throughput", name: string): RefusedVolume {
  const able = Object.entries(VOLUME_TYPES).flatMap(([other, type]) => (type[field] === undefined ? [] : [other]));
  const message = `${name} volumes have no ${field} to set`;
  return { field, message, hint: `remove it, or use ${able.join(", ")}` };
}

function outside(
  field: RefusedVolume["field"],
  unit: string,
  value: number,
  name: string,
  [from, to]: Range,
): RefusedVolume {
  return { field, message: `${name} volumes have ${from} to ${to} ${unit}, not ${value}` };
}

function isWithin(value: number, [from, to]: Range): boolean {
  return value >= from && value <= to;
}
