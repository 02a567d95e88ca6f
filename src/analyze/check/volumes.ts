/** The volumes that nodes of a hosted cluster get, each with the place that says so. */
import type { Place } from "../../resolve/origin.ts";
import { placeInRootVolume } from "../../resolve/root-volume.ts";
import type { ExplainedCluster } from "../explain/explain.ts";
import { checkedClasses } from "./checked-classes.ts";

export interface Volume {
  readonly root: boolean;
  readonly encrypted: boolean | undefined;
  /** In GiB; undefined for what a snapshot says. */
  readonly gib: number | undefined;
  /** Of one of its fields as the user wrote it; of the volume where it is left out. */
  readonly placeOf: (field: "size" | "encrypted") => Place;
}

/**
 * From users, the policy and the RenderConfig. A root volume of a user that the policy replaces is none that a node
 * gets.
 */
export function volumesOf(cluster: ExplainedCluster): Volume[] {
  return [...decidedRoot(cluster), ...userVolumes(cluster)];
}

/** The one of policy and RenderConfig; what is built in surprises nobody. */
function decidedRoot({ inputs: { rootVolume } }: ExplainedCluster): Volume[] {
  const { value, gib } = rootVolume;
  const size = placeInRootVolume(rootVolume, "volumeSize");
  const encrypted = placeInRootVolume(rootVolume, "encrypted");
  if (size === undefined || encrypted === undefined) return [];
  const places = { size, encrypted };
  return [{ root: true, encrypted: value.encrypted, gib, placeOf: (field) => places[field] }];
}

/** Of the node classes, as `blockDeviceMappings` lists them. */
function userVolumes(cluster: ExplainedCluster): Volume[] {
  const replaced = cluster.inputs.rootVolume.replacesUsers;
  return checkedClasses(cluster).flatMap(({ volumes }) => volumes.filter(({ root }) => !root || !replaced));
}
