/** The volumes of the nodes of a hosted cluster, with their places. */
import type { Place } from "../../resolve/origin.ts";
import { placeInRootVolume } from "../../resolve/root-volume.ts";
import type { ExplainedCluster } from "../explain/explain.ts";
import { checkedClasses } from "./checked-classes.ts";

export interface Volume {
  readonly root: boolean;
  readonly encrypted: boolean | undefined;
  /** In GiB; undefined if a snapshot determines it. */
  readonly gib: number | undefined;
  /** The place of a field, or of the volume if the field is not written. */
  readonly placeOf: (field: "size" | "encrypted") => Place;
}

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
