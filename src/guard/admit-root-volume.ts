/** Predicts how a guard admits block devices of a node class: stored, or refused with a reason. */
import {
  blockDevicesOf,
  BOTTLEROCKET,
  BOTTLEROCKET_DATA,
  imageFamiliesOf,
  isFlagged,
  isRootMapping,
  ROOT_DEVICES,
  rootDeviceOf,
} from "../karpenter/node-class/root-device.ts";
import { valueAt } from "../krm/places/field-path.ts";
import { sameValue } from "../krm/values/canonical.ts";
import type { DecidedRootVolume } from "../resolve/root-volume.ts";
import { FIELDS, ROOT_VOLUME_PUT } from "./guard-node-classes.ts";

export type RootVolumeAdmission =
  | { readonly stored: readonly unknown[]; readonly lost: string }
  | { readonly refused: string };

/**
 * Must match the CEL of the admission policies (guard-node-classes.ts, root-device-variables.ts): the suite
 * `test/suites/guard` compares the two on a real API server.
 *
 * @param before the stored class, on update
 */
export function admitRootVolume(
  root: DecidedRootVolume["value"],
  nodeClass: unknown,
  before?: unknown,
): RootVolumeAdmission {
  const list = blockDevicesOf(nodeClass);
  const put = valueAt(before, ["metadata", "annotations", ROOT_VOLUME_PUT]) ?? "";
  const isPut = (mapping: unknown): boolean => fieldText(ebsOf(mapping)) === put;
  const found = rootDeviceOf(nodeClass, { before, isPut });
  if ("unknown" in found) {
    const isUnchanged =
      before !== undefined && sameValue(list, blockDevicesOf(before)) && sameImages(nodeClass, before);
    return isUnchanged ? { stored: list, lost: "" } : { refused: found.unknown };
  }
  const { device } = found;
  const own = list.filter((mapping) => !isRootMapping(mapping));
  const asked = list.filter((mapping) => isRootMapping(mapping) && !isPut(mapping));
  const { field, alias } = imageFamiliesOf(nodeClass);
  const former = familyOf(before);
  const isOfBottlerocket = (field ?? alias) === BOTTLEROCKET;
  const isAddedAnew = list.length === 0 || (former !== undefined && former !== BOTTLEROCKET);
  const data = own.length === 0 && isOfBottlerocket && isAddedAnew ? [BOTTLEROCKET_DATA] : own;
  const ofAlias = ROOT_DEVICES.get(alias ?? "");
  const isFound = device === ofAlias || device === ROOT_DEVICES.get(field ?? "");
  const images = ofAlias === undefined ? field : alias;
  const flags = !own.some(isFlagged) && ((images !== BOTTLEROCKET && data.length > 0) || !isFound);
  const lost = asked.map((mapping) => fieldText(ebsOf(mapping), root)).filter((text) => text !== "");
  const rootMapping = { deviceName: device, ...(flags ? { rootVolume: true } : {}), ebs: root };
  return { stored: [rootMapping, ...data], lost: lost.join("; ") };
}

/** Fields of a volume, without those that are equal in another. */
function fieldText(ebs: Readonly<Record<string, unknown>>, other: Readonly<Record<string, unknown>> = {}): string {
  return FIELDS.filter((field) => ebs[field] !== undefined && ebs[field] !== other[field])
    .map((field) => `${field} ${String(ebs[field])}`)
    .join(", ");
}

function ebsOf(mapping: unknown): Readonly<Record<string, unknown>> {
  return (valueAt(mapping, ["ebs"]) ?? {}) as Readonly<Record<string, unknown>>;
}

function familyOf(nodeClass: unknown): string | undefined {
  const { field, alias } = imageFamiliesOf(nodeClass);
  return field ?? alias;
}

function sameImages(nodeClass: unknown, before: unknown): boolean {
  return ["amiFamily", "amiSelectorTerms"].every((field) =>
    sameValue(valueAt(nodeClass, ["spec", field]), valueAt(before, ["spec", field])),
  );
}
