/** Determines the root device of the images that an EC2NodeClass selects. */
import { valueAt } from "../../krm/places/field-path.ts";

/** By image family, in the spelling of aliases (docs/upstream/karpenter.md#root-device). */
export const ROOT_DEVICES: ReadonlyMap<string, string> = new Map([
  ["al2", "/dev/xvda"],
  ["al2023", "/dev/xvda"],
  ["bottlerocket", "/dev/xvda"],
  ["windows2019", "/dev/sda1"],
  ["windows2022", "/dev/sda1"],
  ["windows2025", "/dev/sda1"],
]);

export const BOTTLEROCKET = "bottlerocket";

/** The volume that Karpenter adds to a Bottlerocket class without block devices. */
export const BOTTLEROCKET_DATA = {
  deviceName: "/dev/xvdb",
  ebs: { encrypted: true, volumeSize: "20Gi", volumeType: "gp3" },
} as const;

/**
 * Matches names of the first disk, which EC2 reserves for root devices, in lower case and in syntax that RE2 supports
 * too: with and without /dev/, disks and partitions, and with characters that no device name has.
 */
export const ROOT_NAME = "^[^a-z0-9]*(dev[^a-z0-9]*)?(sd|xvd|hd)a[0-9]*[^a-z0-9]*$";

const IS_ROOT_NAME = new RegExp(ROOT_NAME);

export function isRootName(name: unknown): boolean {
  // As CEL's lowerAscii: toLowerCase also maps some non-ASCII letters to ASCII.
  return typeof name === "string" && IS_ROOT_NAME.test(name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()));
}

/** Whether a block device mapping is for the root device: by its name, or by its flag if it has no name. */
export function isRootMapping(mapping: unknown): boolean {
  const name = nameOf(mapping);
  return name === "" ? isFlagged(mapping) : isRootName(name);
}

export function blockDevicesOf(nodeClass: unknown): readonly unknown[] {
  const list = valueAt(nodeClass, ["spec", "blockDeviceMappings"]);
  return Array.isArray(list) ? list : [];
}

export const UNKNOWN_ROOT_HINT =
  "write rootVolume: true on one mapping alone, that of the images' root device, such as /dev/xvda or /dev/sda1";

export type RootDevice =
  | { readonly device: string }
  /** Why it is unknown. */
  | { readonly unknown: string };

interface Stored {
  /** The stored class, on update. */
  readonly before?: unknown;
  /** Whether a guard added the mapping. */
  readonly isPut?: (mapping: unknown) => boolean;
}

/**
 * An alias determines the images. For images by ID, name, tags or parameter, the flagged mapping determines the root
 * device, else the family, unless a mapping contradicts it.
 */
export function rootDeviceOf(nodeClass: unknown, { before, isPut = () => false }: Stored = {}): RootDevice {
  const { field, alias } = imageFamiliesOf(nodeClass);
  const ofAlias = ROOT_DEVICES.get(alias ?? "");
  if (ofAlias !== undefined) return { device: ofAlias };
  const ofFamily = ROOT_DEVICES.get(field ?? "");
  const mappings = blockDevicesOf(nodeClass);
  const flagged = mappings.filter(isFlagged);
  const [first] = flagged.map(nameOf);
  const byFlag = flagged.length === 1 && isRootName(first) ? first : undefined;
  // A flag on the root device of the former family is outdated, as that family is.
  const isOfFormerFamily = ofFamily !== undefined && byFlag !== ofFamily && byFlag === familyDeviceOf(before);
  if (byFlag !== undefined && !isOfFormerFamily) return { device: byFlag };
  const other = mappings
    .filter((mapping) => isRootMapping(mapping) && !isPut(mapping))
    .map(nameOf)
    .find((name) => name !== "" && name !== ofFamily);
  if (ofFamily === undefined) return { unknown: unknownBecause(flagged, field) };
  if (other === undefined) return { device: ofFamily };
  return {
    unknown: `images of ${String(valueAt(nodeClass, ["spec", "amiFamily"]))} have ${ofFamily}, but ${other} is also the name of a root device`,
  };
}

/** The root device by images alone, without the mappings. */
function familyDeviceOf(nodeClass: unknown): string | undefined {
  const { field, alias } = imageFamiliesOf(nodeClass);
  return ROOT_DEVICES.get(alias ?? "") ?? ROOT_DEVICES.get(field ?? "");
}

function unknownBecause(flagged: readonly unknown[], field = "(none)"): string {
  const images = `amiFamily ${field === "custom" ? "Custom" : field} does not say it`;
  if (flagged.length === 0) return `${images}, and no mapping has rootVolume: true`;
  if (flagged.length > 1) return `${images}, and several mappings have rootVolume: true`;
  return `${images}, and rootVolume: true is on ${nameOf(flagged[0]) || "a mapping without a name"}, which is not the name of a root device`;
}

export function isFlagged(mapping: unknown): boolean {
  return valueAt(mapping, ["rootVolume"]) === true;
}

function nameOf(mapping: unknown): string {
  const name = valueAt(mapping, ["deviceName"]);
  return typeof name === "string" ? name : "";
}

interface ImageFamilies {
  /** `amiFamily`, in lower case; undefined if absent. */
  readonly field: string | undefined;
  /** Family of the alias in `amiSelectorTerms`, in lower case; undefined if there is none. */
  readonly alias: string | undefined;
}

/** The family that Karpenter configures nodes for, in lower case: the field counts before the alias (`AMIFamily`). */
export function imageFamilyOf(nodeClass: unknown): string {
  const { field, alias } = imageFamiliesOf(nodeClass);
  return field ?? alias ?? "custom";
}

/** The image family of an EC2NodeClass, from its field and its alias. */
export function imageFamiliesOf(nodeClass: unknown): ImageFamilies {
  const field = valueAt(nodeClass, ["spec", "amiFamily"]);
  const terms = valueAt(nodeClass, ["spec", "amiSelectorTerms"]);
  const aliases = Array.isArray(terms) ? terms.map((term: unknown) => valueAt(term, ["alias"])) : [];
  const alias = aliases.find((text): text is string => typeof text === "string" && text !== "");
  return {
    field: typeof field === "string" ? field.toLowerCase() : undefined,
    alias: alias?.replace(/@.*/s, "").toLowerCase(),
  };
}
