/** Creates the wrapper that renders to an EC2NodeClass; render-ec2-node-class.ts is the inverse. */
import { type Fields, isFields } from "../krm/values/fields.ts";
import { type Finding, findingAt, hasErrors, type Outcome } from "../krm/findings/finding.ts";
import { HYPERSHIFT_KARPENTER_GROUP } from "../krm/findings/known-kinds.ts";
import { describeResource, type Resource } from "../krm/places/resource.ts";
import { ec2NodeClassSpec } from "../model/ec2/node-class.ts";
import type { KubeObject } from "../model/objects/kube-object.ts";
import { memoize } from "../model/schema/memoize.ts";
import { validate } from "../model/schema/validate.ts";
import { lostMetadata, splitForeignFields } from "./foreign-fields.ts";
import {
  CAPACITY_RESERVATION_TERM,
  EBS,
  METADATA_OPTIONS,
  MONITORING,
  PUBLIC_IP,
  toWrapper,
} from "../render/spelled-fields.ts";
import { wholeGiB } from "../model/values/volume-size.ts";

/**
 * The common fields of wrapper and EC2NodeClass, validated by HyperShift's CRD, which does not require the other
 * fields.
 */
const schema = memoize(() => ec2NodeClassSpec("hypershift"));

/**
 * Undefined if Karpenter would refuse the class, or if no wrapper can replace it. Findings list what the wrapper
 * cannot express.
 */
export function adoptEC2NodeClass(raw: Resource): Outcome<KubeObject | undefined> {
  const given = raw.value["spec"];
  const split = splitForeignFields(raw, isFields(given) ? given : {});
  const { kubelet, ...checked } = split.spec;
  const own = { ...raw, value: { ...raw.value, spec: isFields(given) ? checked : given } };
  const options = { code: "adopt-invalid", unknownField: "unknown-field", path: ["spec"] } as const;
  const valid = validate(schema(), own, options);
  const findings: Finding[] = [...lostMetadata(raw), ...split.findings, ...valid.findings];
  if (valid.value === undefined) return { value: undefined, findings };
  const spec = valid.value as Fields;
  const mappings = adoptBlockDevices(raw, (spec["blockDeviceMappings"] ?? []) as RawMapping[]);
  findings.push(...mappings.findings);
  const reservations = (spec["capacityReservationSelectorTerms"] ?? []) as Fields[];
  const wrapper = {
    subnetSelectorTerms: spec["subnetSelectorTerms"],
    securityGroupSelectorTerms: spec["securityGroupSelectorTerms"],
    capacityReservationSelectorTerms: reservations.map((term) => toWrapper(CAPACITY_RESERVATION_TERM, term)),
    ...toWrapper([PUBLIC_IP], spec),
    tags: spec["tags"],
    blockDeviceMappings: mappings.value,
    instanceStorePolicy: spec["instanceStorePolicy"],
    ...toWrapper([MONITORING], spec),
    metadataOptions: toWrapper(METADATA_OPTIONS, (spec["metadataOptions"] ?? {}) as Fields),
    kubelet: adoptKubelet(raw, kubelet, findings),
  };
  const value = {
    apiVersion: `${HYPERSHIFT_KARPENTER_GROUP}/v1`,
    kind: "OpenshiftEC2NodeClass",
    metadata: { name: raw.name },
    spec: withoutEmpty(wrapper),
  };
  return { value: hasErrors(findings) ? undefined : value, findings };
}

/**
 * The wrapper accepts any setting; HyperShift itself sets on nodes those that Karpenter does not support
 * (docs/upstream/hypershift.md#kubelet-settings).
 */
function adoptKubelet(raw: Resource, given: unknown, findings: Finding[]): unknown {
  if (!isFields(given)) return given ?? undefined;
  const { clusterDNS, ...kept } = given;
  if (clusterDNS !== undefined && clusterDNS !== null) {
    const message = `${describeResource(raw)}: spec.kubelet.clusterDNS is dropped: pods use the DNS of the hosted cluster`;
    findings.push(findingAt("adopt-lossy", raw, ["spec", "kubelet", "clusterDNS"], { message }, "key"));
  }
  return withoutEmpty(kept);
}

/** The wrapper refuses empty mappings and lists, which have no meaning for Karpenter either. */
function withoutEmpty(fields: Fields): Record<string, unknown> {
  const isSet = (value: unknown): boolean =>
    typeof value === "object" ? value !== null && Object.keys(value).length > 0 : value !== undefined;
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => isSet(value)));
}

/** A mapping that is valid in Karpenter's CRD. */
interface RawMapping {
  readonly deviceName?: string;
  readonly rootVolume?: boolean;
  readonly ebs?: Readonly<Record<string, unknown>>;
}

function adoptBlockDevices(raw: Resource, given: readonly RawMapping[]): Outcome<Record<string, unknown>[]> {
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
