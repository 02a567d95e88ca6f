/** The volumes that nodes get: a hosted cluster in, those of users, policy and RenderConfig with their places out. */
import { isRootDevice } from "../render/block-devices.ts";
import { originIn, type Place } from "../resolve/origin.ts";
import type { DecidedRootVolume } from "../resolve/root-volume.ts";
import type { ExplainedCluster } from "./explain.ts";
import { nodeClassesOf } from "./node-classes.ts";

export interface Volume {
  readonly root: boolean;
  readonly encrypted: boolean | undefined;
  /** In GiB; undefined for the default, or what a snapshot says. */
  readonly gib: number | undefined;
  /** Of one of its fields as the user wrote it; of the volume where it is left out. */
  readonly placeOf: (field: "size" | "encrypted") => Place;
}

/** A root volume of a user that the policy replaces is none that a node gets. */
export function volumesOf(cluster: ExplainedCluster): Volume[] {
  return [...rootOf(cluster.inputs.rootVolume), ...userVolumes(cluster)];
}

/** Of the node classes, as `blockDeviceMappings` lists them. */
function userVolumes(cluster: ExplainedCluster): Volume[] {
  const replaced = cluster.inputs.policy.rootVolume !== undefined;
  return nodeClassesOf(cluster).flatMap((nodeClass) =>
    (nodeClass.spec.blockDeviceMappings ?? []).flatMap((mapping, index): Volume[] => {
      const root = isRootDevice(mapping);
      if ((root && replaced) || mapping.ebs === undefined) return [];
      const { encrypted, volumeSizeGiB } = mapping.ebs;
      const field = { size: "volumeSizeGiB", encrypted: "encrypted" };
      return [
        {
          root,
          encrypted: encrypted === undefined ? undefined : encrypted === "Encrypted",
          gib: volumeSizeGiB,
          placeOf: (name) => nodeClass.placeOf(["blockDeviceMappings", index, "ebs", field[name]]),
        },
      ];
    }),
  );
}

/** What is built in needs no word. */
function rootOf({ value, origins, from }: DecidedRootVolume): Volume[] {
  if (from === undefined) return [];
  const field = { size: "volumeSize", encrypted: "encrypted" };
  return [
    {
      root: true,
      encrypted: value.encrypted,
      gib: inGiB(value.volumeSize),
      placeOf: (name) => originIn(origins, ["ebs", field[name]]) ?? from,
    },
  ];
}

const UNITS: Readonly<Record<string, number>> = { Gi: 2 ** 30, G: 1e9, Ti: 2 ** 40, T: 1e12 };

function inGiB(size: string): number | undefined {
  const [, number = "", unit = ""] = /^(\d+)([A-Za-z]+)$/.exec(size) ?? [];
  const bytes = UNITS[unit];
  return bytes === undefined ? undefined : (Number(number) * bytes) / 2 ** 30;
}
