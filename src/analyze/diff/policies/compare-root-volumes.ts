/** Compares the root volumes of two policies. */
import { sameValue } from "../../../krm/canonical.ts";
import { BUILT_IN_ROOT_VOLUME, type RootVolume } from "../../../model/root-volume.ts";

export interface RootVolumeChange {
  /** Decided by encryption only, because sizes and types have no order here. */
  readonly relation: "looser" | "tighter" | "other";
  /** Undefined: the policy has none, and those of users apply. */
  readonly from: RootVolume | undefined;
  readonly to: RootVolume | undefined;
}

/** Undefined if both are the same. */
export function compareRootVolumes(
  from: RootVolume | undefined,
  to: RootVolume | undefined,
): RootVolumeChange | undefined {
  if (sameValue(from, to)) return undefined;
  const [old, now] = [lackOfEncryption(from), lackOfEncryption(to)];
  if (old === now) return { relation: "other", from, to };
  return { relation: now > old ? "looser" : "tighter", from, to };
}

/** 0: all volumes are encrypted. 1: encryption depends on the user. 2: none is encrypted. */
function lackOfEncryption(volume: RootVolume | undefined): number {
  if (volume === undefined) return 1;
  return (volume.encrypted ?? BUILT_IN_ROOT_VOLUME.encrypted) ? 0 : 2;
}
