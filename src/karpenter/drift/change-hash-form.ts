/** Normalizes NodePools and EC2NodeClasses so that equal data has equal Karpenter hashes. */
import type { Fields } from "../../krm/values/fields.ts";
import type { Profile } from "../../model/crds/profile.ts";
import { DEFAULT_EXPIRY } from "../../model/values/durations.ts";
import { parseGoDuration } from "../../model/values/go-duration.ts";
import { parseQuantity } from "../../model/values/quantity.ts";
import { canonical } from "../../krm/values/canonical.ts";

/**
 * `NodePool.Hash()` of Karpenter 1.14 (pkg/apis/v1/nodepool.go): `spec.template` without the requirements, hashed with
 * SlicesAsSets and IgnoreZeroValue. So the order of taints and the format of a duration do not matter, but an empty
 * list differs from none. test/suites/oracle compares with Karpenter itself.
 */
export function templateHashForm(template: unknown): Fields {
  const { metadata, spec } = fieldsOf(template);
  const { labels, annotations } = fieldsOf(metadata);
  const { taints, startupTaints, nodeClassRef, terminationGracePeriod, expireAfter } = fieldsOf(spec);
  return {
    labels,
    annotations,
    taints: asSet(taints, withoutEmptyTexts),
    startupTaints: asSet(startupTaints, withoutEmptyTexts),
    nodeClassRef: nodeClassRef === undefined ? undefined : withoutEmptyTexts(nodeClassRef),
    terminationGracePeriod: durationForm(terminationGracePeriod),
    // The CRD's default; Never is nil.
    expireAfter: expireAfter === "Never" ? undefined : durationForm(expireAfter ?? DEFAULT_EXPIRY),
  };
}

/** Karpenter compares what these select instead of hashing them: `hash:"ignore"` in the provider's ec2nodeclass.go. */
const NOT_HASHED = new Set([
  "subnetSelectorTerms",
  "securityGroupSelectorTerms",
  "capacityReservationSelectorTerms",
  "amiSelectorTerms",
  "ipPrefixCount",
]);

/** Defaults of the CRD (provider, ec2nodeclass.go). */
const METADATA_DEFAULTS = {
  httpEndpoint: "enabled",
  httpProtocolIPv6: "disabled",
  httpPutResponseHopLimit: 1,
  httpTokens: "required",
};

/**
 * `EC2NodeClass.Hash()` of the AWS provider: the spec without ignored fields, and the resolved image family. Since 1.15
 * the kubelet settings are hashed as text, in which all of them count but the order of keys
 * (docs/upstream/karpenter.md#hash-of-a-node-class).
 */
export function nodeClassHashForm(spec: unknown, profile: Profile): Fields {
  const kept = Object.fromEntries(Object.entries(fieldsOf(spec)).filter(([field]) => !NOT_HASHED.has(field)));
  return {
    ...kept,
    amiFamily: familyOf(fieldsOf(spec)),
    role: kept["role"] === "" ? undefined : kept["role"],
    blockDeviceMappings: asSet(kept["blockDeviceMappings"], deviceForm),
    networkInterfaces: asSet(kept["networkInterfaces"], (item) => item),
    metadataOptions: { ...METADATA_DEFAULTS, ...fieldsOf(kept["metadataOptions"]) },
    kubelet: profile === "karpenter-1.15" ? kubeletText(kept["kubelet"]) : kubeletForm(kept["kubelet"]),
  };
}

function deviceForm(item: unknown): Fields {
  const { ebs, rootVolume, ...rest } = fieldsOf(item);
  const { volumeSize, ...volume } = fieldsOf(ebs);
  const size = typeof volumeSize === "string" ? (parseQuantity(volumeSize)?.nano ?? volumeSize) : volumeSize;
  return {
    ...rest,
    // Not a pointer in Go, so false equals absent.
    rootVolume: rootVolume === true ? true : undefined,
    ebs: ebs === undefined ? undefined : { ...volume, volumeSize: size },
  };
}

/** `KubeletConfiguration.String()` (pkg/apis/v1/kubeletconfiguration.go). */
function kubeletText(settings: unknown): string | undefined {
  return Object.keys(fieldsOf(settings)).length === 0 ? undefined : canonical(settings);
}

function kubeletForm(settings: unknown): Fields | undefined {
  if (settings === undefined) return undefined;
  const { clusterDNS, evictionSoftGracePeriod, ...rest } = fieldsOf(settings);
  const periods = Object.entries(fieldsOf(evictionSoftGracePeriod)).map(([signal, text]) => [
    signal,
    durationForm(text),
  ]);
  return {
    ...rest,
    clusterDNS: asSet(clusterDNS, (address) => address),
    evictionSoftGracePeriod: evictionSoftGracePeriod === undefined ? undefined : Object.fromEntries(periods),
  };
}

/** The alias of the images determines it if `amiFamily` is absent. */
function familyOf({ amiFamily, amiSelectorTerms }: Fields): string {
  if (typeof amiFamily === "string") return amiFamily.toLowerCase();
  const aliases = Array.isArray(amiSelectorTerms) ? amiSelectorTerms.map((term) => fieldsOf(term)["alias"]) : [];
  const alias = aliases.find((one) => typeof one === "string");
  return alias === undefined ? "custom" : (alias.split("@")[0] ?? "").toLowerCase();
}

/** The items in any order. Two equal items cancel each other out, because the hashes of a set are XORed. */
function asSet(list: unknown, form: (item: unknown) => unknown): readonly string[] | undefined {
  if (!Array.isArray(list)) return undefined;
  const odd = new Set<string>();
  for (const item of list) {
    const text = canonical(form(item));
    if (!odd.delete(text)) odd.add(text);
  }
  return [...odd].toSorted();
}

function withoutEmptyTexts(item: unknown): Fields {
  return Object.fromEntries(Object.entries(fieldsOf(item)).filter(([, value]) => value !== ""));
}

/** A parsed duration, regardless of its format; anything else unchanged. */
export function durationForm(duration: unknown): unknown {
  return typeof duration === "string" ? (parseGoDuration(duration) ?? duration) : duration;
}

/** Empty for anything but a map; null counts as absent. */
function fieldsOf(value: unknown): Fields {
  if (typeof value !== "object" || value === null) return {};
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== null && part !== undefined));
}
