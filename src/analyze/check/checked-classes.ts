/** One form of wrappers and EC2NodeClasses for the rules. */
import { isRootMapping } from "../../karpenter/node-class/root-device.ts";
import { type FieldPath, valueAt } from "../../krm/places/field-path.ts";
import type { Resource } from "../../krm/places/resource.ts";
import { wholeGiB } from "../../model/values/volume-size.ts";
import { isRootDevice } from "../../render/block-devices.ts";
import type { Place } from "../../resolve/origin.ts";
import type { NodeClassWrapper } from "../../resolve/read-node-class.ts";
import type { ExplainedCluster } from "../explain/explain.ts";
import { placeInRootVolume } from "../../resolve/root-volume.ts";

/**
 * HyperShift's operator makes it in every hosted cluster, and writes it anew in every loop
 * (docs/upstream/hypershift.md#the-default-class).
 */
export const PROVIDED_CLASS = "default";

/** The names of classes that exist without a manifest. */
export function providedClasses({ mode, provider }: ExplainedCluster): readonly string[] {
  // EKS Auto Mode and AKS with their own pools have one too (docs/upstream/karpenter.md#providers).
  return mode !== "raw" || WITH_CLASS.includes(provider.name) ? [PROVIDED_CLASS] : [];
}

const WITH_CLASS: readonly string[] = ["eks-auto", "karpenter.azure.com"];

/** Invalid ones are left out, because rendering reports them. */
export function nodeClassesOf({ nodeClasses }: ExplainedCluster): readonly NodeClassWrapper[] {
  return nodeClasses.flatMap(({ value }) => value ?? []);
}

/** The names of classes that pools refer to, including invalid pools. */
export function referredClasses({ bundle }: ExplainedCluster): ReadonlySet<string> {
  const names = bundle.nodePools.map((wrapper) =>
    valueAt(wrapper.value, ["spec", "template", "spec", "nodeClassRef", "name"]),
  );
  return new Set(names.map((name) => (typeof name === "string" ? name : PROVIDED_CLASS)));
}

/** EC2NodeClasses as their users write them, without wrappers. */
export function rawClasses({ mode, provider, bundle }: ExplainedCluster): readonly Resource[] {
  return mode === "raw" && provider.name === "aws" ? bundle.nodeClasses : [];
}

export interface CheckedClass {
  readonly resource: Resource;
  /** Undefined if nodes get no public address. */
  readonly publicAddress: Place | undefined;
  readonly kubelet: Readonly<Record<string, unknown>>;
  readonly tags: readonly string[];
  readonly volumes: readonly ClassVolume[];
  /** The place of a field of its spec, by the names of v1. */
  readonly placeOf: (path: FieldPath) => Place;
}

interface ClassVolume {
  /** The device name, or the index in the list. */
  readonly name: string | number;
  readonly root: boolean;
  readonly encrypted: boolean | undefined;
  /** In GiB; undefined if a snapshot determines it. */
  readonly gib: number | undefined;
  readonly fields: Readonly<Record<"size" | "encrypted", string>>;
  /** The place of a field, or of the volume if the field is not written. */
  readonly placeOf: (field: "size" | "encrypted") => Place;
}

/** Empty for other providers than AWS, because their fields are unknown. Invalid wrappers are left out. */
export function checkedClasses(cluster: ExplainedCluster): CheckedClass[] {
  if (cluster.mode !== "raw") return nodeClassesOf(cluster).map(ofWrapper);
  return rawClasses(cluster).map(ofRawObject);
}

function ofWrapper(nodeClass: NodeClassWrapper): CheckedClass {
  const { wrapper, spec } = nodeClass;
  const placeOf = (path: FieldPath): Place => nodeClass.placeOf(path);
  const fields = { size: "volumeSizeGiB", encrypted: "encrypted" };
  return {
    resource: wrapper,
    publicAddress: spec.ipAddressAssociation === "Public" ? placeOf(["ipAddressAssociation"]) : undefined,
    kubelet: spec.kubelet ?? {},
    tags: Object.keys(spec.tags ?? {}),
    volumes: (spec.blockDeviceMappings ?? []).flatMap((mapping, index): ClassVolume[] => {
      const { ebs, deviceName } = mapping;
      if (ebs === undefined) return [];
      return [
        {
          name: deviceName ?? index,
          root: isRootDevice(mapping),
          encrypted: ebs.encrypted === undefined ? undefined : ebs.encrypted === "Encrypted",
          gib: ebs.volumeSizeGiB,
          fields,
          placeOf: (field) => placeOf(["blockDeviceMappings", index, "ebs", fields[field]]),
        },
      ];
    }),
    placeOf,
  };
}

/** The object may be invalid, so all types are checked. */
function ofRawObject(resource: Resource): CheckedClass {
  const at = (path: FieldPath): unknown => valueAt(resource.value, ["spec", ...path]);
  const placeOf = (path: FieldPath): Place => ({ resource, path: ["spec", ...path] });
  const mappings = at(["blockDeviceMappings"]);
  const fields = { size: "volumeSize", encrypted: "encrypted" };
  return {
    resource,
    publicAddress: at(["associatePublicIPAddress"]) === true ? placeOf(["associatePublicIPAddress"]) : undefined,
    kubelet: mappingOf(at(["kubelet"])),
    tags: Object.keys(mappingOf(at(["tags"]))),
    volumes: (Array.isArray(mappings) ? mappings : []).flatMap((mapping: unknown, index): ClassVolume[] => {
      const { ebs, deviceName } = mappingOf(mapping);
      if (ebs === undefined) return [];
      const { volumeSize, encrypted } = mappingOf(ebs);
      const name = typeof deviceName === "string" ? deviceName : undefined;
      return [
        {
          name: name ?? index,
          root: isRootMapping(mapping),
          encrypted: typeof encrypted === "boolean" ? encrypted : undefined,
          gib: typeof volumeSize === "string" ? wholeGiB(volumeSize).size : undefined,
          fields,
          placeOf: (field) => placeOf(["blockDeviceMappings", index, "ebs", fields[field]]),
        },
      ];
    }),
    placeOf,
  };
}

function mappingOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

type Volume = Pick<ClassVolume, "root" | "encrypted" | "gib" | "placeOf">;

/** From users, the policy and the RenderConfig. A user's root volume is left out if the policy replaces it. */
export function volumesOf(cluster: ExplainedCluster): Volume[] {
  return [...decidedRoot(cluster), ...userVolumes(cluster)];
}

/** The root volume of policy or RenderConfig. The built-in one is not reported. */
function decidedRoot({ inputs: { rootVolume } }: ExplainedCluster): Volume[] {
  const { value, gib } = rootVolume;
  const size = placeInRootVolume(rootVolume, "volumeSize");
  const encrypted = placeInRootVolume(rootVolume, "encrypted");
  if (size === undefined || encrypted === undefined) return [];
  const places = { size, encrypted };
  return [{ root: true, encrypted: value.encrypted, gib, placeOf: (field) => places[field] }];
}

/** The volumes in `blockDeviceMappings` of node classes. */
function userVolumes(cluster: ExplainedCluster): Volume[] {
  const replaced = cluster.inputs.rootVolume.replacesUsers;
  return checkedClasses(cluster).flatMap(({ volumes }) => volumes.filter(({ root }) => !root || !replaced));
}
