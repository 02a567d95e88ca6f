/** What a change of a policy's root volume comes to. */
import { sameValue } from "../../../krm/same-value.ts";
import { BUILT_IN_ROOT_VOLUME, type RootVolume } from "../../../model/root-volume.ts";

export interface RootVolumeChange {
  /** By encryption alone: no size or type is more than another. */
  readonly relation: "looser" | "tighter" | "other";
  /** Undefined: the policy has none, and users' own stand. */
  readonly from: RootVolume | undefined;
  readonly to: RootVolume | undefined;
}

/** Undefined where it is the same. */
export function compareRootVolumes(
  from: RootVolume | undefined,
  to: RootVolume | undefined,
): RootVolumeChange | undefined {
  if (sameValue(from, to)) return undefined;
  const [old, now] = [lackOfEncryption(from), lackOfEncryption(to)];
  if (old === now) return { relation: "other", from, to };
  return { relation: now > old ? "looser" : "tighter", from, to };
}

/** All volumes are encrypted; those of users who do not turn it off; none. */
function lackOfEncryption(volume: RootVolume | undefined): number {
  if (volume === undefined) return 1;
  return (volume.encrypted ?? BUILT_IN_ROOT_VOLUME.encrypted) ? 0 : 2;
}
