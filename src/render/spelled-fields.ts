/** Maps fields that wrapper and EC2NodeClass spell differently, in both directions. */
import type { Fields } from "../krm/values/fields.ts";
import { VOLUME_TYPES } from "../model/node-classes/block-device.ts";

export interface SpelledField {
  readonly wrapper: string;
  readonly karpenter: string;
  /** The wrapper's values and Karpenter's for each; without them the value is the same. */
  readonly words?: Readonly<Record<string, string | boolean>>;
  /** The unit that follows the wrapper's number in Karpenter's string. */
  readonly unit?: "Gi";
}

const same = (name: string): SpelledField => ({ wrapper: name, karpenter: name });

/** Values that differ only in case. */
const lowerCase = (words: readonly string[]): Record<string, string> =>
  Object.fromEntries(words.map((word) => [word, word.toLowerCase()]));

export const PUBLIC_IP: SpelledField = {
  wrapper: "ipAddressAssociation",
  karpenter: "associatePublicIPAddress",
  words: { Public: true, SubnetDefault: false },
};

export const MONITORING: SpelledField = {
  wrapper: "monitoring",
  karpenter: "detailedMonitoring",
  words: { Detailed: true, Basic: false },
};

export const METADATA_OPTIONS: readonly SpelledField[] = [
  { wrapper: "access", karpenter: "httpEndpoint", words: { HTTPEndpoint: "enabled", None: "disabled" } },
  { wrapper: "httpIPProtocol", karpenter: "httpProtocolIPv6", words: { IPv6: "enabled", IPv4: "disabled" } },
  same("httpPutResponseHopLimit"),
  { ...same("httpTokens"), words: lowerCase(["Required", "Optional"]) },
];

export const CAPACITY_RESERVATION_TERM: readonly SpelledField[] = [
  same("tags"),
  same("id"),
  same("ownerID"),
  { ...same("instanceMatchCriteria"), words: lowerCase(["Open", "Targeted"]) },
];

export const EBS: readonly SpelledField[] = [
  { ...same("deleteOnTermination"), words: { Delete: true, Retain: false } },
  { ...same("encrypted"), words: { Encrypted: true, Unencrypted: false } },
  same("iops"),
  same("kmsKeyID"),
  same("snapshotID"),
  same("throughput"),
  { wrapper: "volumeSizeGiB", karpenter: "volumeSize", unit: "Gi" },
  { ...same("volumeType"), words: lowerCase(VOLUME_TYPES) },
];

/** In the table's order, without unset fields. See docs/upstream/hypershift.md#the-two-dialects-of-v1beta1. */
export function toKarpenter(fields: readonly SpelledField[], given: Fields): Record<string, unknown> {
  return spell(fields, given, "wrapper", "karpenter", ({ words, unit }, value) =>
    words === undefined ? (unit === undefined ? value : `${String(value)}${unit}`) : words[String(value)],
  );
}

/** The reverse of `toKarpenter`; the caller converts strings with a unit to the wrapper's number. */
export function toWrapper(fields: readonly SpelledField[], given: Fields): Record<string, unknown> {
  return spell(fields, given, "karpenter", "wrapper", ({ words, unit }, value) => {
    if (words === undefined) return unit === undefined || typeof value === "number" ? value : undefined;
    return Object.entries(words).find(([, karpenters]) => karpenters === value)?.[0];
  });
}

function spell(
  fields: readonly SpelledField[],
  given: Fields,
  from: "wrapper" | "karpenter",
  to: "wrapper" | "karpenter",
  convert: (field: SpelledField, value: unknown) => unknown,
): Record<string, unknown> {
  const entries = fields.map((field) => {
    const value = given[field[from]];
    return [field[to], value === undefined ? undefined : convert(field, value)] as const;
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
