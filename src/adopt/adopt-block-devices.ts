/** Converts block devices of an EC2NodeClass to its wrapper's: the inverse of block-devices.ts. */
import { type Finding, findingAt, type Outcome } from "../krm/finding.ts";
import { describeResource, type Resource } from "../krm/resource.ts";
import { wholeGiB } from "../model/whole-gib.ts";
import { EBS, toWrapper } from "../render/spelled-fields.ts";

/** A mapping that is valid in Karpenter's CRD. */
export interface RawMapping {
  readonly deviceName?: string;
  readonly rootVolume?: boolean;
  readonly ebs?: Readonly<Record<string, unknown>>;
}

export function adoptBlockDevices(raw: Resource, given: readonly RawMapping[]): Outcome<Record<string, unknown>[]> {
  const findings: Finding[] = [];
  const value = given.map(({ deviceName, rootVolume, ebs }, index) => ({
    ...(deviceName === undefined ? {} : { deviceName }),
    ...(rootVolume === undefined ? {} : { rootVolume: rootVolume ? "RootVolume" : "NotRootVolume" }),
    ...(ebs === undefined ? {} : { ebs: adoptEbs(raw, index, ebs, findings) }),
  }));
  return { value, findings };
}

function adoptEbs(
  raw: Resource,
  index: number,
  given: Readonly<Record<string, unknown>>,
  findings: Finding[],
): Record<string, unknown> {
  const lossy = (field: string, message: string, hint?: string): void => {
    const path = ["spec", "blockDeviceMappings", index, "ebs", field];
    const words = { message: `${describeResource(raw)}: ${field} ${message}`, hint };
    findings.push(findingAt("adopt-lossy", raw, path, words));
  };
  const { volumeSize, volumeInitializationRate: rate } = given;
  if (rate !== undefined)
    lossy("volumeInitializationRate", `${String(rate)} is dropped: the volume is slow until its snapshot is read`);
  if (typeof volumeSize !== "string") return toWrapper(EBS, given);
  const { size, exact } = wholeGiB(volumeSize);
  if (!exact) {
    const message = `${volumeSize} becomes ${size}Gi, rounded up to whole GiB, the only unit of the wrapper`;
    lossy("volumeSize", message, "running nodes drift and are replaced");
  }
  return toWrapper(EBS, { ...given, volumeSize: size });
}
